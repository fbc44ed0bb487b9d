package promptscan

import (
	"regexp"
	"strings"
)

// aboutAttacks: a line that introduces what an attacker would write.
var aboutAttacks = regexp.MustCompile(`(?i)\b(attack\w*|inject\w*|malicious|poison\w*|exploit\w*|payload\w*|jailbreak\w*|adversar\w*|phish\w*|demonstrat\w*)\b`)

// Unquoted makes the quotations in a document blank that a line before them
// introduces as somebody's attack: a handbook shows what it warns of. All else
// stays, at its place.
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
