package source

import (
	"context"
	"path"
	"strings"
)

// linkFate is where a symbolic link leads.
type linkFate int

const (
	linkInside  linkFate = iota // to a place in the tree, existing or not
	linkOutside                 // out of the tree, at any step
	linkCircle                  // round and round
)

const (
	// maxHops is Linux's own limit on links in one path.
	maxHops = 40
	// maxSteps bounds the work that all links of a tree together can cause.
	maxSteps = 4_000_000
)

// settleLinks drops the links that lead out of the tree: on the host they
// must not be followed, and in the sandbox they would lead somewhere else. A
// link that leads in a circle is refused.
func (t *tree) settleLinks(ctx context.Context) error {
	kept := t.entries[:0:0]
	var outside []*entry
	steps := 0
	for _, e := range t.entries {
		if !e.isLink() {
			kept = append(kept, e)
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		_, fate := t.follow(e.path, &steps)
		switch {
		case steps > maxSteps:
			return usage("the tree's symbolic links are too entangled to follow; assess a copy without them")
		case fate == linkCircle:
			return usage("the symbolic link %s leads in a circle; remove it or assess a copy without it", quote(e.path))
		case fate == linkOutside:
			outside = append(outside, e)
			t.notes.add("left out the symbolic link %s: it leads out of the tree, to %s", quote(e.path), quote(e.target))
		default:
			kept = append(kept, e)
		}
	}
	for _, e := range outside {
		delete(t.byPath, e.path)
	}
	t.entries = kept
	return nil
}

// follow resolves p as the kernel would, in the surveyed listing instead of
// the file system, so that the answer cannot change under us. For a path that
// ends nowhere it returns the path up to there. steps counts the work.
func (t *tree) follow(p string, steps *int) (string, linkFate) {
	at := "."
	todo := strings.Split(p, "/")
	for hops := 0; len(todo) > 0; *steps++ {
		if *steps > maxSteps {
			return at, linkCircle
		}
		name := todo[0]
		todo = todo[1:]
		switch {
		case name == "" || name == ".":
			continue
		case name == ".." && at == ".":
			return at, linkOutside
		case name == "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, name)
		e := t.byPath[next]
		if e == nil {
			return next, linkInside
		}
		if e.isFile() {
			return strings.Join(append([]string{next}, todo[:min(1, len(todo))]...), "/"), linkInside
		}
		if !e.isLink() {
			at = next
			continue
		}
		if hops++; hops > maxHops {
			return at, linkCircle
		}
		if path.IsAbs(e.target) {
			return at, linkOutside
		}
		todo = append(strings.Split(e.target, "/"), todo...)
		*steps += len(todo)
	}
	return at, linkInside
}
