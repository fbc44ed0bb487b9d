package agent

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// author returns the arguments that an agent chose, with those that the server
// may have led it to. A text is the user's if the user or one of our own tools
// wrote it to the agent, or if it is the value that we made for this argument.
// Everything else counts as the server's: whoever makes a model choose a file
// must not thereby have asked for it.
func (t *dialogue) author(tool string, arguments json.RawMessage) schema.Input {
	in := schema.Input{JSON: arguments, Server: mcpsf.ServerValues{}}
	var value any
	if json.Unmarshal(arguments, &value) != nil {
		in.Server = append(in.Server, mcpsf.ServerValue{From: mcpsf.OriginAgent})
		return in
	}
	theirs := t.serverMade()
	eachText(value, "", func(pointer, text string) {
		if partOf(theirs, text) || !t.ofUser(text) && !t.made(tool, pointer, text) {
			in.Server = append(in.Server, mcpsf.ServerValue{Pointer: pointer, From: mcpsf.OriginAgent})
		}
	})
	return in
}

// serverMade are the texts in the inputs of the first session that the server
// made. Tasks repeat these inputs, so the user's words contain them.
func (t *dialogue) serverMade() map[string]bool {
	texts := map[string]bool{}
	for _, in := range t.world.Inputs {
		var value any
		if len(in.Server) == 0 || json.Unmarshal(in.JSON, &value) != nil {
			continue
		}
		eachText(value, "", func(pointer, text string) {
			if in.Server.At(pointer) != "" {
				texts[text] = true
			}
		})
	}
	return texts
}

// leastPart is the length from which a part of a text is known again.
const leastPart = 4

// partOf says whether a text is one of the texts, or a part of one: an agent that
// is told "the report in ~/.ssh/id_rsa" passes on the path alone.
func partOf(texts map[string]bool, text string) bool {
	if texts[text] {
		return true
	}
	for whole := range texts {
		if len(text) >= leastPart && strings.Contains(whole, text) {
			return true
		}
	}
	return false
}

// ofUser says whether the user wrote a text.
func (t *dialogue) ofUser(text string) bool {
	return slices.ContainsFunc(t.user, func(said string) bool { return strings.Contains(said, text) })
}

// made says whether a text is the value that we made for an argument.
func (t *dialogue) made(tool, pointer, text string) bool {
	known := t.world.Inputs[tool]
	raw, ok := schema.Get(known.JSON, pointer)
	var ours string
	return ok && json.Unmarshal(raw, &ours) == nil && ours == text && known.Server.At(pointer) == ""
}

// eachText visits the texts in a value.
func eachText(value any, pointer string, visit func(pointer, text string)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachText(v[name], pointer+"/"+mcpsf.PointerPart(name), visit)
		}
	case []any:
		for i, e := range v {
			eachText(e, pointer+"/"+strconv.Itoa(i), visit)
		}
	case string:
		visit(pointer, v)
	}
}
