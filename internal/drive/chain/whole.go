package chain

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of whole results.
// no gap: a result that is not remembered is made up, and the tool is called all the same
const (
	maxWhole  = 64 << 10
	maxWholes = 64
)

// outcome is the last result of a tool as a whole.
type outcome struct {
	tool  string
	text  string
	value any // the structured content, nil if there is none
}

// Whole returns the last result of a tool as a whole: its text, else its structured
// content. The server made it: [mcpsf.OriginResult].
func (m *Memory) Whole(tool string) (value any, ok bool) {
	o, ok := m.outcome(tool)
	if !ok {
		return nil, false
	}
	if o.text != "" {
		return o.text, true
	}
	return o.value, true
}

// ResultFor returns what the last result of a tool gives for a parameter of another
// one, of a JSON type: the member with its name, else the result as a whole. It is
// false if there is nothing of that type.
func (m *Memory) ResultFor(tool, parameterName, typ string) (value any, ok bool) {
	o, ok := m.outcome(tool)
	if !ok {
		return nil, false
	}
	for _, value := range o.values(parameter{name: parameterName}) {
		if value, ok := ofType(value, typ); ok {
			return value, true
		}
	}
	return nil, false
}

func (m *Memory) outcome(tool string) (outcome, bool) {
	i := slices.IndexFunc(m.wholes, func(o outcome) bool { return o.tool == tool })
	if i < 0 {
		return outcome{}, false
	}
	return m.wholes[i], true
}

// remember keeps a result as a whole. Of more tools than are kept the one that was
// called longest ago is forgotten.
func (m *Memory) remember(tool string, texts []string, structured json.RawMessage) {
	o := outcome{tool: tool, text: strings.Join(texts, "\n")}
	if len(structured) <= maxWhole {
		if value, ok := decode(structured); ok && compound(value) {
			o.value = value
		}
	}
	if len(o.text) > maxWhole {
		o.text = ""
	}
	if o.text == "" && o.value == nil {
		return
	}
	m.wholes = slices.DeleteFunc(m.wholes, func(old outcome) bool { return old.tool == tool })
	if m.wholes = append(m.wholes, o); len(m.wholes) > maxWholes {
		m.wholes = slices.Delete(m.wholes, 0, 1)
	}
}

// values returns what a result gives for a parameter, the likeliest first: the members
// with the name of the parameter, the id of the thing, the text behind that name, the
// whole.
func (o outcome) values(p parameter) []any {
	var out, within []any
	documents := o.documents()
	for _, document := range documents {
		if members, ok := document.(map[string]any); ok {
			if value, there := member(members, p.name); there {
				out = append(out, value)
			}
		}
		within = append(within, membersInside(document, p.name)...)
	}
	if len(documents) == 0 {
		if value, ok := behindName(o.text, p.name); ok {
			out = append(out, value)
		}
	}
	for _, word := range coinages(o.text) {
		out = append(out, word)
	}
	whole := documents
	if o.text != "" {
		whole = append([]any{o.text}, whole...)
	}
	if wantsAll(p.about) {
		return slices.Concat(out, whole, within)
	}
	if slices.ContainsFunc(out, single) {
		whole = nil // what is called so is a part of the result
	}
	names := namesIn(documents)
	if p.about == "" || slices.Contains(meaning.Words(p.about), "name") {
		return slices.Concat(out, names, within, whole)
	}
	return slices.Concat(out, within, whole, names)
}

// namesIn returns the names of the things that documents describe: a tool that uses such
// a thing may know it by its name.
func namesIn(documents []any) []any {
	var out []any
	for _, document := range documents {
		members, _ := document.(map[string]any)
		if name, ok := members["name"].(string); ok && name != "" && single(name) {
			out = append(out, name)
		}
	}
	return out
}

// documents returns the result decoded: of its text, and its structured content, in
// which frameworks wrap what is no object.
func (o outcome) documents() []any {
	var out []any
	if text := strings.TrimSpace(o.text); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		if value, ok := decode(json.RawMessage(text)); ok {
			out = append(out, value)
		}
	}
	if o.value == nil {
		return out
	}
	if members, ok := o.value.(map[string]any); ok && len(members) == 1 {
		if inner, ok := members["result"]; ok {
			out = append(out, inner)
		}
	}
	return append(out, o.value)
}

// member returns the member that is called like a parameter.
func member(members map[string]any, parameter string) (any, bool) {
	if value, ok := members[parameter]; ok && value != nil {
		return value, true
	}
	plain := func(name string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)) }
	for _, name := range sortedNames(members) {
		if plain(name) == plain(parameter) && members[name] != nil {
			return members[name], true
		}
	}
	return nil, false
}

// behind is a value behind a name in prose, as in "Your token: abc-1".
var behind = lazyregexp.New(`(?i)\b([a-z][a-z _-]{1,40}?)["'\x60*]{0,3}(?: is| was)?\s*[:=]\s*["'\x60*<]{0,3}([^\s"'\x60*<>,;]{2,512})`)

// behindName returns the text behind the name of a parameter in prose.
func behindName(text, parameter string) (string, bool) {
	words := strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(parameter))
	for _, m := range behind.FindAllStringSubmatch(text[:min(len(text), maxProse)], maxMatches) {
		said := strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(m[1]))
		if said == words || strings.HasSuffix(said, " "+words) {
			return strings.TrimRight(m[2], ".)"), true
		}
	}
	return "", false
}

// ofType converts a value to a type of JSON Schema. A document becomes the text that
// encodes it, and a text the document that it encodes.
func ofType(value any, typ string) (any, bool) {
	switch v := value.(type) {
	case string:
		if typ == "string" || typ == "" {
			return v, true
		}
		decoded, ok := decode(json.RawMessage(v))
		if !ok || typeOf(decoded) != typ && (typ != "integer" || typeOf(decoded) != "number") {
			return nil, false
		}
		return decoded, true
	case map[string]any, []any:
		if typ == typeOf(v) || typ == "" {
			return v, true
		}
		raw, err := json.Marshal(v)
		return string(raw), err == nil && typ == "string"
	case json.Number:
		if typ == "string" {
			return v.String(), true
		}
		return v, typ == "number" || typ == "" || typ == "integer" && canonical(v.String())
	case bool:
		return v, typ == "boolean" || typ == ""
	}
	return nil, false
}

func typeOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case string:
		return "string"
	}
	return ""
}
