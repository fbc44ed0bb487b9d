package order

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/grammar"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// writeRule finds orders to write to a steering file.
type writeRule struct{ found *Ledger }

// find adds an order if a line is to be written to a steering file.
func (r *writeRule) find(s *utterance) bool {
	path := steeringPath(s)
	if path == "" || s.Refuses() || s.isSummary() && s.imperativeScore() == 0 || readFrom(s, path) {
		return false
	}
	value := lineToWrite(s, path)
	n := 3 + s.imperativeScore() - s.harmlessScore()
	if s.Place.Part == InTool || s.Place.Part == InSystem {
		n++
	}
	if s.Has("writes", "pass", "passed", "alter") || s.nextSpeaksToReader() {
		n++
	}
	if s.Place.Part == InResult && !s.genre.agent && strings.HasSuffix(path, ".json") {
		n -= 2 // many manuals say how to configure a server
	}
	if value == "" || n < enough {
		return false
	}
	r.found.add(s, Found{Order: Order{Action: Write, What: promptscan.Printable(value), To: path}, Value: value, Sink: sink{Address: path}, Via: -1, Ability: toolkit.CanWrite})
	return true
}

// readFrom reports whether the file is to be read, and nothing says that it is
// to be written.
func readFrom(s *utterance, path string) bool {
	if s.Has("writes") {
		return false
	}
	for i := range s.Words {
		if strings.Contains(s.Literal(i), path) && s.Within(i-4, i, "read", "got", "does-read") {
			return true
		}
	}
	return false
}

// steeringPath is the last steering file in the sentence.
func steeringPath(s *utterance) string {
	from, to := wideSpan(s)
	if found := userfile.FindSteering(s.Source[from:to], maxPaths); len(found) > 0 {
		return found[len(found)-1]
	}
	return ""
}

// lineToWrite is the text to write: in braces, backticks or quotation marks.
func lineToWrite(s *utterance, path string) string {
	from, to := wideSpan(s)
	if j := braces.FindString(s.Source[from:to]); j != "" {
		return j
	}
	for _, c := range s.commands {
		if strings.Contains(c, " ") && !strings.Contains(c, path) {
			return c
		}
	}
	if q := grammar.FirstQuoted(s.Source[from:to]); q != "" && q != path {
		return q
	}
	return lineBehind(s, path)
}

var braces = lazyregexp.New(`\{[^\n]{2,600}\}`)

// lineBehind is the rest of the line after "the following line to PATH:".
func lineBehind(s *utterance, path string) string {
	from, _ := s.Extent()
	at := strings.Index(s.Source[from:], path+":")
	if at < 0 || !s.Has("writes", "pass", "alter") {
		return ""
	}
	rest := strings.TrimSpace(s.Source[from+at+len(path)+1:])
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return rest[:min(len(rest), maxQuote)]
}

// wideSpan extends to the end of the line if the sentence ends in a quotation.
func wideSpan(s *utterance) (int, int) {
	from, to := s.Extent()
	closed := to > 0 && to+2 < len(s.Source) && s.Source[to-1] == '"' && s.Source[to] == ' ' && s.Source[to+1] >= 'a' && s.Source[to+1] <= 'z'
	if !closed && strings.Count(s.Source[from:to], `"`)%2 == 0 && strings.Count(s.Source[from:to], "“") == strings.Count(s.Source[from:to], "”") {
		return from, to
	}
	rest := s.Source[to:min(len(s.Source), to+maxQuote)]
	if at := strings.IndexByte(rest, '\n'); at >= 0 {
		rest = rest[:at]
	}
	return from, to + len(rest)
}
