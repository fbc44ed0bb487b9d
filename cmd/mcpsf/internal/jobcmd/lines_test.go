package jobcmd

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// The progress of an assessment arrives as lines of JSON. It is sent when it
// changes and never decreases; events are sent as whole lines, however they are
// written.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	w := &lineWriter{out: &out}
	w.Step("drive", "4 tools")
	w.Update("4 tools")
	w.Step("resolve", "")
	w.Warn("a\x1bb")
	open := w.Events(func(string) (io.WriteCloser, error) { return discard{io.Discard}, nil })
	f, err := open("run")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`{"se`, "q\":1}\n{\"seq\":2}\n", `{"seq":3`} {
		if _, err := io.WriteString(f, part); err != nil {
			t.Fatal(err)
		}
	}
	w.send(&job.Line{Done: &job.Result{Name: "x"}})
	want := `{"progress":{"percent":33,"step":"drive","text":"4 tools"}}
{"progress":{"percent":33,"step":"resolve"}}
{"note":"a\\u{1b}b"}
{"event":{"seq":1}}
{"event":{"seq":2}}
`
	got, last, _ := bytes.Cut(out.Bytes(), []byte(`{"done"`))
	if diff := cmp.Diff(want, string(got)); diff != "" || len(last) == 0 {
		t.Errorf("lines (-want +got):\n%s\nlast: %s", diff, last)
	}
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

func TestPercentOf(t *testing.T) {
	for _, tt := range []struct {
		step, text string
		want       int
	}{
		{"drive", "", 33},
		{"attack", "7 of 14 calls", 53},
		{"attack", "9 of 0", 46},
		{"attack", "9 of 3", 46},
		{"judge", "1 of 2", 98},
		{"unknown", "", 0},
	} {
		if got := percentOf(tt.step, tt.text); got != tt.want {
			t.Errorf("%s %q: %d, want %d", tt.step, tt.text, got, tt.want)
		}
	}
}

// Values of a request stand behind the name of their flag or behind "--".
func TestTaskArgs(t *testing.T) {
	seed := uint64(5)
	for name, tt := range map[string]struct {
		task job.Task
		want []string
	}{
		"a source": {
			job.Task{Output: "/o", Request: job.Request{Source: "npm:a", Profile: "safe", Detectors: []string{"--x"}, Args: []string{"--port", "1"}, Env: map[string]string{"B": "--y", "A": "1"}, Options: job.Options{Seed: &seed, CPUs: 2}}},
			[]string{"--output=/o", "--quiet", "--fail-on=never", "--executor=local", "--profile=safe", "--cpus=2", "--seed=5", "--env=A=1", "--env=B=--y", "--detectors=--x", "npm:a", "--", "--port", "1"},
		},
		"a scan of an archive": {
			job.Task{Output: "/o", Archive: "-x.tgz", AllowPrivate: true, Request: job.Request{Options: job.Options{ScanOnly: true, NoInstall: true, NoRepository: true, Image: "--i"}}},
			[]string{"--output=/o", "--quiet", "--fail-on=never", "--executor=local", "--no-install", "--no-repository", "--image=--i", "./-x.tgz"},
		},
	} {
		if diff := cmp.Diff(tt.want, taskArgs(&tt.task)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
