package session_test

import (
	"bufio"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// sturdy is a server that survives everything, except where odd handles a line:
// it returns false to end the server.
func sturdy(odd func(p *process, line string) bool) *process {
	return start(func(p *process) {
		lines := bufio.NewReaderSize(p.in, 1<<20)
		for {
			line, err := lines.ReadString('\n')
			if err != nil || odd != nil && !odd(p, line) {
				return
			}
			var r rpc
			if json.Unmarshal([]byte(line), &r) != nil {
				p.write(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}` + "\n")
				continue
			}
			if r.ID != nil && r.Method != "" && json.Valid(r.ID) && r.ID[0] != '{' {
				result := results(r.Method)
				if result == "" {
					result = `{}`
				}
				p.write("%s\n", response(r.ID, result))
			}
		}
	})
}

func barrage() *session.Fuzzing {
	all := fuzz.All([]fuzz.Target{{Tool: "echo", Arguments: json.RawMessage(`{"text":"hello"}`)}})
	return &session.Fuzzing{Messages: all, Limit: 5 * time.Second}
}

func outcomes(b *session.Fuzzing) map[string]session.Outcome {
	got := map[string]session.Outcome{}
	for i, try := range b.Tries {
		got[b.Messages[i].Why] = try.Outcome
	}
	return got
}

func TestBarrageSurvived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := barrage()
		s, tap := drive(t, sturdy(nil), &session.Options{Instead: session.Instead{Fuzzing: b}, FirstCall: 10})
		if len(b.Tries) != len(b.Messages) || b.Last().Outcome.Disruption() || s.Closed != "orderly" {
			t.Fatalf("%d of %d were sent, the last was %s, %s", len(b.Tries), len(b.Messages), b.Last().Outcome, s.Closed)
		}
		got := outcomes(b)
		want := map[string]session.Outcome{
			"half a message": session.Refused, "an id that is an object": session.Ignored, "no arguments": session.Answered,
		}
		for why, outcome := range want {
			if got[why] != outcome {
				t.Errorf("%s: %s, not %s", why, got[why], outcome)
			}
		}
		sent := tap.of(mcpsf.Stdin, mcpsf.MessageRequest)
		odd := slices.DeleteFunc(slices.Clone(sent), func(m mcpsf.Message) bool { return m.Attack == nil })
		if len(odd) != len(b.Messages) || odd[0].Call != b.Tries[0].Call || odd[0].Attack.Class != mcpsf.ClassProtocol {
			t.Errorf("%d odd messages were told", len(odd))
		}
		for _, m := range odd {
			if n := strings.Count(string(m.Body), "["); n > 100 && m.Body[0] != '"' {
				t.Errorf("%s: the trace is as deep as the message", m.Attack.Why)
			}
		}
		if len(s.Calls) != len(sent) || s.Calls[len(s.Calls)-1].ID != sent[len(sent)-1].Call {
			t.Errorf("%d calls were recorded, %d sent", len(s.Calls), len(sent))
		}
	})
}

func TestBarrageDisrupts(t *testing.T) {
	const notJSON = "{\n"
	for _, tt := range []struct {
		name string
		odd  func(p *process, line string) bool
		why  string
		want session.Outcome
	}{
		{"ends", func(_ *process, line string) bool { return line != notJSON }, "half a message", session.Ended},
		{"waits for ever", func(p *process, line string) bool {
			if line == notJSON {
				<-p.killed
			}
			return true
		}, "half a message", session.Hung},
		{"ends before the handshake", func(_ *process, line string) bool {
			return !strings.Contains(line, `"id":1,"method":"tools/call"`)
		}, "a tool is called before initialize", session.Ended},
		{"is silent from before the handshake", func(p *process, line string) bool {
			if strings.Contains(line, `"id":1,"method":"tools/call"`) {
				<-p.killed
			}
			return true
		}, "a tool is called before initialize", session.Hung},
		{"ends behind a long message", func(_ *process, line string) bool { return len(line) < 2<<20 }, "a text of 4194304 characters", session.Ended},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := barrage()
				b.Messages = slices.DeleteFunc(b.Messages, func(m fuzz.Message) bool { return m.Early && m.Why != tt.why })
				drive(t, sturdy(tt.odd), &session.Options{Instead: session.Instead{Fuzzing: b}})
				if last := b.Last(); last == nil || last.Outcome != tt.want || b.Messages[len(b.Tries)-1].Why != tt.why {
					t.Errorf("%+v by %s", b.Last(), b.Messages[max(0, len(b.Tries)-1)].Why)
				}
			})
		})
	}
}

// A server without ping is asked for its tools; one that answers nothing gets
// no messages.
func TestLifeSign(t *testing.T) {
	for _, tt := range []struct {
		name         string
		mute         []string
		unresponsive bool
		disrupted    bool
	}{
		{"does not know ping", []string{`"ping"`}, false, false},
		{"answers nothing", []string{`"ping"`, `"tools/list"`}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := scripted(func(r rpc, usual string) string {
					if slices.Contains(tt.mute, `"`+r.Method+`"`) {
						return ""
					}
					return usual
				})
				b := &session.Fuzzing{Messages: fuzz.Balanced(barrage().Messages)[1:4], Limit: time.Second}
				drive(t, p, &session.Options{Instead: session.Instead{Fuzzing: b}})
				if b.Unresponsive != tt.unresponsive || (len(b.Tries) == 0) != tt.unresponsive || !tt.unresponsive && b.Last().Outcome.Disruption() {
					t.Errorf("unresponsive %v, %+v", b.Unresponsive, b.Tries)
				}
			})
		})
	}
}

func TestBarrageEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := barrage()
		b.Until = time.Now().Add(time.Second) // every ignored message takes a while
		s, _ := drive(t, sturdy(nil), &session.Options{Instead: session.Instead{Fuzzing: b}})
		if n := len(b.Tries); n == 0 || n == len(b.Messages) || s.Closed != "orderly" {
			t.Errorf("%d of %d were sent, then %s", n, len(b.Messages), s.Closed)
		}
	})
}

// A message sent in pieces arrives as one.
func TestPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := barrage()
		b.Messages = slices.DeleteFunc(b.Messages, func(m fuzz.Message) bool { return len(m.Cuts()) == 0 })
		var got []string
		drive(t, sturdy(func(_ *process, line string) bool {
			got = append(got, line)
			return true
		}), &session.Options{Instead: session.Instead{Fuzzing: b}})
		want := string(b.Messages[0].Wire(3)) + "\n"
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
		if diff := cmp.Diff([]session.Outcome{session.Answered}, []session.Outcome{b.Tries[0].Outcome}); diff != "" {
			t.Error(diff)
		}
	})
}
