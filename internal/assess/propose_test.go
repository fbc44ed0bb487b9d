//go:build linux

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
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

var programOf = regexp.MustCompile(`command-injection: .*\n- Proved if the program (\w+) runs`)

// clever is a model that knows one way into one tool, and says nothing of others.
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
	aim := attackplan.Plan{World: world, Values: schema.Values{Dir: "/srv"}, Seed: 1, Most: 500}
	made := aim.Calls(sess)
	st := &stage{opts: testOptions(t, ".", func(o *Options) { o.Profile, o.Payloads = Balanced, clever(t) })}
	more, err := st.proposed(t.Context(), sess, world, aim.Values, made)
	if err != nil || len(more) != 1 {
		t.Fatalf("%+v, %v", more, err)
	}
	if a := more[0].Attack; a.By != "openai/some-model" || a.Sign != mcpsf.SignExec || !strings.Contains(string(more[0].Arguments), a.Marker) || !slices.Contains(world.Programs(), a.Marker) {
		t.Errorf("%+v", more[0])
	}
	if len(st.undone) != 1 || st.undone[0] != "what openai/some-model would have tried on 1 of 2 tools: no answer of use" {
		t.Errorf("not seen: %q", st.undone)
	}
	if p := st.payloads; p == nil || p.Tools != 2 || p.Unanswered != 1 || p.Proposed != 1 || p.Calls != 1 || len(p.Lost) != 1 {
		t.Errorf("told: %+v", p)
	}
	st.opts.Payloads = nil
	if more, err := st.proposed(t.Context(), sess, world, aim.Values, made); len(more) > 0 || err != nil {
		t.Errorf("nobody was asked: %+v, %v", more, err)
	}
}

// A way in that no list of ours has is proved like the others.
func TestProposedPayloadIsProved(t *testing.T) {
	t.Parallel()
	const server = `
@tool
def label(spec):
    """Prints a label. The spec is NAME@SIZE."""
    name, at, size = spec.partition("@")
    if not at or name != "a": return "the spec is a@SIZE"
    return subprocess.run("echo " + size, shell=True, capture_output=True, text=True).stdout
`
	found := func(settings ...setting) string {
		r := pythonCase(t, server, append(settings, func(o *Options) { o.Profile = Balanced })...)
		for _, f := range r.Report.Findings {
			if f.ID == "os-command-injection" {
				return f.Message
			}
		}
		return ""
	}
	if nightly() {
		if got := found(); got != "" {
			t.Errorf("without a model: %s", got)
		}
	}
	if got := found(func(o *Options) { o.Payloads = clever(t) }); !strings.Contains(got, `(proposed by openai/some-model: "only the name is checked")`) {
		t.Errorf("with a model: %q", got)
	}
}
