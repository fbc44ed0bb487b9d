// Package expect says what a program expects of the answers to its HTTP
// requests.
//
// It takes the files of a package in the form of package ir and returns the
// shape of the JSON that each request must be answered with, as far as the
// source tells. It joins the graphs of package flow: nodes that hold the same
// value become one, and every call of a function has its own copy of what the
// function does, so that the answers to the requests of a shared function stay
// apart. The source is hostile: everything is bounded, and of its texts only
// names of members and short plain words get into the result.
//
// If the host is not known, the path is the end of the request's path: the
// address before it comes from the configuration.
package expect

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// no gap: what is not found out about answers is only answered as usual
const (
	maxAnswers = 200
	// maxHeaders bounds the headers of one answer.
	maxHeaders = 16
	maxMembers = 2000
	// maxDepth is how deep members of members are written. A list in between
	// counts half: what is read is mostly in lists.
	maxDepth = 9
	maxCost  = maxDepth * memberCost
	// maxWritten bounds the members with those that are in several answers.
	maxWritten = 100_000
	// maxUnknown is how many answers are to requests of which nothing is known.
	maxUnknown = 60
	// maxPlain is the size of a file from which it counts as a bundle.
	maxPlain = 400 << 10
	// maxAccepted is how many words are accepted for one value.
	maxAccepted = 8
	// maxTests bounds the comparisons of one value.
	maxTests = 32
	// maxNodes bounds the graph with all copies, maxRequests the requests.
	maxNodes    = 300_000
	maxRequests = 4_000
	// maxCalls bounds how deep calls are followed, maxCopied how deep a graph is
	// copied, maxSteps how much of it is searched at once.
	maxCalls  = 60
	maxCopied = 200
	maxSteps  = 2_000
)

// memberCost is the depth that a member adds, where an element adds one.
const memberCost = 2

// Answers returns what a package expects, by its files and by the answers that
// its documents describe. The order and the result depend on nothing else.
func Answers(files []*ir.File, described []mcpsf.ExpectedAnswer) []mcpsf.ExpectedAnswer {
	g := newGraph(files)
	g.join()
	g.follow()
	w := &writer{graph: g, seen: map[int]bool{}, members: maxWritten}
	var list []mcpsf.ExpectedAnswer
	known := w.known()
	var documents []mcpsf.ExpectedAnswer
	for _, r := range known {
		if a := w.document(&r); a != nil {
			documents = append(documents, *a)
			continue
		}
		if shape := w.bodies(r.result, r.sure); shape != nil {
			list = append(list, mcpsf.ExpectedAnswer{Host: r.host, Path: r.path, Shape: shape})
		}
	}
	replies := w.replies(known)
	var vague []mcpsf.ExpectedAnswer
	for _, a := range described {
		if a = checked(a); a.Shape != nil && a.Path != "" {
			list = append(list, a)
		} else if a.Shape != nil {
			vague = append(vague, a)
		}
	}
	list = append(joined(list), vague...)
	for _, shape := range w.unknown() {
		list = append(list, mcpsf.ExpectedAnswer{Shape: shape})
	}
	return slices.Concat(declared(files), bounded(list), bounded(documents), replies)
}

// joined makes one answer of all to the same requests, as far as they are of one
// type.
func joined(list []mcpsf.ExpectedAnswer) []mcpsf.ExpectedAnswer {
	var out []mcpsf.ExpectedAnswer
	at := map[[3]string]int{}
	for _, a := range list {
		key := [3]string{a.Host, a.Path, a.Shape.Type}
		if i, ok := at[key]; ok && a.Host+a.Path != "" {
			out[i].Shape = merged(out[i].Shape, a.Shape)
			continue
		}
		at[key] = len(out)
		out = append(out, a)
	}
	return out
}

// bounded returns as many answers with as many members as are allowed.
func bounded(out []mcpsf.ExpectedAnswer) []mcpsf.ExpectedAnswer {
	out = distinct(out)
	out = out[:min(len(out), maxAnswers)]
	left := maxMembers
	for i := range out { // each gets its share, and what others did not need
		share := left / (len(out) - i)
		left -= share - prune(out[i].Shape, share)
	}
	slices.SortStableFunc(out, func(a, b mcpsf.ExpectedAnswer) int {
		return cmp.Or(-cmp.Compare(a.Host, b.Host), -cmp.Compare(a.Path, b.Path))
	})
	return out
}

// distinct removes what is there already.
func distinct(list []mcpsf.ExpectedAnswer) []mcpsf.ExpectedAnswer {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(a mcpsf.ExpectedAnswer) bool {
		text, err := json.Marshal(a)
		if err != nil || seen[string(text)] {
			return true
		}
		seen[string(text)] = true
		return false
	})
}
