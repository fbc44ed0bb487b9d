package html

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// plainWords are words for tests: every event is loud but reads of system files.
func plainWords() Words {
	return Words{
		Clean:    func(s string) string { return strings.ToValidUTF8(strings.ReplaceAll(s, "\n", `\n`), "?") },
		Indent:   func(b []byte) string { return string(b) },
		Describe: func(e *mcpsf.Event) (string, string) { return string(e.Kind), strings.Join(argsOf(e), " ") },
		Loud:     func(e *mcpsf.Event) bool { return e.File == nil || !strings.HasPrefix(e.File.Path, "/usr/") },
		Size:     func(n int64) string { return fmt.Sprintf("%d B", n) },
		Seconds:  func(s float64) string { return fmt.Sprintf("%g s", s) },
		Spent:    func(u *mcpsf.ModelUsage) string { return fmt.Sprint(u.TokensIn+u.TokensOut, " tokens, $", *u.Dollars) },
		Amount:   func(n int64, unit string) string { return fmt.Sprint(n, unit) },
	}
}

func argsOf(e *mcpsf.Event) []string {
	if e.Process == nil {
		return nil
	}
	return e.Process.Args
}

func build(r *mcpsf.Report, events ...mcpsf.Event) *index {
	for i := range events {
		events[i].Seq = int64(i + 1)
	}
	run := &Run{Report: r, Events: events, Words: plainWords()}
	for _, f := range r.Findings {
		run.Findings = append(run.Findings, Block{Findings: []mcpsf.Finding{f}, Evidence: f.Evidence})
	}
	return newIndex(run)
}

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"plain", 10, "plain"},
		{"exactly 10", 10, "exactly 10"},
		{"more than 10", 10, "more than … [cut, 12 B in all]"},
		{"<<<<", 12, "<<… [cut, 4 B in all]"},
		{"äöü", 5, "äö… [cut, 6 B in all]"},
		{"a\nb", 6, "a… [cut, 3 B in all]"},
		{"", 5, ""},
	} {
		if got := plainWords().line(tt.in, tt.n); got != tt.want {
			t.Errorf("%q in %d is %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("plain", 10)
	f.Add("<&\"'\\+\xff\u202e\n", 7)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(max(n, 0), maxMessage)
		for _, got := range []string{plainWords().line(s, n), plainWords().lines(s, n), plainWords().json([]byte(s), n)} {
			before, _, _ := strings.Cut(got, "… [cut")
			if weigh(before) > n && utf8.ValidString(got) {
				t.Errorf("%q takes %d bytes, %d are allowed", before, weigh(before), n)
			}
		}
	})
}

func exec(pid, ppid int, args ...string) mcpsf.Event {
	return mcpsf.Event{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseDrive, PID: pid, PPID: ppid, Process: &mcpsf.ProcessDetail{Args: args}}
}

func fork(pid, child int) mcpsf.Event {
	return mcpsf.Event{Kind: mcpsf.KindProcessFork, Phase: mcpsf.PhaseDrive, PID: pid, Process: &mcpsf.ProcessDetail{Child: child}}
}

// outline writes a tree of processes as text.
func outline(nodes []*processNode, indent string) string {
	var s string
	for _, n := range nodes {
		s += fmt.Sprintf("%s%s x%d\n%s", indent, strings.Join(n.Programs, " then "), n.Times, outline(n.Children, indent+" "))
	}
	return s
}

func TestProcesses(t *testing.T) {
	start := mcpsf.Event{Kind: mcpsf.KindSandboxStart}
	got := processSection{build(&mcpsf.Report{},
		start, exec(1, 0, "server"), fork(1, 2), exec(2, 1, "sh"), exec(2, 1, "curl"), fork(1, 3), exec(3, 1, "ls"), fork(1, 4), exec(4, 1, "ls"),
		start, exec(1, 0, "server"), fork(1, 2), exec(2, 1, "other"),
	)}.processes()
	want := "server x1\n sh then curl x1\n ls x2\nserver x1\n other x1\n"
	if diff := cmp.Diff(want, outline(got.Roots, "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A chain of forks is drawn as deep as is readable; a fork bomb is counted.
func TestProcessesOfABomb(t *testing.T) {
	var chain, bomb []mcpsf.Event
	for i := range 3000 {
		chain = append(chain, fork(i+1, i+2), exec(i+2, i+1, fmt.Sprint("deep", i)))
		bomb = append(bomb, fork(1, i+2), exec(i+2, 1, fmt.Sprint("wide", i)))
	}
	for name, events := range map[string][]mcpsf.Event{"chain": chain, "bomb": bomb} {
		view := processSection{build(&mcpsf.Report{}, events...)}.processes()
		drawn, deepest := 0, 0
		var walk func(nodes []*processNode, depth int)
		walk = func(nodes []*processNode, depth int) {
			for _, n := range nodes {
				drawn++
				deepest = max(deepest, depth)
				walk(n.Children, depth+1)
			}
		}
		walk(view.Roots, 0)
		if drawn != maxProcesses || drawn+view.More != 3001 || deepest > maxDepth {
			t.Errorf("%s: %d drawn, %d more, %d deep", name, drawn, view.More, deepest)
		}
	}
}

func TestNetwork(t *testing.T) {
	traffic := func(call, name string, sent int64) mcpsf.Event {
		return mcpsf.Event{Kind: mcpsf.KindNetFlow, Call: call, Proc: "node",
			Net: &mcpsf.NetDetail{Family: "ip4", Name: name, Port: 443}, Flow: &mcpsf.FlowDetail{Service: "tls", Sent: sent, Received: 1}}
	}
	r := &mcpsf.Report{
		Session: mcpsf.Session{Calls: []mcpsf.Call{{ID: "c1", Method: "tools/call", Tool: "read"}, {ID: "c2", Method: "tools/list"}}},
		Accesses: []mcpsf.Access{
			{Kind: mcpsf.AccessHost, Tool: "read", Name: "a.example:443", Explanation: mcpsf.Explanation{By: mcpsf.ByNobody, Reason: "nothing names it"}},
			{Kind: mcpsf.AccessHost, Tool: "read", Name: "b.example:443", Explanation: mcpsf.Explanation{By: mcpsf.ByArgument, Reason: "the argument names it"}},
			{Kind: mcpsf.AccessHost, Name: "d.example:443", Explanation: mcpsf.Explanation{By: mcpsf.ByPurpose, Reason: "its domain"}},
		},
	}
	view := networkSection{build(r,
		traffic("c1", "b.example", 10), traffic("c1", "a.example", 5), traffic("c1", "a.example", 5), traffic("c1", "c.example", 7), traffic("c2", "d.example", 1),
		mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{Family: "dns", Name: "a.example", Port: 53}},
		mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{Family: "dns", Name: "never.example", Port: 53}},
		mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c3", MCP: &mcpsf.MCPDetail{Attack: &mcpsf.AttackDetail{Payload: "https://r2.mc1a2b3c4.example/"}}},
		mcpsf.Event{Kind: mcpsf.KindNetDNS, Call: "c3", Net: &mcpsf.NetDetail{Family: "dns", Name: "r2.mc1a2b3c4.example", Port: 53}},
		mcpsf.Event{Kind: mcpsf.KindCanaryLeak, Call: "c1", Leak: &mcpsf.LeakDetail{Source: "/secret", Destination: "c.example"}},
	)}.network()
	var got []string
	for _, r := range view.Rows {
		got = append(got, fmt.Sprint(r.Who, " ", r.Host, " ", r.Sent, " ", r.State, " ", r.Leaks))
	}
	want := []string{
		"read c.example:443 7 B attack [/secret]", "read a.example:443 10 B unexplained []",
		"read b.example:443 10 B explained []", "tools/list d.example:443 1 B explained []",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"never.example"}, view.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if len(view.Map.Left) != 2 || len(view.Map.Right) != 4 || len(view.Map.Lines) != 4 || view.Map.Height != 4*rowHeight {
		t.Errorf("the map is %+v", view.Map)
	}
}

func TestFiles(t *testing.T) {
	touch := func(kind mcpsf.Kind, path, errno string) mcpsf.Event {
		return mcpsf.Event{Kind: kind, File: &mcpsf.FileDetail{Path: path, Flags: "r", Error: errno}}
	}
	events := []mcpsf.Event{
		touch(mcpsf.KindFileOpen, "/usr/lib/a.so", ""), touch(mcpsf.KindFileOpen, "/usr/lib/b.so", ""), touch(mcpsf.KindFileOpen, "/gone", "ENOENT"),
		touch(mcpsf.KindFileDelete, "/home/dev/notes", ""), touch(mcpsf.KindFileOpen, "/home/dev/.ssh/id_rsa", ""),
		touch(mcpsf.KindFileOpen, strings.Repeat("/deep", 4000), ""), touch(mcpsf.KindFileOpen, "/", ""), touch(mcpsf.KindFileOpen, "memfd:x", ""),
	}
	events[4].File.CanaryKind = "ssh-key"
	for i := range 40 {
		events = append(events, touch(mcpsf.KindFileWrite, fmt.Sprintf("/tmp/%02d", i), ""))
	}
	view := filesSection{build(&mcpsf.Report{Findings: []mcpsf.Finding{{Severity: mcpsf.SeverityHigh, Evidence: []int64{5}}}}, events...)}.fileMap()
	var lines []string
	var walk func(nodes []*fileNode, indent string)
	walk = func(nodes []*fileNode, indent string) {
		for _, n := range nodes {
			var uses string
			for _, u := range n.Uses {
				uses += " " + u.Letter + u.Count
			}
			lines = append(lines, strings.TrimRight(fmt.Sprint(indent, clip(n.Name, 12), uses, " ", n.Decoy, " ", n.Level), " "))
			walk(n.Children, indent+" ")
			if n.Rest != "" {
				lines = append(lines, indent+" "+n.Rest)
			}
		}
	}
	walk(view.Roots, "")
	want := []string{"/home/dev", " .ssh/id_rsa R1 ssh-key high", " notes D1", "/ R1", "/deep/deep/d R1", "/tmp"}
	for i := range maxChildren {
		want = append(want, fmt.Sprintf(" %02d W1", i))
	}
	want = append(want, " and 26 more: written 26×", "/usr R2", "memfd:x R1")
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if view.Missing != "1" {
		t.Errorf("missing: %s", view.Missing)
	}
}

// Evidence comes first in the page's data.
func TestDataPrefersEvidence(t *testing.T) {
	events := make([]mcpsf.Event, maxEvents+500)
	for i := range events {
		events[i] = mcpsf.Event{Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/usr/x"}}
	}
	last := int64(len(events))
	events[last-2].File.Path = "/etc/shadow"
	d := dataSection{build(&mcpsf.Report{Findings: []mcpsf.Finding{{Severity: mcpsf.SeverityHigh, Evidence: []int64{last}}}}, events...)}.data(nil, 0)
	if len(d.Events) != maxEvents {
		t.Fatalf("%d events", len(d.Events))
	}
	for i, seq := range []int64{last - 1, last} {
		if got := d.Events[maxEvents-2+i][0]; got != seq {
			t.Errorf("event %v instead of %d", got, seq)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"./dir": "./dir", "@scope/name": "@scope/name", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "a\nb": "'a\nb'",
	} {
		if got := quote(in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

func TestCaveat(t *testing.T) {
	for _, tt := range []struct {
		action string
		advice []string
		rest   string
		others []string
	}{
		{"deploy", []string{`Deploy, but note what was not covered: the Internet and 2 more.`, "x"}, ", but note what was not covered: the Internet and 2 more", []string{"x"}},
		{"block", []string{"Block."}, "", []string{}},
		{"block", []string{"Replace every key."}, "", []string{"Replace every key."}},
		{"", []string{"x"}, "", []string{"x"}},
		{"block", nil, "", nil},
	} {
		rest, others := caveat(tt.action, tt.advice)
		if diff := cmp.Diff(tt.others, others); diff != "" || rest != tt.rest {
			t.Errorf("%q leaves %q and (-want +got):\n%s", tt.advice, rest, diff)
		}
	}
}
