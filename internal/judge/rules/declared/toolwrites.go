package declared

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// SaysWrites tells whether a tool says that it changes what it is given: by its
// annotations, or by a word of its name, its description or its parameters. A
// path that the caller names explains a read; only for such a tool does it
// explain that the file is another one afterwards.
func (t *Tools) SaysWrites(tool string) bool {
	if t.Annotated(tool, "readOnlyHint", true) {
		return false
	}
	if t.Annotated(tool, "readOnlyHint", false) || t.Annotated(tool, "destructiveHint", true) {
		return true
	}
	said := t.says(tool)
	if said.writes == nil {
		writes := said.executes || slices.ContainsFunc(said.name, meansWriting) || saysWriting(t.description(tool)) || saysWriting(t.parameters(tool))
		said.writes = &writes
	}
	return *said.writes
}

// parameters returns the names and descriptions of a tool's parameters.
func (t *Tools) parameters(tool string) string {
	raw := t.tools[tool].InputSchema
	var schema struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if len(raw) == 0 || len(raw) > lex.MaxParams || json.Unmarshal(raw, &schema) != nil {
		return ""
	}
	var text strings.Builder
	for _, name := range lex.SortedKeys(schema.Properties) {
		text.WriteString(strings.Join(lex.Words(name), " ") + " " + schema.Properties[name].Description + " ")
		if text.Len() > maxDescription {
			break
		}
	}
	return text.String()
}

func saysWriting(text string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), lex.NotWord) {
		if meansWriting(word) {
			return true
		}
	}
	return false
}

// meansWriting tells whether a word begins like one for writing. Short beginnings
// need the whole word or an ending of a verb, so that "settle" is not "set".
func meansWriting(word string) bool {
	return slices.ContainsFunc(known().Writing, func(stem string) bool {
		rest, ok := strings.CutPrefix(word, stem)
		if !ok || len(stem) > 4 {
			return ok
		}
		switch strings.TrimPrefix(rest, stem[len(stem)-1:]) {
		case "", "e", "s", "es", "ed", "d", "er", "ing", "ied", "ies", "y", "ten", "en", "ting", "ten.", "ion", "ate", "ated", "ation":
			return true
		}
		return false
	})
}
