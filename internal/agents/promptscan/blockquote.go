package promptscan

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// aboutAttacks matches a line that introduces an example of an attack.
var aboutAttacks = lazyregexp.New(`(?i)\b(attack\w*|inject\w*|malicious|poison\w*|exploit\w*|payload\w*|jailbreak\w*|adversar\w*|phish\w*|demonstrat\w*)\b`)

// Unquoted blanks the quotations in a document that the line before introduces
// as an attack, because a handbook quotes what it warns of. Everything else
// keeps its position.
func Unquoted(source string) string {
	if !strings.Contains(source, "\n") || !strings.Contains(source, ">") {
		return source
	}
	lines := strings.SplitAfter(source, "\n")
	introduced, changed := false, false
	for i, line := range lines {
		switch text := strings.TrimSpace(line); {
		case text == "":
		case text[0] != '>':
			introduced = strings.HasSuffix(text, ":") && aboutAttacks.MatchString(text)
		case introduced:
			end := len(strings.TrimRight(line, "\r\n"))
			lines[i], changed = strings.Repeat(" ", end)+line[end:], true
		}
	}
	if !changed {
		return source
	}
	return strings.Join(lines, "")
}
