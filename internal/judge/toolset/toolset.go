// Package toolset knows what a server offers, and whether it offers more than
// before.
//
// In: the tools as a server listed them. Out: a canonical form of each that is
// small enough to be kept, and the changes between two sets of them: what came,
// what went, what takes more than it did, and what is only worded otherwise.
// Order, white space and the way numbers are written do not matter.
package toolset

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Tool is the canonical form of a tool.
type Tool struct {
	// Parameters are what it takes, by their place: "options/depth".
	Parameters map[string]Parameter `json:"parameters,omitempty"`
	// Schema stands for all of the input schema but its words.
	Schema string `json:"schema"`
	// Annotations are what the server promises of it, but its title.
	Annotations string `json:"annotations,omitempty"`
	// Words stands for its description and every text in its schema.
	Words string `json:"words"`
}

// Parameter is one thing a tool takes.
type Parameter struct {
	// Types are the types it may have, "any" for all of them.
	Types    []string `json:"types"`
	Required bool     `json:"required,omitempty"`
	// Limits are the other keywords of its schema, each as JSON; long ones are
	// only stood for.
	Limits map[string]string `json:"limits,omitempty"`
}

const (
	maxName       = 200
	maxLimit      = 300
	maxDepth      = 12
	maxParameters = 2000
)

// Of brings tools into their canonical form, by name. Of two with one name the
// second has a number behind it.
func Of(tools []mcpsf.Tool) map[string]Tool {
	all := make(map[string]Tool, len(tools))
	for _, t := range tools {
		name := Name(t.Name)
		for n := 2; ; n++ {
			if _, taken := all[name]; !taken {
				break
			}
			name = fmt.Sprintf("%s (%d)", Name(t.Name), n)
		}
		all[name] = of(t)
	}
	return all
}

// Name bounds a name without making two of them the same.
func Name(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "..." + hash(name)
}

func of(t mcpsf.Tool) Tool {
	s := scan{parameters: map[string]Parameter{}}
	schema, ok := decode(t.InputSchema)
	if !ok {
		schema = string(t.InputSchema) // a broken one is only the same as itself
	}
	bare := s.strip(schema, 0)
	s.collect("", bare, 0)
	return Tool{
		Parameters:  s.parameters,
		Schema:      hash(canonical(bare)),
		Annotations: annotations(t.Annotations),
		Words:       hash(t.Description, strings.Join(s.words, "\x00")),
	}
}

func annotations(raw json.RawMessage) string {
	v, ok := decode(raw)
	if !ok {
		v = string(raw)
	}
	if o, isObject := v.(object); isObject {
		v = slices.DeleteFunc(o, func(m member) bool { return m.key == "title" })
	}
	if v == nil {
		return ""
	}
	return bounded(canonical(v))
}

// bounded keeps a short text and stands for a long one.
func bounded(text string) string {
	if len(text) <= maxLimit {
		return text
	}
	return "sha256 " + hash(text)
}
