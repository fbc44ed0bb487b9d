package staging

import (
	"context"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Fate is where a symbolic link leads.
type Fate int

// Where links lead.
const (
	Inside  Fate = iota // to a place in the tree, existing or not
	Outside             // out of the tree, at any step
	Circle              // in a circle
)

// no gap: a larger package, manifest or list is refused with an error
const (
	// MaxHops is Linux's own limit on links in one path.
	MaxHops = 40
	// MaxSteps bounds the work for all links of a tree together.
	MaxSteps = 4_000_000
)

// settleLinks drops the links that lead out of the tree: on the host they must
// not be followed, and in the sandbox they would lead somewhere else. A link
// that leads in a circle is refused.
func (t *Tree) settleLinks(ctx context.Context) error {
	kept := t.Entries[:0:0]
	var outside []*Entry
	steps := 0
	for _, e := range t.Entries {
		if !e.IsLink() {
			kept = append(kept, e)
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		_, fate := t.Follow(e.Path, &steps)
		switch {
		case steps > MaxSteps:
			return usererr.Usage("the tree's symbolic links are too entangled to follow; assess a copy without them")
		case fate == Circle:
			return usererr.Usage("the symbolic link %s leads in a circle; remove it or assess a copy without it", usererr.Quote(e.Path))
		case fate == Outside:
			outside = append(outside, e)
			t.Notes.Add("left out the symbolic link %s: it leads out of the tree, to %s", usererr.Quote(e.Path), usererr.Quote(e.Target))
		default:
			kept = append(kept, e)
		}
	}
	for _, e := range outside {
		delete(t.ByPath, e.Path)
	}
	t.Entries = kept
	return nil
}

// Follow resolves p as the kernel would, but in the surveyed listing instead of
// the file system, so that the result cannot change meanwhile. For a path that
// does not exist it returns the path up to there. steps counts the work.
func (t *Tree) Follow(p string, steps *int) (string, Fate) {
	at := "."
	todo := strings.Split(p, "/")
	for hops := 0; len(todo) > 0; *steps++ {
		if *steps > MaxSteps {
			return at, Circle
		}
		name := todo[0]
		todo = todo[1:]
		switch {
		case name == "" || name == ".":
			continue
		case name == ".." && at == ".":
			return at, Outside
		case name == "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, name)
		e := t.ByPath[next]
		if e == nil {
			return next, Inside
		}
		if e.IsFile() {
			return strings.Join(append([]string{next}, todo[:min(1, len(todo))]...), "/"), Inside
		}
		if !e.IsLink() {
			at = next
			continue
		}
		if hops++; hops > MaxHops {
			return at, Circle
		}
		if path.IsAbs(e.Target) {
			return at, Outside
		}
		todo = append(strings.Split(e.Target, "/"), todo...)
		*steps += len(todo)
	}
	return at, Inside
}
