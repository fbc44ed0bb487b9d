package shape

import (
	"cmp"
	"slices"
	"strings"
)

// leastTaught is the length of the shortest text that is concealed: nothing hides
// in a shorter one.
const leastTaught = 4

// teach remembers texts that the server wrote.
func (l *lessons) teach(words ...string) {
	for _, w := range words {
		if len(w) >= leastTaught && !slices.Contains(l.taught, w) {
			l.taught, l.conceal = append(l.taught, w), nil
		}
	}
}

// Own returns an answer without what the server taught, and without the host's
// name, which the client chose. What a host answers counts as known: a server that
// had its refusal, or a name, repeated by a host would make its own data known.
func (e *Expectations) Own(r *Request, answer []byte) []byte {
	e.mu.Lock()
	if e.conceal == nil {
		var pairs []string
		// The longest come first: of a text that begins with a shorter one the rest
		// would remain.
		for _, w := range slices.SortedStableFunc(slices.Values(e.taught), func(a, b string) int { return cmp.Compare(len(b), len(a)) }) {
			pairs = append(pairs, w, "")
		}
		e.conceal = strings.NewReplacer(pairs...)
	}
	conceal := e.conceal
	e.mu.Unlock()
	text := conceal.Replace(string(answer))
	if r.Host != "" {
		text = strings.ReplaceAll(text, r.Host, "")
	}
	return []byte(text)
}
