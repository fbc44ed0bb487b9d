package sequence

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Refill puts what the calls of this start returned where the input of a step had what
// those of another start returned, but not at the pointer except.
func Refill(m *chain.Memory, step *mcpsf.Step, in schema.Input, except string) schema.Input {
	if len(step.Links) == 0 {
		return in
	}
	nobodySaid := in.Server == nil
	filled, _ := m.Fill(step.Tool, InputOf(step)) // the input itself may have a payload, and fit no schema
	for _, l := range step.Links {
		if except != "" && (below(l.Pointer, except) || below(except, l.Pointer)) {
			continue
		}
		if _, there := schema.Get(in.JSON, l.Pointer); !there {
			continue
		}
		if l.Whole {
			in, _ = PutWhole(m, &step.Tool, in, l)
			continue
		}
		if l.Rank > 0 {
			in, _, _ = PutChoice(m, &step.Tool, in, l)
			continue
		}
		value, ok := schema.Get(filled.JSON, l.Pointer)
		if !ok {
			continue
		}
		if out, err := in.WithServer(l.Pointer, value, mcpsf.OriginResult); err == nil {
			in = out
		}
	}
	if nobodySaid {
		in.Server = nil
	}
	return in
}

// below reports whether a pointer is another one or leads into it.
func below(pointer, whole string) bool { return mcpsf.PointerWithin(pointer, whole) }

// PutWhole puts the whole result of a tool into an input, as text where the schema
// wants that. It returns the input itself and false if there is none, or it fits not.
func PutWhole(m *chain.Memory, tool *mcpsf.Tool, in schema.Input, l mcpsf.Link) (schema.Input, bool) {
	value, ok := m.Whole(l.Tool)
	if !ok || l.Pointer == "" {
		return in, false
	}
	return putValue(m, tool, in, l.Pointer, value)
}

// putValue puts a value of the server's into an input, in the form that the schema
// wants.
func putValue(m *chain.Memory, tool *mcpsf.Tool, in schema.Input, pointer string, value any) (schema.Input, bool) {
	text, isText := value.(string)
	switch typ := typeOf(tool, pointer); {
	case typ == "string" && !isText:
		raw, err := jsonrpc.Marshal(value)
		if err != nil {
			return in, false
		}
		value = string(raw)
	case isText && (typ == "integer" || typ == "number" || typ == "boolean"):
		return in, false // prose is none
	case isText && (typ == "object" || typ == "array"):
		if !json.Valid([]byte(text)) {
			return in, false
		}
		value = json.RawMessage(text)
	}
	out, err := m.With(in, pointer, value)
	if err != nil {
		return in, false
	}
	return out, true
}

// properties returns the schemas of a tool's arguments, by name.
func properties(tool *mcpsf.Tool) map[string]json.RawMessage {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if !jsonrpc.IsObject(tool.InputSchema) || json.Unmarshal(tool.InputSchema, &s) != nil {
		return nil
	}
	return s.Properties
}

// nameOf returns the name of the argument at a pointer.
func nameOf(pointer string) string {
	return mcpsf.PointerName(strings.TrimPrefix(pointer, "/"))
}

// typeOf returns the type of an argument, "" if the schema does not say it.
func typeOf(tool *mcpsf.Tool, pointer string) string {
	var s struct {
		Type json.RawMessage `json:"type"`
	}
	raw := properties(tool)[nameOf(pointer)]
	if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	typ, _ := jsonrpc.String(s.Type)
	return typ
}

// argumentsOf returns the names of a tool's arguments: those of the schema, and those
// in an input.
func argumentsOf(tool *mcpsf.Tool, args json.RawMessage) []string {
	all := map[string]bool{}
	for name := range properties(tool) {
		all[name] = true
	}
	var given map[string]json.RawMessage
	if jsonrpc.IsObject(args) && json.Unmarshal(args, &given) == nil {
		for name := range given {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// PlaceOf returns the pointer of the argument that wants the result of a tool, "" if
// that is not known: the one that the text names, or that is called like the tool or
// the thing, or the only one.
func PlaceOf(tool *mcpsf.Tool, args json.RawMessage, w *mcpsf.Wish, from string) string {
	if len(w.Path) > 0 {
		pointer := ""
		for _, part := range w.Path {
			pointer += "/" + mcpsf.PointerPart(part)
		}
		return pointer
	}
	names := argumentsOf(tool, args)
	wanted := keywords(from)
	for _, name := range w.Accepted {
		wanted = append(wanted, keywords(name)...)
	}
	for _, name := range names {
		if slices.ContainsFunc(keywords(name), func(word string) bool { return slices.Contains(wanted, word) }) {
			return "/" + mcpsf.PointerPart(name)
		}
	}
	if len(names) == 1 {
		return "/" + mcpsf.PointerPart(names[0])
	}
	return ""
}
