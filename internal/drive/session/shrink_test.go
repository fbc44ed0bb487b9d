package session_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// weak is a server for which works reports whether a call has an effect. It
// returns the arguments of the attack calls; the last one is the shortest.
func weak(t *testing.T, call attackplan.AttackCall, most int, works func(args map[string]string) bool) (made []string, calls int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		shown := map[string]bool{}
		p := scripted(func(r rpc, usual string) string {
			var args map[string]string
			if r.Method == "tools/call" && json.Unmarshal(r.Params.Arguments, &args) == nil {
				shown["c"+string(r.ID)] = works(args)
			}
			return usual
		})
		k := &session.Shrinking{
			Calls: []attackplan.AttackCall{call}, Most: most,
			Shown: func(_ context.Context, _ *mcpsf.AttackDetail, call string) bool { return shown[call] },
		}
		_, tap := drive(t, p, &session.Options{Instead: session.Instead{Shrinking: k}, Timing: session.Timing{CallTimeout: time.Second}})
		for _, m := range tap.of(mcpsf.Stdin, mcpsf.MessageRequest) {
			if m.Attack == nil {
				continue
			}
			calls++
			if m.Attack.Class == call.Attack.Class {
				var params struct{ Arguments json.RawMessage }
				if err := json.Unmarshal(m.Body, &params); err != nil {
					t.Fatal(err)
				}
				made = append(made, string(params.Arguments))
			}
		}
	})
	return made, calls
}

// A payload inside a text is shortened there; the other members stay.
func TestShrinkInsideAText(t *testing.T) {
	call := attackplan.AttackCall{
		Tool: "echo", Arguments: json.RawMessage(`{"filter":"{\"author\":\"first\\\"; mcq7 --now #\",\"n\":1}","limit":"10"}`),
		Attack: mcpsf.AttackDetail{Class: "command-injection", Place: "/filter#/author", Payload: `first"; mcq7 --now #`, Sign: mcpsf.SignExec, Marker: "mcq7"},
	}
	made, _ := weak(t, call, 100, func(a map[string]string) bool {
		var filter struct{ Author string }
		return json.Unmarshal([]byte(a["filter"]), &filter) == nil && strings.Contains(filter.Author, `";`) && strings.Contains(filter.Author, "mcq7")
	})
	if diff := cmp.Diff([]string{`{"filter":"{\"author\":\"\\\";mcq7\",\"n\":1}"}`}, made); diff != "" {
		t.Error(diff)
	}
}

func TestShrink(t *testing.T) {
	const payload = `first"; /usr/local/bin/mcq7 --now #`
	args := map[string]string{"query": payload, "limit": "10", "format": "short"}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	call := attackplan.AttackCall{Tool: "echo", Arguments: raw, Attack: mcpsf.AttackDetail{
		Class: "command-injection", Place: "/query", Payload: payload, Sign: mcpsf.SignExec, Marker: "mcq7",
	}}
	runs := func(q string) bool { return strings.Contains(q, `";`) && strings.Contains(q, "mcq7") }
	for _, tt := range []struct {
		name  string
		most  int
		works func(map[string]string) bool
		want  []string
	}{
		{"only the argument that matters", 100, func(a map[string]string) bool { return runs(a["query"]) }, []string{`{"query":"\";mcq7"}`}},
		{"another one is needed, too", 100, func(a map[string]string) bool { return runs(a["query"]) && a["format"] == "short" }, []string{`{"format":"short","query":"\";mcq7"}`}},
		{"nothing can go", 100, func(a map[string]string) bool { return a["query"] == payload && len(a) == 3 }, nil},
		{"it does not work again", 100, func(map[string]string) bool { return false }, nil},
		{"few calls may be made", 2, func(a map[string]string) bool { return runs(a["query"]) }, []string{`{"query":"first\"; /usr/local/bin/mcq7 --now #"}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			made, calls := weak(t, call, tt.most, tt.works)
			if diff := cmp.Diff(tt.want, made); diff != "" {
				t.Errorf("the shortest (-want +got):\n%s", diff)
			}
			if calls > tt.most+1 {
				t.Errorf("%d calls were made", calls)
			}
		})
	}
}
