package phrase

import (
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Brief returns clean text of at most n characters.
func Brief(s string, n int) string {
	s = safetext.Clean(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-3 {
			return s[:i] + "..."
		}
		count++
	}
	return s
}

// MaxPURL bounds the name of a package; those of npm have at most 214 characters.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const MaxPURL = 500

// maxIDs bounds a list of names.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxIDs = 50

// Briefs truncates and cleans the first of a list of names.
func Briefs(all []string) []string {
	var out []string
	for _, s := range all[:min(len(all), maxIDs)] {
		if s = Brief(s, MaxName); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Maximum lengths of a sentence, a name and a request, in characters.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	MaxSentence = 1200
	MaxName     = 120
	MaxRequest  = 2000
)
