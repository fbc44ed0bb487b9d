package schema

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// blockYAML is the first line of a list or a map in YAML that is no prose.
var blockYAML = lazyregexp.New(`^(?:- )?[A-Za-z_][\w-]{0,40}:(?: |\n|$)|^- [\w"']`)

// asYAML reads a document in the block notation of YAML. References and tags are not read:
// they can make a text large.
func asYAML(text string) (any, bool) {
	if len(text) > maxDocument || !strings.Contains(text, "\n") || strings.ContainsAny(text, "&*!") || !blockYAML.MatchString(text) {
		return nil, false
	}
	var value any
	if yaml.Unmarshal([]byte(text), &value) != nil {
		return nil, false
	}
	switch value.(type) {
	case map[string]any, []any:
	default:
		return nil, false
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, false
	}
	value, err = decode(raw)
	return value, err == nil
}

// documentIn returns the document in a text, in JSON or YAML.
func documentIn(text string) (any, bool) {
	if value, ok := asDocument(text); ok {
		return value, true
	}
	return asYAML(text)
}
