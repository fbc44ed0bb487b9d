package entry

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Smithery reads the command that the function in a smithery.yaml returns. The
// function is parsed, never run: what it takes from its configuration becomes
// the schema's default or a placeholder with the setting's name.
func Smithery(data []byte) (Snippet, bool) {
	text := capped(data)
	at := strings.Index(text, "commandFunction")
	if at < 0 {
		return Snippet{}, false
	}
	settings := schemaDefaults(text)
	budget := maxNodes
	line := 1 + strings.Count(text[:at], "\n")
	var found *node
	for _, n := range readLoose(text[at:], line, &budget) {
		found = firstCommand(n, found)
	}
	if found == nil {
		return Snippet{}, false
	}
	for _, part := range []*node{found.field("args"), found.field("env")} {
		if part != nil {
			settings.apply(part)
		}
	}
	return fromObject(found)
}

func firstCommand(n, found *node) *node {
	if found != nil {
		return found
	}
	if n.kind == kindObject && n.field("command") != nil {
		return n
	}
	for _, kid := range n.kids {
		found = firstCommand(kid, found)
	}
	return found
}

// settings are the defaults of a configuration.
type settings map[string]string

var (
	schemaLine = lazyregexp.New(`(?m)^\s*(?:([A-Za-z_]\w{0,63}):\s*$|default:\s*(\S[^\r\n]{0,500}))`)
	fromConfig = lazyregexp.New(`\$\{config\??\.(\w+)\}|^config\??\.(\w+)$`)
)

// schemaDefaults reads the properties of the schema: each is a name on a line
// of its own, with a default below it.
func schemaDefaults(text string) settings {
	s, name := settings{}, ""
	for _, m := range schemaLine.FindAllStringSubmatch(text, 2000) {
		if m[1] != "" {
			name = m[1]
			continue
		}
		if value := strings.Trim(strings.TrimSpace(m[2]), `"'`); name != "" && value != "" {
			s[name] = value
		}
	}
	return s
}

// apply inserts the defaults where the configuration is used, and leaves out
// JavaScript.
func (s settings) apply(n *node) {
	kids, keys := n.kids[:0], n.keys[:0]
	for i, kid := range n.kids {
		if kid.kind > kindWord || kid.kind == kindWord && !isLiteral(kid.text) {
			continue
		}
		kid.text = fromConfig.ReplaceAllStringFunc(kid.text, func(text string) string {
			m := fromConfig.FindStringSubmatch(text)
			name := m[1] + m[2]
			if value, ok := s[name]; ok {
				return value
			}
			return "${" + name + "}"
		})
		kids = append(kids, kid)
		if n.kind == kindObject {
			keys = append(keys, n.keys[i])
		}
	}
	n.kids, n.keys = kids, keys
}

func isLiteral(word string) bool {
	return isPlain(word) || fromConfig.MatchString(word)
}
