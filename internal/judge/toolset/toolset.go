// Package toolset compares what a server offers with what it offered before.
//
// In: the tools as a server listed them. Out: a canonical form of each that is
// small enough to store, and the changes between two sets: tools added, tools
// removed, tools that accept more, and tools with changed wording. Order, white
// space and the notation of numbers do not matter.
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
	// Parameters are its parameters, by path: "options/depth".
	Parameters map[string]Parameter `json:"parameters,omitempty"`
	// Schema is a hash of the input schema without its texts.
	Schema string `json:"schema"`
	// Annotations are the tool's annotations, except its title.
	Annotations string `json:"annotations,omitempty"`
	// Words is a hash of its description and every text in its schema.
	Words string `json:"words"`
}

// Parameter is one parameter of a tool.
type Parameter struct {
	// Types are the types it accepts, "any" for all.
	Types    []string `json:"types"`
	Required bool     `json:"required,omitempty"`
	// Limits are the other keywords of its schema, each as JSON; long ones are
	// replaced by a hash.
	Limits map[string]string `json:"limits,omitempty"`
}

// no gap: bounds what is shown or compared; what is larger is different
const (
	maxName       = 200
	maxLimit      = 300
	maxDepth      = 12
	maxParameters = 2000
)

// Of returns the canonical form of tools, by name. The second of two tools with
// the same name gets a number.
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

// Name shortens a long name and keeps it unique.
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
		schema = string(t.InputSchema) // a broken schema equals only itself
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

// bounded keeps a short text and replaces a long one by a hash.
func bounded(text string) string {
	if len(text) <= maxLimit {
		return text
	}
	return "sha256 " + hash(text)
}
