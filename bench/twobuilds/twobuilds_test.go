package twobuilds

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// score is the result of a small benchmark.
type score struct {
	Run
	Score int `json:"score"`
}

func (s *score) Fill(rep *mcpsf.Report) { s.Score = rep.Verdict.Score }
func (s *score) Outcome() string        { return fmt.Sprint(s.Score) }

// fakeBinary notes its start and leaves a report with its own score. It has none
// for "gone" and does not end for "slow".
const fakeBinary = `#!/bin/sh
echo "%[2]d $2" >>"%[1]s/starts"
case "$2" in
gone) echo "mcpsf: there is no such package" >&2; exit 2;;
slow) exec sleep 60;;
esac
while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done
mkdir -p "$out"
printf '{"tool": {"version": "v%[2]d"}, "verdict": {"score": %[2]d}}' >"$out/report.json"
`

// world is a folder with two binaries.
type world struct {
	dir string
	lab *Lab[*score]
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dir: t.TempDir()}
	set := Settings{Work: filepath.Join(w.dir, "work"), Profile: "safe", Timeout: time.Minute}
	set.Before, set.After = filepath.Join(w.dir, "old"), filepath.Join(w.dir, "new")
	for i, file := range []string{set.Before, set.After} {
		if err := os.WriteFile(file, fmt.Appendf(nil, fakeBinary, w.dir, i+1), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.lab = &Lab[*score]{Name: "test", Settings: set, Blank: func() *score { return &score{} }, Stdout: &bytes.Buffer{}, Env: os.Environ()}
	return w
}

// starts are the runs of the binaries, each as its score and its source.
func (w *world) starts() []string {
	raw, _ := os.ReadFile(filepath.Join(w.dir, "starts")) // absent before the first
	return strings.Fields(strings.ReplaceAll(string(raw), " ", ":"))
}

// compare returns the results as "source before after".
func (w *world) compare(t *testing.T, sources ...string) []string {
	t.Helper()
	pairs, err := w.lab.Compare(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, p := range pairs {
		list = append(list, fmt.Sprintf("%s %s%d %s%d", p.Source, p.Before.Error, p.Before.Score, p.After.Error, p.After.Score))
	}
	return list
}

func same(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What has a result is not run again; a line that was cut off has none.
func TestResultsAreKept(t *testing.T) {
	w := newWorld(t)
	same(t, []string{"a 1 2"}, w.compare(t, "a"))
	file, err := os.OpenFile(filepath.Join(w.lab.Work, ResultsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"source": "b", "bin`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	w.lab.Only = "b,c"
	same(t, []string{"b 1 2"}, w.compare(t, "a", "b"))
	w.lab.Only = ""
	same(t, []string{"a 1 2", "b 1 2"}, w.compare(t, "a", "b"))
	w.lab.Render = true
	same(t, []string{"b 1 2"}, w.compare(t, "b", "never run"))
	same(t, []string{"1:a", "2:a", "1:b", "2:b"}, w.starts())
}

// Another profile has results of its own, and so has the same binary as the other
// build.
func TestResultsBelongToOneWayToRun(t *testing.T) {
	w := newWorld(t)
	w.compare(t, "a")
	w.lab.Profile = "balanced"
	w.compare(t, "a")
	w.lab.After = w.lab.Before
	same(t, []string{"a 1 1"}, w.compare(t, "a"))
	same(t, []string{"1:a", "2:a", "1:a", "2:a", "1:a"}, w.starts())
}

func TestNoReportIsAResult(t *testing.T) {
	w := newWorld(t)
	const message = "mcpsf: there is no such package"
	for range 2 {
		same(t, []string{"gone " + message + "0 " + message + "0"}, w.compare(t, "gone"))
	}
	same(t, []string{"1:gone", "2:gone"}, w.starts())
}

func TestInterrupt(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil && len(w.starts()) < 3 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := w.lab.Compare(ctx, []string{"a", "slow"}); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v, want it to say that it was interrupted", err)
	}
	w.lab.Render = true
	same(t, []string{"a 1 2"}, w.compare(t, "a", "slow"))
}

func TestMissingBinary(t *testing.T) {
	w := newWorld(t)
	w.lab.After += "er"
	if _, err := w.lab.Compare(t.Context(), []string{"a"}); err == nil {
		t.Error("a binary that is not there counts as a result")
	}
}

func TestParse(t *testing.T) {
	var out bytes.Buffer
	for _, args := range [][]string{{}, {"-before", "x"}, {"-before", "x", "-after", "y", "z"}, {"-colour"}} {
		if err := (&Settings{}).Parse("test", args, &out); err == nil {
			t.Errorf("%q passes", args)
		}
	}
	set := &Settings{Profile: "safe", Work: "w"}
	if err := set.Parse("test", []string{"-before", "x", "-after", "y", "-work", "v"}, &out); err != nil || set.Profile != "safe" || set.Work != "v" {
		t.Errorf("%v, %+v", err, set)
	}
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	set := &Settings{}
	if err := set.Write("text", &out); err != nil || out.String() != "text" {
		t.Errorf("%v, %q", err, &out)
	}
	set.Page = filepath.Join(t.TempDir(), "page.md")
	if err := set.Write("text", &out); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(set.Page); err != nil || string(raw) != "text" {
		t.Errorf("%v, %q", err, raw)
	}
}

// A file with results stands for the binary that made them.
func TestRecordedResults(t *testing.T) {
	w := newWorld(t)
	want := w.compare(t, "one", "two")
	file := filepath.Join(w.dir, "kept.jsonl")
	if err := os.Rename(filepath.Join(w.lab.Work, ResultsFile), file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, linesOf(t, file, w.digest(t, w.lab.Before)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.lab.Before = file
	same(t, want, w.compare(t, "one", "two", "three"))
	same(t, []string{"1:one", "2:one", "1:two", "2:two", "2:one", "2:two", "2:three"}, w.starts())
	w.lab.Before = filepath.Join(w.dir, "absent.jsonl")
	if _, err := w.lab.Compare(t.Context(), []string{"one"}); err == nil {
		t.Error("a file that is not there is accepted")
	}
}

// linesOf are the lines of a file that contain a text.
func linesOf(t *testing.T, file, text string) []byte {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kept []byte
	for line := range bytes.Lines(raw) {
		if bytes.Contains(line, []byte(text)) {
			kept = append(kept, line...)
		}
	}
	return kept
}

func (w *world) digest(t *testing.T, file string) string {
	t.Helper()
	digest, err := digestOf(file)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}
