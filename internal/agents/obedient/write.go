package obedient

import (
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// writeRule finds orders to write into a file that steers later sessions.
type writeRule struct{ found *ledger }

// write: a line is to be put into a file that steers later sessions.
func (b *writeRule) find(s *utterance) bool {
	path := steeringPath(s)
	if path == "" || s.refuses() || s.isSummary() && s.imperativeScore() == 0 || readFrom(s, path) {
		return false
	}
	value := lineToWrite(s, path)
	n := 3 + s.imperativeScore() - s.harmlessScore()
	if s.place.Part == InTool || s.place.Part == InSystem {
		n++
	}
	if s.has("writes", "pass", "passed", "alter") || s.nextSpeaksToReader() {
		n++
	}
	if s.place.Part == InResult && !s.genre.agent && strings.HasSuffix(path, ".json") {
		n -= 2 // how a server is set up stands in many manuals
	}
	if value == "" || n < enough {
		return false
	}
	b.found.add(s, found{Order: Order{Action: Write, What: promptscan.Printable(value), To: path}, value: value, sink: sink{address: path}, via: -1, ability: canWrite})
	return true
}

// readFrom: it is to be read, and nothing says that it is to be written.
func readFrom(s *utterance, path string) bool {
	if s.has("writes") {
		return false
	}
	for i := range s.Words {
		if strings.Contains(s.literal(i), path) && s.within(i-4, i, "read", "got", "does-read") {
			return true
		}
	}
	return false
}

// lastingPath is the last such file in the sentence.
func steeringPath(s *utterance) string {
	from, to := wideSpan(s)
	path := ""
	for _, p := range pathsIn(s.source[from:to], 200) {
		if steers(p) {
			path = p
		}
	}
	return path
}

// line is what is to be written: in braces, backticks or quotation marks.
func lineToWrite(s *utterance, path string) string {
	from, to := wideSpan(s)
	if j := braces.FindString(s.source[from:to]); j != "" {
		return j
	}
	for _, c := range s.commands {
		if strings.Contains(c, " ") && !strings.Contains(c, path) {
			return c
		}
	}
	if q := firstQuoted(s.source[from:to]); q != "" && q != path {
		return q
	}
	return lineBehind(s, path)
}

var braces = regexp.MustCompile(`\{[^\n]{2,600}\}`)

// behind is what stands after "the following line to PATH:", to its end.
func lineBehind(s *utterance, path string) string {
	from, _ := s.extent()
	at := strings.Index(s.source[from:], path+":")
	if at < 0 || !s.has("writes", "pass", "alter") {
		return ""
	}
	rest := strings.TrimSpace(s.source[from+at+len(path)+1:])
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return rest[:min(len(rest), maxQuote)]
}

// wideSpan goes on to the end of the line if the sentence ends in a quotation.
func wideSpan(s *utterance) (int, int) {
	from, to := s.extent()
	closed := to > 0 && to+2 < len(s.source) && s.source[to-1] == '"' && s.source[to] == ' ' && s.source[to+1] >= 'a' && s.source[to+1] <= 'z'
	if !closed && strings.Count(s.source[from:to], `"`)%2 == 0 && strings.Count(s.source[from:to], "“") == strings.Count(s.source[from:to], "”") {
		return from, to
	}
	rest := s.source[to:min(len(s.source), to+maxQuote)]
	if at := strings.IndexByte(rest, '\n'); at >= 0 {
		rest = rest[:at]
	}
	return from, to + len(rest)
}
