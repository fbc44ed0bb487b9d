package listener

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Reason returns the line of the output that says why a program ended, cleaned
// and truncated.
func Reason(output string) string {
	best, last := "", ""
	for line := range strings.Lines(output) {
		line = safetext.Clean(strings.TrimSpace(line))
		text, marked := complaint(line)
		switch {
		case text == "":
		case marked && (best == "" || !strings.HasPrefix(line, "npm ")):
			best = text // npm: the first error; all others: the last
		default:
			last = text
		}
	}
	if best == "" {
		best = last
	}
	// no gap: bounds a message
	const most = 200
	if r := []rune(best); len(r) > most {
		best = string(r[:most]) + "..."
	}
	return best
}

// complaint reports whether a line is marked as an error, and its text.
func complaint(line string) (text string, marked bool) {
	for _, prefix := range []string{"npm error ", "npm ERR! "} {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			if strings.HasPrefix(rest, "code ") || strings.HasPrefix(rest, "errno ") || strings.HasPrefix(rest, "syscall ") || strings.HasPrefix(rest, "A complete log") || strings.HasPrefix(rest, "Log files were not") {
				return "", false
			}
			return rest, true
		}
	}
	if rest, ok := strings.CutPrefix(line, "ERROR: "); ok {
		return rest, true
	}
	if i := strings.Index(line, "Error: "); i >= 0 && i < 40 {
		return line, true
	}
	return line, false
}
