package assess

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

var programOf = regexp.MustCompile(`command-injection: .*\n- Proved if the program (\w+) runs`)

// clever is a model that knows one attack on one tool, and none on others.
func clever(t *testing.T) llm.Model {
	t.Helper()
	server := llmtest.OpenAI(t, func(r *llmtest.Request) llmtest.Answer {
		program := programOf.FindStringSubmatch(r.Last().Text)
		if program == nil || !strings.Contains(r.Last().Text, `"name":"label"`) {
			return llmtest.Say("No idea.")
		}
		args := `{"payloads":[{"class":"command-injection","place":"/spec","why":"only the name is checked","arguments":{"spec":"a@$(` + program[1] + `)"}}]}`
		return llmtest.Do(llmtest.Call{ID: "1", Name: "propose", Arguments: args})
	})
	m, err := llm.New(llm.Spec{Provider: "openai", Model: "some-model"}, &llm.Options{Key: "sk-test", BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestProposedShots(t *testing.T) {
	sess := &mcpsf.Session{
		Tools: []mcpsf.Tool{
			{Name: "label", InputSchema: json.RawMessage(`{"type":"object","properties":{"spec":{"type":"string"}},"required":["spec"]}`)},
			{Name: "note", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)},
		},
		Calls: []mcpsf.Call{{Method: "tools/call", Tool: "label", Status: mcpsf.CallOK, Arguments: json.RawMessage(`{"spec":"a@7"}`)}},
	}
	world := attack.New(1, "/srv")
	opts := &Options{Seed: 1, Profile: plan.Balanced, Models: Models{Payloads: clever(t)}}
	target := &attackTarget{session: sess, inputs: meaning.Values{Dir: "/srv"}, world: world}
	p := &parallelRun{server: &sandboxedServer{assessment: &assessment{opts: opts}}, ledger: &ledger{}, progress: progress.Silent{}}
	planned := attacks{planned: attackCalls(opts, sess, target.inputs, world, 500)}
	got := planned
	if err := p.propose(t.Context(), target, &got); err != nil || len(got.proposed) != 1 {
		t.Fatalf("%+v, %v", got.proposed, err)
	}
	one := got.proposed[0]
	if a := one.Attack; a.By != "openai/some-model" || a.Sign != mcpsf.SignExec || !strings.Contains(string(one.Arguments), a.Marker) || !slices.Contains(world.Programs(), a.Marker) {
		t.Errorf("%+v", one)
	}
	if gaps := p.ledger.gaps; len(gaps) != 1 || gaps[0].Text != "what openai/some-model would have tried on 1 of 2 tools: no answer of use" {
		t.Errorf("not seen: %+v", gaps)
	}
	if r := got.payloads; r == nil || r.Tools != 2 || r.Unanswered != 1 || r.Proposed != 1 || r.Calls != 1 || len(r.Lost) != 1 {
		t.Errorf("reported: %+v", r)
	}
	opts.Models.Payloads = nil
	if err := p.propose(t.Context(), target, &planned); len(planned.proposed) > 0 || err != nil {
		t.Errorf("nobody was asked: %+v, %v", planned.proposed, err)
	}
}
