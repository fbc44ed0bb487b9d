package sequence

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Share gives an input the arguments of a step that is about the same thing: those of
// the same names, else the only required one that is for the same kind of place, else
// the name of the thing that the step made. Who made a value does not change. It
// reports whether there are any.
func Share(tool *mcpsf.Tool, in schema.Input, from *mcpsf.Step) (schema.Input, bool) {
	shared := false
	for _, name := range Required(tool) {
		if out, ok := ShareOne(tool, in, from, name); ok {
			in, shared = out, true
		}
	}
	if shared {
		return in, true
	}
	for _, p := range topPlaces(tool) {
		for _, q := range topPlaces(&from.Tool) {
			place := p.Kind == q.Kind && (p.Kind == meaning.KindDir || p.Kind == meaning.KindPath)
			named := isName(q.Name) && slices.Contains(keywords(from.Tool.Name), meaning.Singular(p.Name))
			if !place && !named || !slices.Contains(Required(tool), p.Name) {
				continue
			}
			if out, ok := copied(tool, in, from, p.Name, q.Name); ok {
				return out, true
			}
		}
	}
	return in, false
}

// ShareOne gives an input the argument of a step with a name that both tools require,
// for the same kind of thing.
func ShareOne(tool *mcpsf.Tool, in schema.Input, from *mcpsf.Step, name string) (schema.Input, bool) {
	if !slices.Contains(Required(tool), name) || !slices.Contains(Required(&from.Tool), name) || kindOf(tool, name) != kindOf(&from.Tool, name) || saysWhatToDo(tool, name) {
		return in, false
	}
	return copied(tool, in, from, name, name)
}

// saysWhatToDo reports whether an argument is what the tool does, and not what it does it
// with: what one tool ran is not for another one.
func saysWhatToDo(tool *mcpsf.Tool, name string) bool {
	return slices.ContainsFunc(topPlaces(tool), func(p schema.Place) bool {
		return p.Name == name && (p.Kind == meaning.KindSQL || p.Kind == meaning.KindCode || p.Kind == meaning.KindCommand)
	})
}

// kindOf returns what an argument is for: a folder is no file.
func kindOf(tool *mcpsf.Tool, name string) meaning.Kind {
	for _, p := range topPlaces(tool) {
		if p.Name == name && (p.Kind == meaning.KindDir || p.Kind == meaning.KindPath) {
			return p.Kind
		}
	}
	return ""
}

// isName reports whether an argument is what a thing is called by.
func isName(argument string) bool {
	return slices.Contains([]string{"name", "title", "alias", "key", "slug", "code", "handle", "label", "nickname"}, argument)
}

// copied copies an argument of a step, into a list as its only element. It must fit the
// schema.
func copied(tool *mcpsf.Tool, in schema.Input, from *mcpsf.Step, name, theirs string) (schema.Input, bool) {
	pointer, source := "/"+mcpsf.PointerPart(name), "/"+mcpsf.PointerPart(theirs)
	if now, ok := schema.Get(in.JSON, pointer); ok && bytes.HasPrefix(now, []byte("[")) {
		if theirs, ok := schema.Get(InputOf(from).JSON, source); ok && !bytes.HasPrefix(theirs, []byte("[")) {
			pointer += "/0"
		}
	}
	out, err := in.WithCopy(pointer, InputOf(from), source)
	if err != nil || !schema.Accepts(tool.InputSchema, out.JSON) {
		return in, false
	}
	return out, true
}

// Required returns the names of the arguments that a tool requires.
func Required(tool *mcpsf.Tool) []string {
	var s struct {
		Required []string `json:"required"`
	}
	if !jsonrpc.IsObject(tool.InputSchema) || json.Unmarshal(tool.InputSchema, &s) != nil {
		return nil
	}
	return s.Required
}

// topPlaces lists the arguments of a tool that are no documents, and the first elements of
// those that are lists.
func topPlaces(tool *mcpsf.Tool) []schema.Place {
	all := schema.Places(tool.InputSchema, meaning.Values{}.ForTool(tool), 0)
	return slices.DeleteFunc(all, func(p schema.Place) bool {
		at := "/" + mcpsf.PointerPart(p.Name)
		return p.Pointer != at && p.Pointer != at+"/0" || len(p.Enum) > 0
	})
}
