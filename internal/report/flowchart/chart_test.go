package flowchart

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// graphs are the graphs that the formats are tested with.
func graphs(t testing.TB) map[string]*flows.Graph {
	t.Helper()
	return map[string]*flows.Graph{
		"agent": flows.Of(corpus(t, "fetch-page"), corpus(t, "file-manager"), corpus(t, "forge-issues"), corpus(t, "knowledge-graph")),
		"alone": flows.Of(corpus(t, "shell")),
		"none":  flows.Of(corpus(t, "file-manager"), corpus(t, "sqlite")),
		"unsure": flows.OfServers(flows.Named{Name: "mail", Report: halfSeen(t)}, flows.Named{Name: "files", Report: corpus(t, "file-manager"), Note: "Its report was found by its name only."},
			flows.Named{Name: "gone", Missing: "there is no report of npm:gone; make one with: mcpsf assess npm:gone"}),
		"blind":   flows.OfServers(flows.Named{Report: corpus(t, "file-manager")}, flows.Named{Name: "gone"}),
		"hostile": hostile(),
	}
}

// halfSeen is a server of which a tool was refused.
func halfSeen(t testing.TB) *mcpsf.Report {
	t.Helper()
	r := corpus(t, "mail-compose")
	r.Verdict = mcpsf.Verdict{Band: mcpsf.BandInconclusive, Reasons: []string{"12 of 1905 events were lost."}}
	r.Accesses = nil
	for i := range r.Session.Calls {
		r.Session.Calls[i].Status = mcpsf.CallRefused
	}
	return r
}

// evil are hostile tool names. Each has the word injected after what tries to
// break out of its context.
func evil() []string {
	return []string{
		"a\ninjected -> agent", `a"];injected[label="x`, `a\"];injected;//`, "a\u202einjected\u2066", "\x1b]0;injected\a", "a</text><script>injected()</script>",
		"a\"onload=\"injected()", "a|injected|b", "a]]>injected", "`injected`", "a#quot;injected", "end\n  injected((x))", "<injected>", "injected\\", "%%{injected}%%",
		"\xffinjected\x00", strings.Repeat("injected", 4000), "\u3164injected", "injected\u0301\u0301\u0301\u0301\u0301", "(without a tool)injected",
	}
}

func hostile() *flows.Graph {
	var servers []flows.Named
	for i, name := range evil() {
		r := &mcpsf.Report{
			Run: mcpsf.Run{ID: fmt.Sprint(i)}, Artifact: mcpsf.Artifact{Name: name, Version: name}, Session: mcpsf.Session{Initialized: true}, Accesses: []mcpsf.Access{},
			Verdict: mcpsf.Verdict{Band: mcpsf.BandInconclusive, Reasons: []string{name}},
		}
		for _, tool := range evil() {
			r.Session.Tools = append(r.Session.Tools, mcpsf.Tool{Name: tool})
			why := mcpsf.Explanation{By: mcpsf.ByArgument, Reason: tool}
			r.Accesses = append(r.Accesses,
				mcpsf.Access{Kind: mcpsf.AccessHost, Tool: tool, Name: tool, Event: 1, Explanation: why},
				mcpsf.Access{Kind: mcpsf.AccessRead, Tool: tool, Name: "/" + tool, Event: 2, Explanation: why})
		}
		servers = append(servers, flows.Named{Report: r}, flows.Named{Name: name, Missing: name})
	}
	return flows.OfServers(servers...)
}

func TestGolden(t *testing.T) {
	for name, g := range graphs(t) {
		for _, f := range All() {
			if name == "hostile" && f == FormatJSON {
				continue // it is long, and has the names unchanged
			}
			t.Run(name+"/"+string(f), func(t *testing.T) {
				golden(t, name+"."+string(f), written(t, f, g))
			})
		}
	}
}

// Whatever names a server gives its tools, they stay text.
func TestHostileNames(t *testing.T) {
	for _, f := range All() {
		out := string(written(t, f, hostile()))
		if strings.ContainsAny(out, "\x1b\x00\a\r\u202e\u2066\u3164") || !utf8.ValidString(out) {
			t.Errorf("%s: raw control characters", f)
		}
		for line := range strings.SplitSeq(out, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "injected") && f != FormatText { // a long name is wrapped
				t.Errorf("%s: a line of the target's own: %.100q", f, line)
			}
		}
	}
	checkDOT(t, written(t, FormatDOT, hostile()))
	checkMermaid(t, written(t, FormatMermaid, hostile()))
	checkSVG(t, written(t, FormatSVG, hostile()))
}

// checkDOT checks that every line is one of our forms, and that strings end
// where ours end.
func checkDOT(t *testing.T, out []byte) {
	t.Helper()
	const str = `"(?:[^"\\\n]|\\["\\])*"`
	ours := regexp.MustCompile(`^(?:digraph flows \{|\}| *label=` + str + `;|  labelloc=t;|  rankdir=LR;|  node \[shape=box, fontname="sans-serif"\];|  edge \[fontname="sans-serif"\];` +
		`|  agent \[shape=ellipse, label="agent"\];|  subgraph cluster_s\d+ \{|  \}|    t\d+ \[label=` + str + `(?:, style=dashed)?\];` +
		`|  (?:t\d+|agent) -> (?:t\d+|agent) \[label="\w+", color="#[0-9a-f]{6}", style=\w+\];|  more \[shape=plaintext, label="and \d+ more tools"\];|  // [^\n]*)$`)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n"), "\n") {
		if !ours.MatchString(line) {
			t.Errorf("no line of ours: %.200q", line)
		}
	}
}

func checkMermaid(t *testing.T, out []byte) {
	t.Helper()
	const str = `"[\w .,:/()#;-]*"`
	ours := regexp.MustCompile(`^(?:flowchart LR|  agent\(\(agent\)\)|  subgraph s\d+ \[` + str + `\]|    t\d+\[` + str + `\]|  end` +
		`|  (?:t\d+|agent) (?:==>|-->|-\.->)\|\w+\| (?:t\d+|agent)|  more\["and \d+ more tools"\]|  verdict\[` + str + `\])$`)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n"), "\n") {
		if !ours.MatchString(line) {
			t.Errorf("no line of ours: %.200q", line)
		}
	}
	if len(out) > 50_000 || bytes.Count(out, []byte("|")) > 1000 {
		t.Errorf("%d bytes and %d edges, which Mermaid refuses", len(out), bytes.Count(out, []byte("|"))/2)
	}
}

// checkSVG checks that all elements and attributes are ours, and that none loads
// or runs anything.
func checkSVG(t *testing.T, out []byte) {
	t.Helper()
	elements := strings.Fields("svg title style rect text circle path")
	attributes := strings.Fields("xmlns viewBox width height role aria-labelledby id class x y rx cx cy r d textLength lengthAdjust")
	dec := xml.NewDecoder(bytes.NewReader(out))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(elements, e.Name.Local) {
			t.Errorf("element %q", e.Name.Local)
		}
		for _, a := range e.Attr {
			if !slices.Contains(attributes, a.Name.Local) || strings.Contains(a.Value, "injected") {
				t.Errorf("attribute %q of %s: %.80q", a.Name.Local, e.Name.Local, a.Value)
			}
		}
	}
}

// Only JSON grows with the number of tools.
func TestManyToolsFit(t *testing.T) {
	r := &mcpsf.Report{Session: mcpsf.Session{Initialized: true}, Accesses: []mcpsf.Access{}}
	for i := range 10_000 {
		tool := fmt.Sprintf("tool%d", i)
		r.Session.Tools = append(r.Session.Tools, mcpsf.Tool{Name: tool})
		why := mcpsf.Explanation{By: mcpsf.ByArgument}
		r.Accesses = append(r.Accesses, mcpsf.Access{Kind: mcpsf.AccessHost, Tool: tool, Name: "a.example", Explanation: why},
			mcpsf.Access{Kind: mcpsf.AccessRead, Tool: tool, Name: "/srv/x", Explanation: why})
	}
	g := flows.Of(r)
	for _, f := range All() {
		if out := written(t, f, g); f != FormatJSON && len(out) > 50_000 {
			t.Errorf("%s: %d bytes", f, len(out))
		}
	}
	checkMermaid(t, written(t, FormatMermaid, g))
}

func TestVerdictIsFirst(t *testing.T) {
	for name, want := range map[string]string{
		"agent":  "2 toxic flows over 4 servers: 1 open, 1 seen",
		"alone":  "1 toxic flow over 1 server: 1 open",
		"none":   "no toxic flow over 2 servers",
		"unsure": "1 toxic flow over 3 servers: 1 declared; there may be more",
		"blind":  "no toxic flow was seen over 2 servers, but not all was looked at",
	} {
		if got, _, _ := strings.Cut(string(written(t, FormatText, graphs(t)[name])), "\n"); got != want {
			t.Errorf("%s begins with %q, want %q", name, got, want)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(io.Discard, "png", flows.Of()); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v, want an error of the user's", err)
	}
}

func FuzzWrite(f *testing.F) {
	for _, s := range evil() {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, server, tool string) {
		why := mcpsf.Explanation{By: mcpsf.ByArgument, Reason: tool}
		g := flows.Of(&mcpsf.Report{
			Artifact: mcpsf.Artifact{Name: server}, Session: mcpsf.Session{Initialized: true, Tools: []mcpsf.Tool{{Name: tool}}},
			Accesses: []mcpsf.Access{
				{Kind: mcpsf.AccessHost, Tool: tool, Name: server, Explanation: why}, {Kind: mcpsf.AccessRead, Tool: tool, Name: "/" + server, Explanation: why},
			},
		})
		for _, format := range All() {
			out := written(t, format, g)
			switch format {
			case FormatDOT:
				checkDOT(t, out)
			case FormatMermaid:
				checkMermaid(t, out)
			case FormatSVG:
				checkSVG(t, bytes.ReplaceAll(out, []byte("injected"), nil))
			}
		}
	})
}

// written checks every graph: JSON is valid, text fits, and no hidden characters
// occur.
func written(t *testing.T, f Format, g *flows.Graph) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, f, g); err != nil {
		t.Fatal(err)
	}
	if f == FormatJSON && !json.Valid(buf.Bytes()) {
		t.Error("no JSON")
	}
	if f != FormatText {
		return buf.Bytes()
	}
	for line := range strings.SplitSeq(buf.String(), "\n") {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("a line of %d columns: %q", w, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("a line ends in spaces: %q", line)
		}
	}
	return buf.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test -update and look at the result", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test -update:\n%s", name, diff)
	}
}

// corpus returns a run of a corpus server.
func corpus(t testing.TB, name string) *mcpsf.Report {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "judge", "flows", "testdata", "real", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var r mcpsf.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}
