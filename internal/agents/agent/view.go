package agent

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Names of the tools by which an agent gets at what is no tool.
const (
	promptTool   = "get_prompt"
	resourceTool = "read_resource"
)

// place is where a text of the server stands, as in [mcpsf.AgentCause].
type place struct{ of, name, field string }

// ablation is the texts that an agent does not get to see: those of places, and
// answers, which may be given again. All of them are blank if it is everything.
type ablation struct {
	places     map[place]bool
	answers    map[string]bool
	everything bool
}

// answer is what is left of an answer.
func (b *ablation) answer(text string) string {
	if b != nil && (b.everything || b.answers[text]) {
		return ""
	}
	return text
}

func (b *ablation) has(p place) bool { return b != nil && (b.everything || b.places[p]) }

// of is what is left of a text.
func (b *ablation) of(p place, text string) string {
	if b.has(p) {
		return ""
	}
	return text
}

// kind is what a tool of an agent leads to.
type kind uint8

const (
	ofServer kind = iota
	ofPrompts
	ofResources
	ours
)

// view is what an agent sees of the tools.
type view struct {
	tools []llm.Tool
	kinds []kind
}

// newView lists the tools of a server as an agent gets them, and ours behind them.
func newView(o *Offer, b *ablation, decoys []decoy) *view {
	v := &view{}
	for i := range o.Tools {
		v.add(shown(&o.Tools[i], b), ofServer)
	}
	if len(o.Prompts) > 0 {
		v.add(listing(promptTool, "Get a prompt of the server.", "name", promptNames(o, b)), ofPrompts)
	}
	if len(o.Resources) > 0 {
		v.add(listing(resourceTool, "Read a resource of the server.", "uri", resourceNames(o, b)), ofResources)
	}
	for i := range decoys {
		v.add(decoys[i].tool, ours)
	}
	return v
}

func (v *view) add(t llm.Tool, k kind) {
	v.tools, v.kinds = append(v.tools, t), append(v.kinds, k)
}

// find is the tool that a call is of.
func (v *view) find(c *llm.Call) (int, bool) {
	if c.Tool > 0 && c.Tool <= len(v.tools) {
		return c.Tool - 1, true
	}
	for i := range v.tools {
		if v.tools[i].Name == c.Name {
			return i, true
		}
	}
	return 0, false
}

// shown is a tool as an agent gets it. The title, and hints for the client, are
// shown by some clients, so they are part of the description here.
func shown(t *mcpsf.Tool, b *ablation) llm.Tool {
	var listed struct {
		Title       string `json:"title"`
		Annotations struct {
			Title string `json:"title"`
		} `json:"annotations"`
	}
	_ = json.Unmarshal(t.Raw, &listed)
	var parts []string
	for _, p := range []struct{ field, text string }{
		{"/title", listed.Title}, {"/annotations/title", listed.Annotations.Title}, {"/description", t.Description},
	} {
		if text := b.of(place{"tool", t.Name, p.field}, p.text); text != "" && !strings.EqualFold(text, t.Name) {
			parts = append(parts, text)
		}
	}
	return llm.Tool{Name: t.Name, Description: strings.Join(parts, "\n"), Schema: blankSchema(t, b)}
}

// blankSchema is the schema of a tool without the texts that are blank.
func blankSchema(t *mcpsf.Tool, b *ablation) json.RawMessage {
	if b == nil || len(t.InputSchema) == 0 {
		return t.InputSchema
	}
	var v any
	if json.Unmarshal(t.InputSchema, &v) != nil {
		return t.InputSchema
	}
	changed := false
	v = blankTexts(v, "/inputSchema", 0, func(pointer string) bool {
		gone := b.has(place{"tool", t.Name, pointer})
		changed = changed || gone
		return gone
	})
	if !changed {
		return t.InputSchema
	}
	out, err := json.Marshal(v)
	if err != nil {
		return t.InputSchema
	}
	return out
}

// isAnnotation are the keys of a schema whose values are only read.
func isAnnotation(key string) bool {
	switch key {
	case "description", "title", "$comment", "default", "examples", "example", "const", "deprecationMessage", "markdownDescription", "errorMessage", "pattern":
		return true
	}
	return strings.HasPrefix(key, "x-")
}

// blankTexts empties the texts of a schema that are gone.
func blankTexts(v any, pointer string, depth int, gone func(string) bool) any {
	const deepest = 64
	if depth > deepest {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			at := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
			if text, ok := value.(string); ok {
				if text != "" && isAnnotation(key) && gone(at) {
					v[key] = ""
				}
				continue
			}
			v[key] = blankTexts(value, at, depth+1, gone)
		}
	case []any:
		kept := v[:0]
		for i, value := range v {
			at := pointer + "/" + strconv.Itoa(i)
			if _, ok := value.(string); ok && inValues(pointer) && gone(at) {
				continue
			}
			kept = append(kept, blankTexts(value, at, depth+1, gone))
		}
		return kept
	}
	return v
}

// inValues tells whether a list is one of values, and not of names that the
// schema needs.
func inValues(pointer string) bool {
	return strings.HasSuffix(pointer, "/enum") || strings.HasSuffix(pointer, "/examples") || strings.HasSuffix(pointer, "/default")
}

func promptNames(o *Offer, b *ablation) []string {
	var names []string
	for i := range o.Prompts {
		p := &o.Prompts[i]
		names = append(names, named(p.Name, b.of(place{"prompt", p.Name, "/description"}, p.Description)))
	}
	return names
}

func resourceNames(o *Offer, b *ablation) []string {
	var names []string
	for i := range o.Resources {
		r := &o.Resources[i]
		var listed struct {
			Description string `json:"description"`
		}
		_ = json.Unmarshal(r.Raw, &listed)
		names = append(names, named(r.URI, b.of(place{"resource", r.URI, "/description"}, listed.Description)))
	}
	return names
}

func named(name, description string) string {
	if description == "" {
		return name
	}
	return name + ": " + description
}

// listing is a tool that gets one of several things.
func listing(name, description, parameter string, things []string) llm.Tool {
	return tool(name, description+"\n"+strings.Join(things, "\n"), parameter)
}

// textFields are the pointers of what is only read in a tool's schema.
func textFields(t *mcpsf.Tool) []string {
	var v any
	if json.Unmarshal(t.InputSchema, &v) != nil {
		return nil
	}
	var fields []string
	blankTexts(v, "/inputSchema", 0, func(pointer string) bool {
		fields = append(fields, pointer)
		return false
	})
	slices.Sort(fields)
	return fields
}
