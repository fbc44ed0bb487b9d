package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// mortal is a server with tools that ends when answer returns false.
func mortal(tools []string, answer func(r rpc) bool) *process {
	var listed []string
	for _, name := range tools {
		listed = append(listed, `{"name":"`+name+`","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}`)
	}
	return start(func(p *process) {
		p.listen(func(r rpc) {
			result := results(r.Method)
			switch {
			case r.ID == nil:
				return
			case r.Method == "tools/list":
				result = `{"tools":[` + strings.Join(listed, ",") + `]}`
			case r.Method == "tools/call" && !answer(r):
				p.exit()
				return
			}
			io.WriteString(p.out, response(r.ID, result)+"\n")
		})
	})
}

// relay drives one start after another until nothing is left, and returns the calls
// of tools in each of them.
func relay(t *testing.T, opts *session.Options, next func(n int) *process) (calls [][]string, sessions []*mcpsf.Session) {
	t.Helper()
	opts.Earlier.Resume = &session.Resume{}
	for n := 0; ; n++ {
		s, _ := drive(t, next(n), opts)
		var made []string
		for _, c := range s.Calls {
			if c.Tool != "" {
				made = append(made, c.Tool)
			}
		}
		calls, sessions = append(calls, made), append(sessions, s)
		if !opts.Earlier.Resume.Broken() || !opts.Earlier.Resume.Again("") {
			return calls, sessions
		}
	}
}

func TestCrashIsNotTheEnd(t *testing.T) {
	opts := &session.Options{Inputs: session.Inputs{Rounds: 1}}
	calls, sessions := relay(t, opts, func(int) *process {
		return mortal([]string{"a", "b", "c", "d"}, func(r rpc) bool { return r.Params.Name != "b" })
	})
	if diff := cmp.Diff([][]string{{"a", "b"}, {"c", "d"}}, calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last := sessions[0].Calls[len(sessions[0].Calls)-1]; last.Tool != "b" || last.Status != mcpsf.CallCrashed {
		t.Errorf("the crash is recorded as %+v", last)
	}
	if opts.Earlier.Resume.Restarts() != 1 || opts.Earlier.Resume.Broken() {
		t.Errorf("%d restarts, broken: %t", opts.Earlier.Resume.Restarts(), opts.Earlier.Resume.Broken())
	}
}

// The input that crashed is not sent again; a tool that crashed with two inputs is
// left out. Both are said.
func TestCrashingCallsAreLeftOut(t *testing.T) {
	sent := map[string]int{}
	calls, sessions := relay(t, &session.Options{Inputs: session.Inputs{Rounds: 4, Words: func() []string { return []string{"sesame"} }}}, func(int) *process {
		return mortal([]string{"a", "b"}, func(r rpc) bool {
			sent[r.Params.Name+string(r.Params.Arguments)]++
			return r.Params.Name != "b"
		})
	})
	b, a := 0, 0
	for _, made := range slices.Concat(calls...) {
		if made == "b" {
			b++
		} else {
			a++
		}
	}
	if len(calls) != 3 || b != 2 || a < 5 {
		t.Errorf("%d starts, %d calls of the tool that crashes, %d of the other", len(calls), b, a)
	}
	for what, n := range sent {
		if strings.HasPrefix(what, "b") && n > 1 {
			t.Errorf("%s was sent %d times", what, n)
		}
	}
	left := sessions[2].Gaps
	if !slices.ContainsFunc(left, func(g mcpsf.Gap) bool { return g.Code == gap.CallsLeftOut && g.Count > 0 }) {
		t.Errorf("what was left out is not said: %v", left)
	}
}

func TestServerThatEndsAfterEachCall(t *testing.T) {
	opts := &session.Options{Inputs: session.Inputs{Rounds: 5}}
	tools := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	calls, sessions := relay(t, opts, func(int) *process { return mortal(tools, func(rpc) bool { return false }) })
	if diff := cmp.Diff([][]string{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}}, calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !opts.Earlier.Resume.Broken() || opts.Earlier.Resume.Restarts() != session.MaxRestarts {
		t.Errorf("%d restarts, broken: %t", opts.Earlier.Resume.Restarts(), opts.Earlier.Resume.Broken())
	}
	for n, s := range sessions {
		told := slices.ContainsFunc(s.Gaps, func(g mcpsf.Gap) bool { return g.Code == gap.NotResumed && g.Hides })
		if told != (n == session.MaxRestarts) {
			t.Errorf("start %d: gaps %v", n+1, s.Gaps)
		}
	}
}

// A server that lists nothing before it ends is not started again.
func TestServerThatEndsWhenItLists(t *testing.T) {
	starts := 0
	relay(t, &session.Options{}, func(int) *process {
		starts++
		return start(func(p *process) {
			p.listen(func(r rpc) {
				if r.Method != "initialize" {
					p.exit()
					return
				}
				io.WriteString(p.out, response(r.ID, helloResult)+"\n")
			})
		})
	})
	if starts != 1 {
		t.Errorf("%d starts", starts)
	}
}

// A call that the server was not there to read is made again; the one that it ended
// in is not.
func TestTheCulpritIsLeftOut(t *testing.T) {
	opts := &session.Options{Earlier: session.Earlier{Resume: &session.Resume{}}}
	serve := func() *process {
		return mortal([]string{"a", "b", "c"}, func(r rpc) bool { return r.Params.Name != "b" })
	}
	s, _ := drive(t, serve(), opts)
	var culprit string
	for _, c := range s.Calls {
		if c.Tool == "a" {
			culprit = c.ID
		}
	}
	if !opts.Earlier.Resume.Again(culprit) {
		t.Fatal("not started again")
	}
	s, _ = drive(t, serve(), opts)
	if got := statuses(s); !strings.Contains(got, "tools/call crashed") || strings.Contains(got, "tools/call ok") {
		t.Errorf("second start: %s", got)
	}
	if !opts.Earlier.Resume.Again(s.Calls[0].ID) { // whatever is said: it was the last call twice
		t.Fatal("not started again")
	}
	s, _ = drive(t, serve(), opts)
	if got := statuses(s); strings.Contains(got, "crashed") || strings.Count(got, "tools/call ok") != 1 || opts.Earlier.Resume.Broken() {
		t.Errorf("third start: %s", got)
	}
}

// What a tool taught before another one crashed holds afterwards.
func TestLearnedStaysAfterACrash(t *testing.T) {
	var after []string
	_, sessions := relay(t, &session.Options{Inputs: session.Inputs{Rounds: 2}}, func(n int) *process {
		return start(func(p *process) {
			p.listen(func(r rpc) {
				switch {
				case r.ID == nil:
				case r.Method == "tools/list":
					p.write("%s\n", response(r.ID, `{"tools":[{"name":"pick","inputSchema":{"type":"object"}},{"name":"quit","inputSchema":{"type":"object"}}]}`))
				case r.Params.Name == "quit":
					p.exit()
				case r.Method == "tools/call" && !strings.Contains(string(r.Params.Arguments), "mode"):
					p.write("%s\n", response(r.ID, `{"isError":true,"content":[{"type":"text","text":"mode is required and must be one of ['all']"}]}`))
				default:
					if r.Method == "tools/call" && n > 0 {
						after = append(after, string(r.Params.Arguments))
					}
					p.write("%s\n", response(r.ID, results(r.Method)))
				}
			})
		})
	})
	if len(sessions) != 2 || len(after) == 0 || !strings.Contains(after[0], `"mode":"all"`) {
		t.Errorf("%d starts; calls after the crash: %q", len(sessions), after)
	}
	if got := statuses(sessions[1]); strings.Contains(got, "refused") {
		t.Errorf("the tool had to say it again: %s", got)
	}
}

// A start after a crash is judged as any other start: tools that changed are told.
func TestChangesAfterACrash(t *testing.T) {
	opts := &session.Options{Earlier: session.Earlier{Resume: &session.Resume{}}}
	drive(t, mortal([]string{"a", "b"}, func(rpc) bool { return false }), opts)
	if !opts.Earlier.Resume.Again("") {
		t.Fatal("not started again")
	}
	_, tap := drive(t, mortal([]string{"a", "c"}, func(rpc) bool { return true }), opts)
	var told []string
	for _, c := range tap.changes {
		told = append(told, fmt.Sprint(c.Name, " ", c.Since))
	}
	if diff := cmp.Diff([]string{"b restart", "c restart"}, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An agent whose call took the server down is told so when it makes it again.
func TestAgentAfterACrash(t *testing.T) {
	input := schema.Input{JSON: json.RawMessage(`{"query":"x"}`)}
	opts := &session.Options{Earlier: session.Earlier{Resume: &session.Resume{}}}
	var got []session.Result
	opts.Instead.Agent = func(ctx context.Context, c *session.AgentClient) error {
		for _, tool := range []string{"a", "b"} {
			r, err := c.Call(ctx, tool, input)
			if c.Gone() != (err != nil) {
				t.Errorf("gone is %t with error %v", c.Gone(), err)
			}
			if err != nil {
				return nil
			}
			got = append(got, r)
		}
		return nil
	}
	sent := 0
	for range 2 {
		drive(t, mortal([]string{"a", "b"}, func(r rpc) bool { sent++; return r.Params.Name != "a" }), opts)
		if opts.Earlier.Resume.Broken() && !opts.Earlier.Resume.Again("") {
			t.Fatal("not started again")
		}
	}
	if len(got) != 2 || !got[0].Failed || !strings.Contains(got[0].Text, "Connection closed") || got[1].Failed || sent != 2 {
		t.Errorf("%d calls, results %+v", sent, got)
	}
	other := &session.Options{Earlier: session.Earlier{Resume: opts.Earlier.Resume.LeavingOut()}, Instead: opts.Instead}
	got = nil
	drive(t, mortal([]string{"a", "b"}, func(r rpc) bool { return r.Params.Name != "a" }), other)
	if len(got) != 2 || other.Earlier.Resume.Broken() {
		t.Errorf("another session: %+v", got)
	}
}
