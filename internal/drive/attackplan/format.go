package attackplan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// formats returns how a value can be sent if another argument names its format: what is
// loaded as a pickle is refused as JSON.
func formats(p schema.Place, all []schema.Place) []encoding {
	var out []encoding
	flag := ""
	for _, other := range all {
		if e, ok := switched(other); ok && other.Type == "boolean" && e.name == "Base64" {
			flag = other.Pointer
		}
	}
	for _, other := range all {
		if other.Pointer == p.Pointer {
			continue
		}
		for _, raw := range other.Enum {
			var word string
			if json.Unmarshal(raw, &word) != nil {
				continue
			}
			if form := formOf(word); form != "" {
				out = append(out, encoding{pointer: other.Pointer, value: word, name: word, form: form, flag: flag})
			}
		}
	}
	return out
}

// formOf returns how the payloads of a format begin to be described, "" for none.
func formOf(word string) string {
	switch strings.ToLower(word) {
	case "pickle", "pkl", "binary", "bytes", "raw", "python", "native", "blob":
		return "pickle"
	case "yaml", "yml":
		return "YAML"
	}
	return ""
}

// inForm returns a payload of that form, and the input with the arguments that let it
// in. It returns false for any other payload.
func (e *encoding) inForm(base schema.Input, y attack.Payload) (schema.Input, attack.Payload, bool) {
	text, ok := y.Value.(string)
	if !ok || !strings.HasPrefix(y.Why, e.form) {
		return base, y, false
	}
	in, err := base.With(e.pointer, e.value)
	if err != nil {
		return base, y, false
	}
	why := y.Why
	y.Why, y.Plain = why+", as "+e.name, false
	if e.flag == "" {
		return in, y, true
	}
	if in, err = in.With(e.flag, true); err != nil {
		return base, y, false
	}
	if !slices.ContainsFunc([]string{"base64", "hexadecimal"}, func(word string) bool { return strings.Contains(why, word) }) {
		y.Value = inBase64(text)
	}
	return in, y, true
}
