package leak

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/canary"
)

const (
	// maxGiven is how many of the last calls' arguments are looked for.
	maxGiven = 16
	// maxValues bounds the values of a call, and maxValue their length.
	maxValues, maxValue = 32, 4096
	// maxNested bounds how deep values are looked for in arguments.
	maxNested = 16
)

// given are the arguments of the last calls.
type given struct {
	marks []Mark
	// set is nil until something has left since the last call.
	set *canary.Set
	// planted are the marks, by id, that callers have given the server: an agent
	// may have been talked into it.
	planted map[string]bool
}

// Give tells what a tool is about to be called with. What is long enough to
// be recognised is found again where it leaves the sandbox.
func (f *Finder) Give(call, tool string, arguments json.RawMessage) {
	var args any
	if json.Unmarshal(arguments, &args) != nil {
		return
	}
	var tokens, planted []string
	collect(args, 0, func(s string) {
		planted = append(planted, f.plantedIn(s)...)
		if len(s) >= leastToken && len(s) <= maxValue && len(tokens) < maxValues && !slices.Contains(tokens, s) {
			tokens = append(tokens, s)
		}
	})
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
		g.marks = slices.Clone(g.marks[1:])
	}
	g.marks = append(g.marks, Mark{ID: call, Kind: "argument", Source: "arguments of " + tool, Given: true, Tokens: tokens})
	g.set = nil
}

// Answer tells what the server is about to get because it asked for it. What of
// it was planted is nothing that the server took.
func (f *Finder) Answer(body json.RawMessage) {
	var answer any
	if json.Unmarshal(body, &answer) != nil {
		return
	}
	collect(answer, 0, func(s string) {
		ids := f.plantedIn(s)
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, id := range ids {
			f.given.planted[id] = true
		}
	})
}

// plantedIn are the marks that a value holds as they are.
func (f *Finder) plantedIn(value string) []string {
	var ids []string
	if len(value) < leastToken {
		return nil
	}
	for i := range f.marks {
		if f.marks[i].Given { // it is the caller's to begin with, and followed as such
			continue
		}
		if slices.ContainsFunc(f.marks[i].Tokens, func(t string) bool { return len(t) >= leastToken && strings.Contains(value, t) }) {
			ids = append(ids, f.marks[i].ID)
		}
	}
	return ids
}

// handed tells whether the server has a mark from its caller: it is an argument
// then, wherever it goes, and nothing that was taken.
func (f *Finder) handed(m *Mark) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.given.planted[m.ID]
}

func collect(v any, depth int, found func(string)) {
	if depth > maxNested {
		return
	}
	switch v := v.(type) {
	case string:
		found(v)
	case []any:
		for _, e := range v {
			collect(e, depth+1, found)
		}
	case map[string]any:
		for _, e := range v {
			collect(e, depth+1, found)
		}
	}
}

// handedOn finds what callers gave in what leaves by the network. The same
// value in several calls is the latest call's.
func (f *Finder) handedOn(channel, destination, part string, body []byte) []mcpsf.LeakDetail {
	marks, set := f.looked()
	if set == nil {
		return nil
	}
	var hits []canary.Hit
	f.look(func() { hits = set.Bytes(squeezed(body)) })
	return f.describe(marks, channel, destination, part, hits)
}

// looked is what is looked for at the moment.
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
		if err != nil { // values of that length can be compiled
			return nil, nil
		}
		g.marks, g.set = marks, set
	}
	return g.marks, g.set
}
