package chain

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// maxAbout bounds how much of a description is read.
// no gap: a result that is not remembered is made up, and the tool is called all the same
const maxAbout = 4 << 10

// parameter is one of a tool's at the top of its input.
type parameter struct {
	name, typ, about string
	required         bool
	// identifies is set if it takes a name or number of something, and not the thing
	// itself.
	identifies bool
}

// parameters lists the parameters of a tool by name.
func parameters(tool *mcpsf.Tool) []parameter {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if len(tool.InputSchema) > maxResult || json.Unmarshal(tool.InputSchema, &s) != nil {
		return nil
	}
	var out []parameter
	for _, name := range sortedNames(s.Properties) {
		var p struct {
			Type        any    `json:"type"`
			Description string `json:"description"`
			Enum        []any  `json:"enum"`
		}
		if json.Unmarshal(s.Properties[name], &p) == nil && len(p.Enum) == 0 && len(out) < maxLinks {
			typ, _ := p.Type.(string)
			out = append(out, parameter{name: name, typ: typ, about: p.Description[:min(len(p.Description), maxAbout)], required: slices.Contains(s.Required, name)})
		}
	}
	return out
}

// fillWhole replaces the arguments that are whole results of other tools: where the
// text says so, and, if all is set, where a required one is called like what a tool
// makes.
func (m *Memory) fillWhole(tool *mcpsf.Tool, args schema.Input, links []Link, all bool) (schema.Input, []Link) {
	if len(m.wholes) == 0 {
		return args, links
	}
	list := parameters(tool)
	for _, p := range list {
		pointer := "/" + mcpsf.PointerPart(p.name)
		current, there := at(args.JSON, pointer)
		if !there || slices.ContainsFunc(links, func(l Link) bool { return l.Pointer == pointer }) {
			continue
		}
		maker, identifying := m.toldMaker(tool, p, len(list) == 1)
		if maker == "" && all {
			maker = m.namedMaker(tool, p)
		}
		p.identifies = identifying || identifies(p.name)
		if filled, link, ok := m.put(tool, args, p, maker, current); ok {
			args, links = filled, append(links, link)
		}
	}
	return args, links
}

// put puts what the result of a tool gives for a parameter.
func (m *Memory) put(tool *mcpsf.Tool, args schema.Input, p parameter, maker string, current any) (schema.Input, Link, bool) {
	pointer := "/" + mcpsf.PointerPart(p.name)
	o, ok := m.outcome(maker)
	if !ok {
		return args, Link{}, false
	}
	types := []string{p.typ}
	if p.typ == "" {
		types = []string{typeOf(current), "string", "object", "array"}
	}
	for _, value := range o.values(p) {
		for _, typ := range types {
			value, ok := ofType(value, typ)
			if !ok || p.identifies && !single(value) {
				continue
			}
			if !m.allowed(value, current) {
				return args, Link{}, false
			}
			filled, err := m.With(args, pointer, value)
			if err == nil && schema.Accepts(tool.InputSchema, filled.JSON) {
				return filled, Link{Pointer: pointer, Value: beginning(value), Tool: maker}, true
			}
		}
	}
	return args, Link{}, false
}

// allowed reports whether a value of another tool may be used. A short one may name a
// place, and is used only where it may; a document, or a long text, is opaque.
func (m *Memory) allowed(value, current any) bool {
	text, ok := value.(string)
	if !ok || len(text) > maxValue || strings.ContainsAny(text, " \t\n{") {
		return text != "" || !ok
	}
	return m.ours(text, current)
}

// beginning returns the beginning of a value as text.
func beginning(value any) string {
	written, ok := value.(string)
	if raw, err := json.Marshal(value); !ok && err == nil {
		written = string(raw)
	}
	return strings.ToValidUTF8(written[:min(len(written), maxValue)], "")
}

// single reports whether a value can identify something.
func single(value any) bool {
	text, ok := value.(string)
	return !compound(value) && (!ok || !strings.ContainsAny(text, " \t\n{[") && len(text) <= maxValue)
}

// identifies reports whether a parameter with this name takes a name or number of
// something.
func identifies(name string) bool {
	_, _, ok := headOf(meaning.Words(name))
	return ok
}

// toldMaker returns the tool of whose result the descriptions speak: that of the
// parameter, or that of the tool if it means this parameter; and whether they mean
// only what identifies the result.
func (m *Memory) toldMaker(tool *mcpsf.Tool, p parameter, only bool) (maker string, identifying bool) {
	if maker, said := m.makerIn(tool.Name, p.about); maker != "" {
		return maker, slices.ContainsFunc(said, identifies)
	}
	maker, said := m.makerIn(tool.Name, tool.Description[:min(len(tool.Description), maxAbout)])
	if maker == "" || !p.required {
		return "", false
	}
	things := meaningful(meaning.Words(p.name))
	if only || slices.ContainsFunc(append(nounsOf(maker), said...), func(thing string) bool { return slices.Contains(things, meaning.Singular(strings.ToLower(thing))) }) {
		return maker, slices.ContainsFunc(said, identifies)
	}
	return "", false
}

// makerIn returns the tool with a remembered result of which a text says that
// something is its result, and what the text calls the results.
func (m *Memory) makerIn(user, text string) (maker string, said []string) {
	if !slices.ContainsFunc(m.wholes, func(o outcome) bool { return strings.Contains(text, o.tool) }) {
		return "", nil
	}
	for _, name := range refusal.Makers(text) {
		if _, ok := m.outcome(name); !ok {
			said = append(said, name)
		} else if maker == "" && name != user {
			maker = name
		}
	}
	return maker, said
}

// namedMaker returns the tool that makes a thing called like a required parameter:
// bundle is what pack_bundle returned. What is only said about the thing is no thing.
func (m *Memory) namedMaker(tool *mcpsf.Tool, p parameter) string {
	things := meaningful(meaning.Words(p.name))
	if !p.required || len(things) == 0 || identifies(p.name) || meaning.HasNotation(p.name) {
		return ""
	}
	last := things[len(things)-1]
	if rankOf(tool.Name) < usesThings && slices.Contains(nounsOf(tool.Name), last) {
		return "" // it makes such a thing itself
	}
	for _, o := range slices.Backward(m.wholes) {
		nouns := nounsOf(o.tool)
		if o.tool != tool.Name && !looks(o.tool) && rankOf(o.tool) < removesThings && len(nouns) > 0 && nouns[0] == last && (o.value != nil || opaque(o.text)) {
			return o.tool
		}
	}
	return ""
}

// looks reports whether a tool only looks at what is there. What it returns is not
// made for another tool, and can be of the user.
func looks(tool string) bool {
	words := meaning.Words(tool)
	i := verbOf(words)
	if i < 0 {
		return false
	}
	switch words[i] {
	case "get", "list", "read", "fetch", "search", "find", "query", "show", "describe", "view", "check", "count", "load", "retrieve", "download",
		"browse", "inspect", "lookup", "resolve", "select", "click", "ask":
		return true
	}
	return false
}

// opaque reports whether a text is a document, an encoding or a token, and no prose.
func opaque(text string) bool {
	text = strings.TrimSpace(text)
	longest := 0
	for word := range strings.FieldsSeq(text) {
		longest = max(longest, len(word))
	}
	_, document := decode(json.RawMessage(text))
	return document || text != "" && !strings.ContainsAny(text, " \t\n") || longest >= 24 || strings.Count(text, "\n") > 2
}

func sortedNames[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), cmp.Compare[string])
}
