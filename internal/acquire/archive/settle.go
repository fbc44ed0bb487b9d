package archive

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Stripped is a directory that every entry is put into and that Finish removes
// again. Without it, Finish would remove the top directory of a repository that
// has only one.
const Stripped = "repository"

// Finish completes the tree after all entries were read: it removes the single
// top directory, and makes the links that stay inside.
func (u *Unpacker) Finish(ctx context.Context) error {
	if !u.KeepTop {
		if err := u.strip(); err != nil {
			return err
		}
	}
	t := u.Tree
	slices.SortFunc(t.Entries, func(a, b *staging.Entry) int { return strings.Compare(a.Path, b.Path) })
	kept := t.Entries[:0:0]
	var refused []*staging.Entry
	steps := 0
	for _, e := range t.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.IsLink() {
			kept = append(kept, e)
			continue
		}
		_, fate := t.Follow(e.Path, &steps)
		switch {
		case steps > staging.MaxSteps:
			return usererr.Usage("the symbolic links in %s are too entangled to follow; unpack it and assess a copy without them", usererr.Quote(u.Source))
		case fate == staging.Inside:
			kept = append(kept, e)
			continue
		case fate == staging.Outside:
			u.refuse(e.Path, "it is a symbolic link out of the tree, to "+usererr.Quote(e.Target))
		default:
			u.refuse(e.Path, "it is a symbolic link that leads in a circle")
		}
		refused = append(refused, e)
	}
	for _, e := range refused {
		delete(t.ByPath, e.Path)
	}
	t.Entries = kept
	return u.makeLinks()
}

func (u *Unpacker) makeLinks() error {
	for _, e := range u.Tree.Entries {
		if !e.IsLink() {
			continue
		}
		if err := u.dst.Symlink(e.Target, e.Path); err != nil {
			return fmt.Errorf("unpacking a symbolic link: %w", err)
		}
	}
	return nil
}

// strip removes the single top directory, such as npm's "package" or the
// "name-1.0" of a source distribution. No link exists yet.
func (u *Unpacker) strip() error {
	top, children := u.onlyDirectory()
	if len(children) == 0 {
		return nil
	}
	// A child can have its parent's name, so the parent is first renamed to an
	// unused name.
	aside := "0"
	for i := 1; children[aside] != nil || aside == top; i++ {
		aside = strconv.Itoa(i)
	}
	if err := u.dst.Rename(top, aside); err != nil {
		return fmt.Errorf("moving the unpacked files: %w", err)
	}
	for name, e := range children {
		if e.IsLink() {
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
	u.Top = top
	return nil
}

// onlyDirectory returns the single directory in the root of the tree and its
// direct children, nothing if the root has more.
func (u *Unpacker) onlyDirectory() (top string, children map[string]*staging.Entry) {
	children = map[string]*staging.Entry{}
	for _, e := range u.Tree.Entries {
		first, rest, below := strings.Cut(e.Path, "/")
		if top == "" {
			top = first
		}
		if first != top || !below && !e.IsDir() {
			return "", nil
		}
		if below && !strings.Contains(rest, "/") {
			children[rest] = e
		}
	}
	return top, children
}

// rebase removes top from every path.
func (u *Unpacker) rebase(top string) {
	t := u.Tree
	t.ByPath = make(map[string]*staging.Entry, len(t.Entries))
	kept := t.Entries[:0]
	for _, e := range t.Entries {
		if e.Path == top {
			continue
		}
		e.Path = strings.TrimPrefix(e.Path, top+"/")
		kept = append(kept, e)
		t.ByPath[e.Path] = e
	}
	clear(t.Entries[len(kept):])
	t.Entries = kept
}
