package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

const aws = "/home/dev/.aws/credentials"

func testScope() Scope { return Scope{Home: mcpsf.Home, WorkDir: mcpsf.WorkDir} }

func builtinSet(t testing.TB) *Set {
	t.Helper()
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func evaluate(t testing.TB, set *Set, events []mcpsf.Event, scope Scope) []mcpsf.Finding {
	t.Helper()
	for i := range events {
		if events[i].Seq == 0 {
			events[i].Seq = int64(i + 1)
		}
	}
	judged, err := set.Evaluate(events, nil, scope)
	if err != nil {
		t.Fatal(err)
	}
	return judged.Findings
}

func ids(findings []mcpsf.Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, f.ID)
	}
	return out
}

func request(call, tool, args string) mcpsf.Event {
	name, _ := json.Marshal(tool)
	body := fmt.Sprintf(`{"name":%s,"arguments":%s}`, name, args)
	return mcpsf.Event{
		Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: call,
		MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: tool, Body: json.RawMessage(body)},
	}
}

func decoyRead(call, kind, path string) mcpsf.Event {
	phase := mcpsf.PhaseDrive
	if call == "" {
		phase = mcpsf.PhaseStart
	}
	return mcpsf.Event{
		Kind: mcpsf.KindCanaryRead, Phase: phase, Call: call, PID: 1,
		Canary: &mcpsf.CanaryDetail{ID: "x-1", Kind: kind, Source: path, How: "open"},
	}
}

// One finding in full, as it is in the report.
func TestFinding(t *testing.T) {
	events := []mcpsf.Event{
		request("c1", "read_notes", `{"query": "a much longer query"}`),
		decoyRead("c1", "aws-credentials", aws),
		request("c2", "read_notes", `{"query": "x"}`),
		decoyRead("c2", "aws-credentials", aws),
		decoyRead("c2", "aws-credentials", aws),
	}
	events[4].Count = 3
	got := evaluate(t, builtinSet(t), events, testScope())
	if len(got) != 1 {
		t.Fatalf("findings %v", ids(got))
	}
	got[0].Remediation, got[0].Maps = "", mcpsf.Maps{}
	want := mcpsf.Finding{
		ID: "decoy-read", Title: "Decoy secret read", Category: mcpsf.CategoryBehaviour,
		Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved, Weight: 30,
		Message:  `read_notes read the decoy aws-credentials in ~/.aws/credentials; no argument and no configuration names it.`,
		Evidence: []int64{2, 4, 5}, Occurrences: 5, Phase: mcpsf.PhaseDrive, Call: "c1", Tool: "read_notes",
		Explanation: &mcpsf.Explanation{By: mcpsf.ByNobody, Reason: "no argument and no configuration names it"},
		Reproduce:   `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_notes","arguments":{"query":"x"}}}`,
		Fingerprint: got[0].Fingerprint,
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Error(diff)
	}
	if len(got[0].Fingerprint) != 16 {
		t.Errorf("fingerprint %q", got[0].Fingerprint)
	}
}

// The fingerprint and the order must not depend on what changes from run to
// run; the fingerprint must depend on the rest.
func TestFindingsAreStable(t *testing.T) {
	set := builtinSet(t)
	trace := func(first int64, pid int, call, log string) []mcpsf.Event {
		events := []mcpsf.Event{
			decoyRead("", "ssh-key", "/home/dev/.ssh/id_rsa"),
			{Kind: mcpsf.KindFileOpen, Phase: mcpsf.PhaseStart, File: &mcpsf.FileDetail{Path: log, Flags: "wc"}},
			request(call, "b", `{}`),
			decoyRead(call, "aws-credentials", aws),
			request(call+"2", "a", `{}`),
			decoyRead(call+"2", "aws-credentials", aws),
		}
		for i := range events {
			events[i].Seq, events[i].PID, events[i].T = first+int64(i), pid, float64(pid)
		}
		return events
	}
	prints := func(findings []mcpsf.Finding) []string {
		out := []string{}
		for _, f := range findings {
			out = append(out, f.ID+" "+f.Tool+" "+f.Fingerprint)
		}
		return out
	}
	one := evaluate(t, set, trace(1, 7, "c3", "/home/dev/logs/run-2025-01-31.log"), testScope())
	two := evaluate(t, set, trace(900, 44, "c8", "/home/dev/logs/run-2026-12-01.log"), testScope())
	if diff := cmp.Diff(prints(one), prints(two)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"decoy-read", "decoy-read", "decoy-read-at-start", "write-outside-own-folders"}, ids(one)); diff != "" {
		t.Error(diff)
	}
	if one[0].Tool != "a" || one[0].Fingerprint == one[1].Fingerprint {
		t.Errorf("order or fingerprints: %v", prints(one))
	}
}

func attackOn(call, tool, class, body string) mcpsf.Event {
	return mcpsf.Event{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseAttack, Call: call, MCP: &mcpsf.MCPDetail{
		Method: "tools/call", Tool: tool, Body: json.RawMessage(body), Attack: &mcpsf.AttackDetail{Class: class, Sign: mcpsf.SignAnswer},
	}}
}

// Without a call, the finding says to start the server; the handshake is not a call.
func TestReproduce(t *testing.T) {
	hello := mcpsf.Event{
		Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseStart, Call: "c1",
		MCP: &mcpsf.MCPDetail{Method: "initialize", Body: json.RawMessage(`{"protocolVersion":"x"}`)},
	}
	read := mcpsf.Event{
		Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: "c2",
		MCP: &mcpsf.MCPDetail{Method: "resources/read", Body: json.RawMessage(`{"uri": "notes://1"}`)},
	}
	tests := []struct {
		name   string
		events []mcpsf.Event
		want   string
	}{
		{"no call", []mcpsf.Event{decoyRead("", "ssh-key", aws)}, "start the server"},
		{"an agent", []mcpsf.Event{request("c4", "a", `{}`), {
			Kind: mcpsf.KindAgentAction, Phase: mcpsf.PhaseDrive, Call: "c4",
			Agent: &mcpsf.AgentDetail{Action: mcpsf.ActionTaken, What: "/home/dev/.netrc", Causes: []mcpsf.AgentCause{{Of: "tool", Name: "a"}}, Seen: 1, Runs: 1, RunsWithout: 1},
		}}, "have an agent use it, as conversations.jsonl has it"},
		{"handshake", []mcpsf.Event{hello, decoyRead("c1", "ssh-key", aws)}, "start the server"},
		{"resource", []mcpsf.Event{read, decoyRead("c2", "ssh-key", aws)}, `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"notes://1"}}`},
		{"what we told beside it", []mcpsf.Event{
			{Kind: mcpsf.KindMCPRequest, Call: "c5", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "a", Body: json.RawMessage(`{"name":"a","_meta":{"progressToken":3},"arguments":{"q":1}}`)}},
			decoyRead("c5", "ssh-key", aws),
		}, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{"q":1},"name":"a"}}`},
		{"an ordinary call rather than a shorter attack", []mcpsf.Event{
			request("c6", "a", `{"city":"Berlin"}`), decoyRead("c6", "ssh-key", aws),
			attackOn("c7", "a", "secret-in-error", `{"name":"a","arguments":{}}`), decoyRead("c7", "ssh-key", aws),
		}, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"city":"Berlin"}}}`},
		{"an odd message that was read with the question behind it", []mcpsf.Event{
			attackOn("c8", "a", mcpsf.ClassProtocol, `{"name":"a","arguments":{"x":1}}`),
			{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseAttack, Call: "c9", MCP: &mcpsf.MCPDetail{Method: "ping", Body: json.RawMessage(`{}`)}},
			decoyRead("c9", "ssh-key", aws),
		}, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"x":1}}}`},
		{"hostile name", []mcpsf.Event{request("c3", "a\x1b[2J", `{}`), decoyRead("c3", "ssh-key", aws)}, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a\u001b[2J","arguments":{}}}`},
		{"long", []mcpsf.Event{request("c4", "a", `{"x":"`+strings.Repeat("y", 2999)+`"}`), decoyRead("c4", "ssh-key", aws)}, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"x":"` + strings.Repeat("y", 2000-85) + "…"},
	}
	for _, tt := range tests {
		got := evaluate(t, builtinSet(t), tt.events, testScope())
		if len(got) != 1 || got[0].Reproduce != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// Hostile strings are quoted and short in messages, whatever they contain.
func TestMessagesAreHarmless(t *testing.T) {
	evil := "\x1b]0;owned\a\x1b[2J\r\n\u202e\u200b\xff{{.}}<script>" + strings.Repeat("A", 1<<20)
	events := []mcpsf.Event{
		{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseStart, PID: 1, Process: &mcpsf.ProcessDetail{Path: "/usr/bin/" + evil, Args: []string{evil}}},
		{
			Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: "c1",
			MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: evil, Body: json.RawMessage("{\"arguments\":{\"a\":\"\u202e" + strings.Repeat("B", 1000) + "\"}}")},
		},
		decoyRead("c1", evil, "/home/dev/"+evil),
		{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 2, Process: &mcpsf.ProcessDetail{Path: "/tmp/" + evil + "/sh", Args: []string{evil, evil}}},
		{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 2, Process: &mcpsf.ProcessDetail{Path: evil, Memory: true}},
		{Kind: mcpsf.KindFileOpen, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 2, File: &mcpsf.FileDetail{Path: "/srv/" + evil, Flags: "wc"}},
		{Kind: mcpsf.KindFileDelete, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 2, File: &mcpsf.FileDetail{Path: "/srv/d" + evil, CanaryKind: mcpsf.DecoyDocument}},
		{Kind: mcpsf.KindPrivilegeAttempt, Phase: mcpsf.PhaseDrive, Call: "c1", Privilege: &mcpsf.PrivilegeDetail{Syscall: evil, What: evil, Detail: evil, Error: evil}},
		{Kind: mcpsf.KindProbeSandbox, Phase: mcpsf.PhaseDrive, Call: "c1", Probe: &mcpsf.ProbeDetail{What: evil, Detail: evil}},
		{Kind: mcpsf.KindLimitHit, Phase: mcpsf.PhaseDrive, Call: "c1", Limit: &mcpsf.LimitDetail{Name: evil, Action: evil}},
		{Kind: mcpsf.KindNetConnect, Phase: mcpsf.PhaseDrive, Call: "c1", Net: &mcpsf.NetDetail{Family: evil, Address: evil, Port: 1, Error: evil}},
		{Kind: mcpsf.KindNetListen, Phase: mcpsf.PhaseDrive, Call: "c1", Net: &mcpsf.NetDetail{Family: evil, Address: evil}},
		{
			Kind: mcpsf.KindCanaryLeak, Phase: mcpsf.PhaseDrive, Call: "c1", Net: &mcpsf.NetDetail{Family: "ip4", Name: "\x1b[2J.example", Address: evil, Port: 1},
			Leak: &mcpsf.LeakDetail{ID: evil, Kind: evil, Source: evil, Channel: "http", Destination: evil, Part: evil, Chain: []string{evil, "base64"}},
		},
		{Kind: mcpsf.KindNetHTTP, Phase: mcpsf.PhaseInstall, Net: &mcpsf.NetDetail{Family: "http", Name: evil, Type: evil, Error: evil}},
		{
			Kind: mcpsf.KindNetHTTP, Phase: mcpsf.PhaseStart, Net: &mcpsf.NetDetail{Family: "ip4", Name: "\u202e.top", Port: 443},
			HTTP: &mcpsf.HTTPDetail{Method: "POST" + evil, URL: evil, Body: `{"to":"a@b.example ` + evil, Size: 9},
		},
		{Kind: mcpsf.KindNetTLS, Phase: mcpsf.PhaseStart, Net: &mcpsf.NetDetail{Family: "ip4"}, TLS: &mcpsf.TLSDetail{SNI: evil, Rejected: evil}},
		{Kind: mcpsf.KindNetFlow, Phase: mcpsf.PhaseStart, Net: &mcpsf.NetDetail{Family: "ip4", Address: "198.51.100.7"}, Flow: &mcpsf.FlowDetail{Service: evil, First: `"mining.` + evil, Sent: 1}},
		{Kind: mcpsf.KindExecProof, Phase: mcpsf.PhaseStart, ExecProof: &mcpsf.ExecProofDetail{What: "script", Source: evil, Detail: evil}},
		{Kind: mcpsf.KindEnvRead, Phase: mcpsf.PhaseStart, Env: &mcpsf.EnvDetail{Name: evil, Canary: evil}},
		{Kind: mcpsf.KindMCPMalformed, Phase: mcpsf.PhaseDrive, Call: "c1", MCP: &mcpsf.MCPDetail{Method: evil, Tool: evil}},
		{Kind: mcpsf.KindProcessExit, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 1, Process: &mcpsf.ProcessDetail{Signal: evil}},
	}
	findings := evaluate(t, builtinSet(t), events, testScope())
	if len(findings) < 10 {
		t.Errorf("only %v", ids(findings))
	}
	for _, f := range findings {
		for name, text := range map[string]string{"message": f.Message, "reproduce": f.Reproduce} {
			if len(text) > 4000 {
				t.Errorf("%s: the %s has %d bytes", f.ID, name, len(text))
			}
			if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }); i >= 0 {
				t.Errorf("%s: the %s is not printable: %q", f.ID, name, text[i:min(len(text), i+20)])
			}
		}
	}
}

// The report on a server with very many findings is bounded.
func TestFindingsAreBounded(t *testing.T) {
	var events []mcpsf.Event
	for i := range 20_000 {
		events = append(events, decoyRead("", "ssh-key", fmt.Sprintf("/home/dev/.ssh/%s", word(i))))
	}
	set, err := builtinSet(t).Only([]string{"decoy-*"})
	if err != nil {
		t.Fatal(err)
	}
	findings := evaluate(t, set, events, testScope())
	if len(findings) != maxGroups {
		t.Fatalf("%d findings", len(findings))
	}
	total := 0
	for _, f := range findings {
		total += f.Occurrences
		if len(f.Evidence) > maxEvidence {
			t.Errorf("%d events of evidence", len(f.Evidence))
		}
	}
	if total != len(events) {
		t.Errorf("%d occurrences of %d are told", total, len(events))
	}
	if last := findings[maxGroups-1].Message; !strings.Contains(last, "many more") {
		t.Errorf("the last does not say that there are more: %s", last)
	}
}

// word spells a number in letters, because Stable removes digits.
func word(i int) string {
	return strings.Map(func(r rune) rune { return 'g' + r - '0' }, fmt.Sprint(i))
}

// Events whose details are missing are possible in a damaged trace.
func TestEventsWithoutDetails(t *testing.T) {
	set := builtinSet(t)
	var events []mcpsf.Event
	for _, r := range set.Rules() {
		for _, k := range r.Kinds {
			events = append(events, mcpsf.Event{Kind: k}, mcpsf.Event{Kind: k, Call: "c1", PID: -1})
		}
	}
	events = append(events, mcpsf.Event{Kind: "something.new"}, mcpsf.Event{Kind: mcpsf.KindProcessFork, Process: &mcpsf.ProcessDetail{Child: -3}})
	evaluate(t, set, events, Scope{})
}

// A failed rule is reported as an error; the other rules continue.
func TestFailingRuleIsAnError(t *testing.T) {
	broken := strings.Replace(good, `Path == "/x"`, `Args[3] == "x"`, 1)
	set, err := loadText(broken)
	if err != nil {
		t.Fatal(err)
	}
	set.rules = append(set.rules, builtinSet(t).rules...)
	judged, err := set.Evaluate([]mcpsf.Event{
		{Seq: 1, Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/x"}},
		{Seq: 2, Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/srv/x", Flags: "w"}},
	}, nil, testScope())
	if err == nil || !strings.Contains(err.Error(), "rule sample failed on event 1") || strings.Contains(err.Error(), "event 2") {
		t.Errorf("error: %v", err)
	}
	if diff := cmp.Diff([]string{"write-outside-own-folders"}, ids(judged.Findings)); diff != "" {
		t.Error(diff)
	}
}

func TestEvaluateConcurrently(t *testing.T) {
	set := builtinSet(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := set.Test(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// A harmless Node server, from start to end, has no finding.
func TestQuietOnAGoodServer(t *testing.T) {
	file := func(call, path, flags string) mcpsf.Event {
		return mcpsf.Event{Kind: mcpsf.KindFileOpen, Phase: mcpsf.PhaseDrive, Call: call, PID: 1, File: &mcpsf.FileDetail{Path: path, Flags: flags}}
	}
	exec := func(call string, pid int, path string, args ...string) mcpsf.Event {
		return mcpsf.Event{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseDrive, Call: call, PID: pid, Process: &mcpsf.ProcessDetail{Path: path, Args: args}}
	}
	events := []mcpsf.Event{
		exec("", 1, "/usr/bin/env", "/usr/bin/env", "node", "/usr/bin/npx", "notes"),
		exec("", 1, "/usr/bin/node", "node", "/usr/bin/npx", "notes"),
		file("", "/etc/passwd", "r"), file("", "/home/dev/.gitconfig", "r"), file("", "/dev/null", "rw"),
		decoyRead("", "npm-token", "/home/dev/.npmrc"),
		file("", "/home/dev/.npm/_logs/2025-01-01T00_00_00_000Z-debug-0.log", "wc"),
		exec("", 3, "/usr/bin/dash", "sh", "-c", "notes"),
		exec("", 3, "/usr/bin/node", "node", "/home/dev/.npm/_npx/x/node_modules/.bin/notes"),
		{Kind: mcpsf.KindPrivilegeAttempt, Phase: mcpsf.PhaseStart, PID: 3, Privilege: &mcpsf.PrivilegeDetail{Syscall: "io_uring_setup", What: "bypass system calls", Error: "ENOSYS"}},
		request("c1", "add_note", `{"title":"a","file":"/home/dev/Documents/notes.md"}`),
		file("c1", "/home/dev/Documents/notes.md", "wc"), file("c1", "/tmp/notes-x", "wc"),
		request("c2", "git_log", `{"repo":"/home/dev/code/server"}`),
		exec("c2", 9, "/usr/bin/git", "git", "log"),
		{Kind: mcpsf.KindProcessExit, Phase: mcpsf.PhaseDrive, Call: "c2", PID: 9, Process: &mcpsf.ProcessDetail{Code: 128}},
		{Kind: mcpsf.KindMCPResponse, Phase: mcpsf.PhaseDrive, Call: "c2", MCP: &mcpsf.MCPDetail{Seconds: 0.1}},
		{Kind: mcpsf.KindProcessExit, Phase: mcpsf.PhaseStop, Call: "c2", PID: 1, Process: &mcpsf.ProcessDetail{Signal: "SIGTERM"}},
	}
	scope := testScope()
	scope.Command = []string{"npx", "notes"}
	var loud []string
	for _, f := range evaluate(t, builtinSet(t), events, scope) {
		if f.Severity != mcpsf.SeverityInfo {
			loud = append(loud, f.ID+": "+f.Message)
		}
	}
	if len(loud) > 0 {
		t.Errorf("findings:\n%s", strings.Join(loud, "\n"))
	}
}
