package assesscmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
)

// Without --llm there is no model, whatever the environment contains.
func TestNoModelUnasked(t *testing.T) {
	getenv := func(name string) string {
		t.Errorf("%s was looked up", name)
		return "sk-real"
	}
	for _, f := range []modelFlags{{}, {agent: true}} {
		got, err := f.open(getenv, plan.Aggressive, &outputDir{})
		if err != nil {
			t.Fatal(err)
		}
		if m := got.judge; m != nil {
			t.Errorf("%+v: %s judges", f, m.Name())
		}
		for _, e := range got.agents {
			if e.Model != nil {
				t.Errorf("%+v: %s is asked", f, e.Model.Name())
			}
		}
		if got.payloads != nil {
			t.Errorf("%+v: %s is asked for payloads", f, got.payloads.Name())
		}
	}
}

// Payloads and agents share one budget and one record. The first user leaves
// part of the budget to the other.
func TestModelBudgetIsShared(t *testing.T) {
	provider := llmtest.Anthropic(t, llmtest.Steps(llmtest.Answer{Text: "x", In: 100, Out: 900}))
	f := &modelFlags{name: "anthropic/some@" + provider.URL, key: "sk-test", budget: "8k", runs: 1}
	seed := uint64(0)
	if err := f.prepare(&seed); err != nil {
		t.Fatal(err)
	}
	out := &outputDir{path: t.TempDir()}
	got, err := f.open(func(string) string { return "" }, plan.Balanced, out)
	if err != nil {
		t.Fatal(err)
	}
	asks := func(m llm.Model) (answered int) {
		for answered < 20 {
			if _, err := m.Ask(t.Context(), &llm.Ask{Purpose: "x", Turns: []llm.Turn{{Role: llm.User, Text: "y"}}}); err != nil {
				return answered
			}
			answered++
		}
		return answered
	}
	payloads, agents := asks(got.payloads), asks(got.agents[1].Model)
	if err := got.close(); err != nil {
		t.Fatal(err)
	}
	if used := f.left.Used().Tokens(); payloads != 4 || agents != 4 || used != 8000 {
		t.Errorf("%d asks for payloads, %d for agents, %d tokens of 8000", payloads, agents, used)
	}
	record, err := os.ReadFile(filepath.Join(out.path, recordName))
	if n := strings.Count(string(record), "\n"); err != nil || n != 10 {
		t.Errorf("the record has %d lines, %v; want 10, the two refusals among them", n, err)
	}
}

func TestModelFlags(t *testing.T) {
	for name, c := range map[string]struct {
		f    modelFlags
		want string
	}{
		"both":      {modelFlags{name: "local", replay: "x", budget: "1k", runs: 1}, "exclude each other"},
		"runs":      {modelFlags{name: "local", budget: "1k"}, "--llm-runs"},
		"budget":    {modelFlags{name: "local", budget: "much", runs: 1}, "budget"},
		"no report": {modelFlags{replay: "nowhere/models.jsonl", budget: "1k", runs: 1}, "--seed"},
	} {
		seed := uint64(0)
		if err := c.f.prepare(&seed); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
	if _, err := (&modelFlags{name: "gpt"}).open(func(string) string { return "" }, plan.Balanced, &outputDir{}); err == nil {
		t.Error("a model without a provider was taken")
	}
}
