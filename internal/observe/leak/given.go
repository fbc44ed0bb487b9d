package leak

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/canary"
)

const (
	// maxGiven is how many of the last calls' arguments are searched for.
	// no gap: they are the caller's own; a planted secret is searched for always
	maxGiven = 16
	// maxValues bounds the values of a call; all calls together are as many as
	// can be told apart.
	// gap: values-not-searched
	maxValues = 60
	// maxValue is how much of a long value is searched for.
	// no gap: the beginning is found where the value is
	maxValue = 4096
	// maxNested bounds the nesting of arguments that are searched for.
	// gap: values-not-searched
	maxNested = 64
)

// KindForm is the kind of what the user filled into a form of the server's.
const KindForm = "form-answer"

// given holds the arguments of the last calls and the answers to the last forms.
type given struct {
	marks []Mark
	// forms is how many forms were filled in.
	forms int
	// set is nil until data has left since the last call.
	set *canary.Set
	// planted are the ids of marks that callers have passed to the server: an
	// agent may have been tricked into that.
	planted map[string]bool
}

// Give records the arguments of the next call. Values that are long enough are
// searched for in data that leaves the sandbox.
func (f *Finder) Give(call, tool string, arguments json.RawMessage) {
	f.give(&Mark{ID: call, Kind: "argument", Source: "arguments of " + tool, Given: true}, arguments)
}

// Fill records what the user filled into a form of the server's, without the
// values that the server proposed. It is the user's, as the arguments of a call
// are. Secrets that were typed are marked already, each by itself.
func (f *Finder) Fill(content json.RawMessage) {
	f.mu.Lock()
	f.given.forms++
	id := "form-" + strconv.Itoa(f.given.forms)
	f.mu.Unlock()
	f.give(&Mark{ID: id, Kind: KindForm, Source: "answers to a form", Given: true}, content)
}

// give records the values of a document under a mark.
func (f *Finder) give(m *Mark, document json.RawMessage) {
	var args any
	if json.Unmarshal(document, &args) != nil {
		return
	}
	var tokens, planted []string
	left := collect(args, 0, func(s string) {
		f.meter.KnowValue([]byte(s))
		planted = append(planted, f.plantedIn(s)...)
		if s = strings.ToValidUTF8(s[:min(len(s), maxValue)], ""); len(s) >= leastToken && !slices.Contains(tokens, s) && (m.Kind != KindForm || !f.marked(s)) {
			tokens = append(tokens, s)
		}
	})
	if more := len(tokens) - maxValues; more > 0 {
		left, tokens = left+more, tokens[:maxValues]
	}
	f.noteValues(left)
	if len(tokens) == 0 && len(planted) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	g := &f.given
	for _, id := range planted {
		g.planted[id] = true
	}
	if len(g.marks) >= maxGiven {
		f.told.forget(g.marks[0].ID)
		g.marks = slices.Clone(g.marks[1:])
	}
	m.Tokens = tokens
	g.marks = append(g.marks, *m)
	g.set = nil
}

// marked tells whether a value is one that was marked from the beginning.
func (f *Finder) marked(value string) bool {
	return slices.ContainsFunc(f.marks, func(m Mark) bool { return slices.Contains(m.Tokens, value) })
}

// Answer records what the server receives because it asked the client. Planted
// secrets in it were not stolen.
func (f *Finder) Answer(body json.RawMessage) {
	var answer any
	if json.Unmarshal(body, &answer) != nil {
		return
	}
	collect(answer, 0, func(s string) {
		f.meter.KnowValue([]byte(s))
		ids := f.plantedIn(s)
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, id := range ids {
			f.given.planted[id] = true
		}
	})
}

// plantedIn returns the marks that a value contains unencoded.
func (f *Finder) plantedIn(value string) []string {
	var ids []string
	if len(value) < leastToken {
		return nil
	}
	for i := range f.marks {
		if f.marks[i].Given { // already a caller's value
			continue
		}
		if slices.ContainsFunc(f.marks[i].Tokens, func(t string) bool { return len(t) >= leastToken && strings.Contains(value, t) }) {
			ids = append(ids, f.marks[i].ID)
		}
	}
	return ids
}

// handed reports whether a caller passed this mark to the server. The mark is
// then an argument and was not stolen.
func (f *Finder) handed(m *Mark) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.given.planted[m.ID]
}

// collect calls found with every text in a value, in a fixed order, and returns
// how many values were nested too deep.
func collect(v any, depth int, found func(string)) (left int) {
	if depth > maxNested {
		return 1
	}
	switch v := v.(type) {
	case string:
		found(v)
	case []any:
		for _, e := range v {
			left += collect(e, depth+1, found)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			left += collect(v[key], depth+1, found)
		}
	}
	return left
}

// handedOn finds callers' values in network data. A value of several calls is
// attributed to the latest.
func (f *Finder) handedOn(channel, destination, part string, body []byte) []mcpsf.LeakDetail {
	marks, set := f.looked()
	if set == nil {
		return nil
	}
	var hits []canary.Hit
	f.look(func() {
		var cut bool
		hits, cut = search(set, body)
		f.noteCut(channel, cut)
	})
	return f.describe(marks, channel, destination, part, hits)
}

// looked returns the caller's values that are currently searched for.
func (f *Finder) looked() ([]Mark, *canary.Set) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := &f.given
	if g.set == nil && len(g.marks) > 0 {
		seen := map[string]bool{}
		marks := slices.Clone(g.marks)
		for i := range slices.Backward(marks) {
			marks[i].Tokens = slices.DeleteFunc(slices.Clone(marks[i].Tokens), func(t string) bool {
				twice := seen[t]
				seen[t] = true
				return twice
			})
		}
		set, err := compile(marks)
		if err != nil { // cannot fail for values of that length
			return nil, nil
		}
		g.marks, g.set = marks, set
	}
	return g.marks, g.set
}
