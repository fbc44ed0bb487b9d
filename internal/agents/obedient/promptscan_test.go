package obedient

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
)

// fromPromptscan makes scenes from the test texts of
// internal/agents/promptscan, which others wrote.
func fromPromptscan(t testing.TB, file string) []scene {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []scene
	for part := range strings.SplitSeq("\n"+string(data), "\n=== ") {
		head, body, ok := strings.Cut(part, "\n")
		if !ok || head == "" {
			continue
		}
		c := scene{name: head, kit: "a", results: map[string][]llm.Result{}}
		of := "tool"
		for {
			if v, found := strings.CutPrefix(body, "of: "); found {
				of, body, _ = strings.Cut(v, "\n")
				continue
			}
			v, found := strings.CutPrefix(body, "want: ")
			if !found {
				break
			}
			_, body, _ = strings.Cut(v, "\n")
		}
		c.fill(strings.TrimSpace(body), of)
		out = append(out, c)
	}
	return out
}

func (c *scene) fill(body, of string) {
	var o struct {
		Name, Title, Description, Instructions, Text string
		InputSchema, OutputSchema, Meta              json.RawMessage
		Content, Contents                            []struct{ Text string }
		IsError                                      bool
		Messages                                     []struct{ Content struct{ Text string } }
	}
	if json.Unmarshal([]byte(body), &o) != nil {
		o.Name, o.Description = "example", body
	}
	tool := llm.Tool{Name: "example", Description: "An example.", Schema: json.RawMessage(`{"type":"object"}`)}
	switch of {
	case "tool":
		tool.Name, tool.Description = o.Name, strings.TrimSpace(o.Title+"\n"+o.Description)
		if len(o.InputSchema) > 0 {
			tool.Schema = o.InputSchema
		}
	case "result", "resource":
		r := llm.Result{Text: body, IsError: o.IsError}
		for _, p := range append(o.Content, o.Contents...) {
			r.Text = p.Text
		}
		c.results["example"] = []llm.Result{r}
	case "server":
		c.system = o.Instructions
	case "prompt":
		for _, m := range o.Messages {
			c.prompt = m.Content.Text
		}
	}
	c.tools = []llm.Tool{tool, {Name: "sync", Description: "Synchronises.", Schema: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}}}`)}}
	c.task = "Use the tool " + tool.Name + " with {}. Answer with the result."
}

// TestPromptscan logs what the agent does with those texts. It is for work on
// the grammar, and is run with PROMPTSCAN=tune or PROMPTSCAN=held.
func TestPromptscan(t *testing.T) {
	half := os.Getenv("PROMPTSCAN")
	if half == "" {
		t.Skip()
	}
	for _, kind := range []string{"attack", "benign"} {
		n := 0
		scenes := fromPromptscan(t, "../promptscan/testdata/"+half+"/"+kind+".txt")
		for i := range scenes {
			c := &scenes[i]
			k := c.play(t)
			wrong := c.wrong(k)
			for _, o := range k.orders {
				if o.Obeyed && o.Action != order.Silence && o.Action != order.Call {
					wrong = append(wrong, string(o.Action)+" "+o.What+" "+o.To)
				}
			}
			if len(wrong) > 0 {
				n++
			}
			if (len(wrong) > 0) != (kind == "attack") {
				t.Logf("%s %q: %v %s", kind, c.name, wrong, c.tools[0].Description)
			}
		}
		t.Logf("%s %s: %d of %d with an action", half, kind, n, len(scenes))
	}
}
