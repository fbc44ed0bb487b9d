package agent

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Names of the tools through which an agent uses prompts and resources.
const (
	promptTool   = "get_prompt"
	resourceTool = "read_resource"
)

// place is where a text of the server stands, as in [mcpsf.AgentCause].
type place struct{ of, name, field string }

// ablation lists the texts that are blank for an agent: places, and results,
// which may occur repeatedly. everything blanks all of them.
type ablation struct {
	places     map[place]bool
	answers    map[string]bool
	everything bool
}

// answer is what remains of a result.
func (b *ablation) answer(text string) string {
	if b != nil && (b.everything || b.answers[text]) {
		return ""
	}
	return text
}

func (b *ablation) has(p place) bool { return b != nil && (b.everything || b.places[p]) }

// of is what remains of a text.
func (b *ablation) of(p place, text string) string {
	if b.has(p) {
		return ""
	}
	return text
}

// kind is what a tool of an agent uses.
type kind uint8

const (
	ofServer kind = iota
	ofPrompts
	ofResources
	ours
)

// view is how an agent sees the tools.
type view struct {
	tools []llm.Tool
	kinds []kind
}

// newView lists a server's tools as an agent sees them, and ours behind them.
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

// find is the tool of a call.
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

// shown is a tool as an agent sees it. Its title and annotations are part of
// the description, because some clients show them.
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

// blankSchema is the schema of a tool without its blank texts.
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

// isAnnotation recognises schema keys whose values are only for reading.
func isAnnotation(key string) bool {
	switch key {
	case "description", "title", "$comment", "default", "examples", "example", "const", "deprecationMessage", "markdownDescription", "errorMessage", "pattern":
		return true
	}
	return strings.HasPrefix(key, "x-")
}

// blankTexts empties the blank texts of a schema.
func blankTexts(v any, pointer string, depth int, gone func(string) bool) any {
	const deepest = 64
	if depth > deepest {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			at := pointer + "/" + mcpsf.PointerPart(key)
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

// inValues says whether a list has values, and not names that the schema needs.
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

// listing is a tool that returns one of several items.
func listing(name, description, parameter string, things []string) llm.Tool {
	return tool(name, description+"\n"+strings.Join(things, "\n"), parameter)
}

// textFields are the pointers to the texts in a tool's schema.
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
