package rules

import "strings"

// toolWords splits a tool's name: run_command, runCommand, run-command.
func toolWords(tool string) []string {
	if len(tool) > maxPath {
		tool = tool[:maxPath]
	}
	var spaced strings.Builder
	var last rune
	for _, c := range tool {
		if c >= 'A' && c <= 'Z' && last >= 'a' && last <= 'z' {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(c)
		last = c
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), notWord)
}

func notWord(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}
