package lock

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/toolset"
)

// Difference is one thing that differs from the lock.
type Difference struct {
	// Text is a clause; names in it are the target's.
	Text string `json:"text"`
	// Fails is set if the server added something.
	Fails bool `json:"fails"`
}

// Check compares r with the lock; differences that fail come first.
func Check(l *Lock, r *mcpsf.Report) []Difference {
	old, ok := l.Servers[Key(r)]
	if !ok {
		return []Difference{{Text: fmt.Sprintf("the server %s is not in the lock", Key(r)), Fails: true}}
	}
	now := Of(r)
	var all []Difference
	if old.Version != now.Version {
		all = append(all, Difference{Text: fmt.Sprintf("the version is %q, was %q", now.Version, old.Version)})
	} else if old.Digest != now.Digest {
		all = append(all, Difference{Text: fmt.Sprintf("the files are others: %s, was %s", now.Digest, old.Digest)})
	}
	all = append(all, offers("tool ", old.Tools, now.Tools)...)
	all = append(all, offers("", old.Inputs, now.Inputs)...)
	all = append(all, used("", old.Uses, now.Uses)...)
	all = append(all, used(" while it is installed", old.Installing, now.Installing)...)
	all = append(all, found(old.Findings, r)...)
	if r.Verdict.Incomplete() { // what was not observed may still exist
		all = slices.DeleteFunc(all, func(d Difference) bool { return !d.Fails })
	}
	slices.SortStableFunc(all, func(a, b Difference) int {
		switch {
		case a.Fails == b.Fails:
			return 0
		case a.Fails:
			return -1
		}
		return 1
	})
	return all
}

func offers(what string, old, now map[string]toolset.Tool) []Difference {
	var all []Difference
	for _, c := range toolset.Compare(old, now) {
		all = append(all, Difference{Text: fmt.Sprintf("%s%s %s", what, c.Tool, c.What), Fails: c.Wider})
	}
	return all
}

func used(when string, old, now Uses) []Difference {
	verbs := map[mcpsf.AccessKind]string{
		mcpsf.AccessProgram: "runs", mcpsf.AccessHost: "speaks to", mcpsf.AccessListen: "listens on",
		mcpsf.AccessWrite: "writes to", mcpsf.AccessRead: "reads", mcpsf.AccessVariable: "asks for the variable",
	}
	var all []Difference
	for _, kind := range slices.Sorted(maps.Keys(verbs)) {
		for _, name := range now[kind] {
			if !slices.Contains(old[kind], name) {
				all = append(all, Difference{Text: fmt.Sprintf("it %s %s%s", verbs[kind], name, when), Fails: true})
			}
		}
		for _, name := range old[kind] {
			if !slices.Contains(now[kind], name) {
				all = append(all, Difference{Text: fmt.Sprintf("it no longer %s %s%s", verbs[kind], name, when)})
			}
		}
	}
	return all
}

// found returns the new findings. A finding of severity info does not fail by
// itself: the new access it is about does.
func found(old []string, r *mcpsf.Report) []Difference {
	var all []Difference
	now := map[string]bool{}
	for _, f := range r.Findings {
		now[findingKey(f)] = true
		if !slices.Contains(old, findingKey(f)) {
			all = append(all, Difference{
				Text:  fmt.Sprintf("a finding (%s, %s): %s", f.Severity, f.ID, f.Message),
				Fails: f.Severity != mcpsf.SeverityInfo,
			})
		}
	}
	for _, w := range r.Waived {
		now[findingKey(w.Finding)] = true
	}
	for _, key := range old {
		if !now[key] {
			all = append(all, Difference{Text: "no longer found: " + key})
		}
	}
	return all
}
