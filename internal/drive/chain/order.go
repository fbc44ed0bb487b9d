package chain

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// rank is the group in which a tool is called; lower ranks come first.
type rank uint8

const (
	opensThings rank = iota
	listsThings      // lists existing things without arguments
	makesThings
	listsMade // lists things that other tools have created
	usesThings
	removesThings
	closesThings
)

// Order returns the indexes of the tools in the order to call them: tools that
// open, create, list, use, remove and close things. A list without arguments is
// called before creating tools if one of them needs a listed thing, and a tool
// that opens a listed thing is called after the list. Among creating tools, those
// that need fewer things of others come first. Otherwise the order of the list is
// kept.
func Order(tools []mcpsf.Tool) []int {
	type entry struct {
		index, needs int
		rank         rank
	}
	made := makers(tools)
	var listed []string
	for _, t := range tools {
		if lists(t) {
			listed = append(listed, nounsOf(t.Name)...)
		}
	}
	entries := make([]entry, len(tools))
	for i, t := range tools {
		entries[i] = entry{index: i, rank: rankOf(t.Name)}
		switch {
		case lists(t):
			entries[i].rank = listsMade
			if neededToMake(tools, nounsOf(t.Name)) {
				entries[i].rank = listsThings
			}
		case entries[i].rank == opensThings && slices.ContainsFunc(required(t), func(p string) bool { return overlap(meaningful(meaning.Words(p)), listed) > 0 }):
			entries[i].rank = makesThings
		}
		if entries[i].rank < usesThings {
			entries[i].needs = needs(t, made)
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.needs, b.needs))
	})
	out := make([]int, len(entries))
	for i, e := range entries {
		out[i] = e.index
	}
	return out
}

// neededToMake reports whether a tool that opens or creates something needs one
// of these things.
func neededToMake(tools []mcpsf.Tool, things []string) bool {
	return slices.ContainsFunc(tools, func(t mcpsf.Tool) bool {
		return rankOf(t.Name) < usesThings && !lists(t) &&
			slices.ContainsFunc(required(t), func(p string) bool { return overlap(meaningful(meaning.Words(p)), things) > 0 })
	})
}

// makers returns the things that some tool creates.
func makers(tools []mcpsf.Tool) map[string]bool {
	made := map[string]bool{}
	for _, t := range tools {
		if rankOf(t.Name) < usesThings {
			for _, n := range nounsOf(t.Name) {
				made[n] = true
			}
		}
	}
	return made
}

// lists reports whether a tool lists what exists and needs no arguments.
func lists(t mcpsf.Tool) bool {
	words := meaning.Words(t.Name)
	i := verbOf(words)
	return i >= 0 && words[i] == "list" && len(required(t)) == 0
}

// needs counts the required parameters that refer to what another tool creates.
func needs(t mcpsf.Tool, made map[string]bool) int {
	n := 0
	for _, name := range required(t) {
		w, ok := reference(t.Name, name)
		if ok && !w.own && slices.ContainsFunc(w.things, func(thing string) bool { return made[thing] }) {
			n++
		}
	}
	return n
}

// required returns the names of a tool's required parameters.
func required(t mcpsf.Tool) []string {
	var s struct {
		Required []string `json:"required"`
	}
	if len(t.InputSchema) > maxResult || json.Unmarshal(t.InputSchema, &s) != nil {
		return nil
	}
	return s.Required
}

// rankOf returns the rank of the verb in a tool's name.
func rankOf(tool string) rank {
	words := meaning.Words(tool)
	if i := verbOf(words); i >= 0 {
		r, _ := verb(words[i])
		return r
	}
	return usesThings
}

// verbOf returns the index of the verb: the first word if it is one
// (list_open_issues), else the last (issue_create), else the first verb in
// between, -1 for none.
func verbOf(words []string) int {
	last := len(words) - 1
	for i := range words {
		for _, candidate := range []int{0, last, i} {
			if _, ok := verb(words[candidate]); ok {
				return candidate
			}
		}
	}
	return -1
}

// verb reports whether a word is a verb, and the rank of tools with it.
func verb(w string) (rank, bool) {
	if r, ok := words().verbs[w]; ok {
		return r, true
	}
	return usesThings, false
}
