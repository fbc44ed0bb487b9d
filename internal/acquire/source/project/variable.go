package project

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

// variables are the values for ${NAME} in a bundle's manifest. Most have one
// value; a setting that takes several has as many.
type variables map[string][]string

// newVariables invents a user's answers to the settings that a bundle asks for:
// the defaults, or something plausible.
func newVariables(settings map[string]json.RawMessage) variables {
	v := variables{
		"__dirname":     {mcpsf.WorkDir},
		"HOME":          {mcpsf.Home},
		"DESKTOP":       {mcpsf.Home + "/Desktop"},
		"DOCUMENTS":     {mcpsf.Home + "/Documents/projects"},
		"DOWNLOADS":     {mcpsf.Home + "/Downloads"},
		"pathSeparator": {"/"},
		"/":             {"/"},
	}
	answers := variables{}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if len(answers) == document.MaxWords {
			break
		}
		var values []string
		for _, value := range setting(name, document.Object(settings[name])) {
			values = append(values, v.fill(value))
		}
		answers["user_config."+name] = values
	}
	maps.Copy(v, answers)
	return v
}

// setting returns the values of one setting.
func setting(name string, s map[string]json.RawMessage) []string {
	var several []json.RawMessage
	if json.Unmarshal(s["default"], &several) == nil && len(several) > 0 {
		var values []string
		for _, raw := range several[:min(len(several), document.MaxWords)] {
			values = append(values, document.Scalar(raw))
		}
		return values
	}
	if value := document.Scalar(s["default"]); value != "" {
		return []string{value}
	}
	switch document.Text(s["type"]) {
	case "directory":
		return []string{mcpsf.Home + "/Documents/projects"}
	case "file":
		return []string{mcpsf.Home + "/Documents/projects/notes.txt"}
	case "boolean":
		return []string{"false"}
	case "number":
		if least := document.Scalar(s["min"]); least != "" {
			return []string{least}
		}
		return []string{"1"}
	}
	switch {
	case document.Scalar(s["sensitive"]) == "true":
		return []string{placeholder(name)}
	case document.Scalar(s["required"]) == "true":
		return []string{"example"}
	}
	return []string{""}
}

// placeholder looks like a service's API key. It is the same for the same name,
// so that two runs are alike.
func placeholder(name string) string {
	sum := sha256.Sum256([]byte("setting " + name))
	return hex.EncodeToString(sum[:20])
}

// words fills in one argument. An argument that is only a setting with several
// values becomes as many arguments.
func (v variables) words(s string) []string {
	name, isVariable := strings.CutPrefix(s, "${")
	if name, ok := strings.CutSuffix(name, "}"); ok && isVariable && len(v[name]) > 0 {
		return v[name]
	}
	return []string{v.fill(s)}
}

// fill replaces the variables in s, once: values are not expanded again. The
// result is cut if it becomes larger than any manifest needs.
func (v variables) fill(s string) string {
	var b strings.Builder
	for b.Len() <= document.MaxWord {
		before, rest, found := strings.Cut(s, "${")
		b.WriteString(before)
		if !found {
			break
		}
		// Longer names are invalid, and searching far for the end of each takes
		// time.
		name, _, closed := strings.Cut(rest[:min(len(rest), 2*usererr.MaxName)], "}")
		values, known := v[name]
		if !closed || !known {
			b.WriteString("${")
			s = rest
			continue
		}
		b.WriteString(strings.Join(values, ","))
		s = rest[len(name)+1:]
	}
	return strings.ToValidUTF8(b.String()[:min(b.Len(), document.MaxWord)], "")
}
