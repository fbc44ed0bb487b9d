package source

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// finish completes the tree when every entry was read: without the directory
// that holds everything, and with the links that stay inside.
func (u *unpacker) finish(ctx context.Context) error {
	if !u.keepTop {
		if err := u.strip(); err != nil {
			return err
		}
	}
	t := u.tree
	slices.SortFunc(t.entries, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	kept := t.entries[:0:0]
	var refused []*entry
	steps := 0
	for _, e := range t.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.isLink() {
			kept = append(kept, e)
			continue
		}
		_, fate := t.follow(e.path, &steps)
		switch {
		case steps > maxSteps:
			return usage("the symbolic links in %s are too entangled to follow; unpack it and assess a copy without them", quote(u.source))
		case fate == linkInside:
			kept = append(kept, e)
			continue
		case fate == linkOutside:
			u.refuse(e.path, "it is a symbolic link out of the tree, to "+quote(e.target))
		default:
			u.refuse(e.path, "it is a symbolic link that leads in a circle")
		}
		refused = append(refused, e)
	}
	for _, e := range refused {
		delete(t.byPath, e.path)
	}
	t.entries = kept
	return u.makeLinks()
}

func (u *unpacker) makeLinks() error {
	for _, e := range u.tree.entries {
		if !e.isLink() {
			continue
		}
		if err := u.dst.Symlink(e.target, e.path); err != nil {
			return fmt.Errorf("unpacking a symbolic link: %w", err)
		}
	}
	return nil
}

// strip takes away the one directory that everything is in, such as npm's
// "package" or the "name-1.0" of a source distribution. No link exists yet.
func (u *unpacker) strip() error {
	top, children := u.onlyDirectory()
	if len(children) == 0 {
		return nil
	}
	// A child can have its parent's name; the aside has nobody's.
	aside := "0"
	for i := 1; children[aside] != nil || aside == top; i++ {
		aside = strconv.Itoa(i)
	}
	if err := u.dst.Rename(top, aside); err != nil {
		return fmt.Errorf("moving the unpacked files: %w", err)
	}
	for name, e := range children {
		if e.isLink() {
			continue
		}
		if err := u.dst.Rename(path.Join(aside, name), name); err != nil {
			return fmt.Errorf("moving the unpacked files: %w", err)
		}
	}
	if err := u.dst.Remove(aside); err != nil {
		return fmt.Errorf("moving the unpacked files: %w", err)
	}
	u.rebase(top)
	u.top = top
	return nil
}

// onlyDirectory returns the one directory in the root of the tree and what is
// directly in it, nothing if there is more than it.
func (u *unpacker) onlyDirectory() (top string, children map[string]*entry) {
	children = map[string]*entry{}
	for _, e := range u.tree.entries {
		first, rest, below := strings.Cut(e.path, "/")
		if top == "" {
			top = first
		}
		if first != top || !below && !e.isDir() {
			return "", nil
		}
		if below && !strings.Contains(rest, "/") {
			children[rest] = e
		}
	}
	return top, children
}

// rebase takes top off every path.
func (u *unpacker) rebase(top string) {
	t := u.tree
	t.byPath = make(map[string]*entry, len(t.entries))
	kept := t.entries[:0]
	for _, e := range t.entries {
		if e.path == top {
			continue
		}
		e.path = strings.TrimPrefix(e.path, top+"/")
		kept = append(kept, e)
		t.byPath[e.path] = e
	}
	clear(t.entries[len(kept):])
	t.entries = kept
}
