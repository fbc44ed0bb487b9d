package safetext

import (
	"bytes"
	"strings"
)

// Runners of CI jobs read the output of a job for commands that set variables,
// mask secrets or end groups. GitHub Actions takes a line that begins with
// "::name", also after spaces; GitHub Actions, Azure Pipelines and TeamCity take
// "##[", "##vso[" and "##teamcity[" anywhere in a line. What a target wrote must
// not give such a command.

// Inert returns text of several lines in which no line holds a command to a CI
// runner: a colon at the beginning of a line and the second hash of a command
// are escaped. Everything else stays as it is.
func Inert(text []byte) []byte {
	if !bytes.Contains(text, []byte("::")) && !bytes.Contains(text, []byte("##")) {
		return text
	}
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		s := withoutHashes(string(line))
		if at := LeadingColons(s); at >= 0 {
			s = s[:at] + escape(':') + s[at+1:]
		}
		out.WriteString(s)
	}
	return out.Bytes()
}

// LeadingColons returns where the "::" is that a line begins with, -1 if it does
// not begin so.
func LeadingColons(line string) int {
	rest := strings.TrimLeft(line, " \t\r\v\f")
	if !strings.HasPrefix(rest, "::") {
		return -1
	}
	return len(line) - len(rest)
}

// withoutHashes escapes the second hash of each command.
func withoutHashes(s string) string {
	if !strings.Contains(s, "##") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if secondHash(s, i) {
			b.WriteString(escape('#'))
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// secondHash reports whether s[i] is the second hash of a command: two hashes, a
// name or none, a bracket.
func secondHash[T string | []byte](s T, i int) bool {
	if s[i] != '#' || i == 0 || s[i-1] != '#' {
		return false
	}
	for i++; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			return true
		case c|0x20 < 'a' || c|0x20 > 'z':
			return false
		}
	}
	return false
}

// command reports whether s alone would be a command: it may be put at the
// beginning of a line. "::1" is an address.
func command(s string) bool {
	at := LeadingColons(s)
	if at < 0 || at+2 >= len(s) {
		return false
	}
	c := s[at+2] | 0x20
	return c >= 'a' && c <= 'z'
}
