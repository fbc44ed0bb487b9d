package registry

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// setting is one value and where it was set, for messages.
type setting struct {
	value, from string
}

// npmrc is one settings file.
type npmrc struct {
	values map[string]setting
	// lists holds the values of `key[] = value` lines.
	lists map[string][]setting
}

// parseNpmrc parses npm's format: lines of "key = value", comments that begin
// with ";" or "#", values in quotes, ${NAME} for variables. The last line of a
// key counts. What npm ignores is ignored.
func parseNpmrc(file string, data []byte, getenv func(string) string) npmrc {
	rc := npmrc{values: map[string]setting{}, lists: map[string][]setting{}}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	number, section := 0, false
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == ';' || text[0] == '#' {
			continue
		}
		if text[0] == '[' && strings.HasSuffix(text, "]") {
			// npm's keys have no sections: what follows has no meaning.
			section = true
		}
		if section {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		key, value = unquote(strings.TrimSpace(key)), unquote(strings.TrimSpace(value))
		if !ok {
			value = "true"
		}
		key, value = expand(key, getenv), expand(value, getenv)
		s := setting{value: value, from: file + ", line " + strconv.Itoa(number)}
		if name, list := strings.CutSuffix(key, "[]"); list {
			rc.lists[name] = append(rc.lists[name], s)
			continue
		}
		rc.values[key] = s
	}
	return rc
}

// unquote removes the quotes of a value, or a comment at the end of one without
// quotes.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		if s[0] == '\'' {
			return s[1 : len(s)-1]
		}
		var plain string
		if json.Unmarshal([]byte(s), &plain) == nil {
			return plain
		}
		return s
	}
	var b strings.Builder
	escaped := false
	for _, r := range s {
		switch {
		case escaped && !strings.ContainsRune(`\;#`, r):
			b.WriteByte('\\')
			fallthrough
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == ';' || r == '#':
			return strings.TrimSpace(b.String())
		default:
			b.WriteRune(r)
		}
	}
	if escaped {
		b.WriteByte('\\')
	}
	return strings.TrimSpace(b.String())
}

var variable = lazyregexp.New(`(\\*)\$\{([^${}]+)\}`)

// expand replaces ${NAME} by the variable. An unset one stays as written;
// ${NAME?} becomes nothing. A backslash prevents the replacement.
func expand(s string, getenv func(string) string) string {
	return variable.ReplaceAllStringFunc(s, func(whole string) string {
		m := variable.FindStringSubmatch(whole)
		slashes, name := m[1], m[2]
		if len(slashes)%2 == 1 {
			return whole[(len(slashes)+1)/2:]
		}
		name, optional := strings.CutSuffix(name, "?")
		value := getenv(name)
		if value == "" && !optional {
			value = "${" + name + "}"
		}
		return slashes[:len(slashes)/2] + value
	})
}
