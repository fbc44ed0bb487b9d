package image

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
)

// A layer removes content of lower ones by an entry of a special name
// (whiteout): one with the prefix removes the file of that name, and one with
// opaqueMark everything in its directory. What the same layer puts there stays,
// in any order of entries.
const (
	whiteoutPrefix = ".wh."
	opaqueMark     = ".wh..wh..opq"
)

func (f *rootfs) whiteout(p string) error {
	dir, err := f.walk(path.Dir(p), false)
	if err != nil || dir == nil {
		return err
	}
	mark := path.Base(p)
	if mark == opaqueMark {
		return f.clear(dir)
	}
	name := strings.TrimPrefix(mark, whiteoutPrefix)
	switch {
	case strings.HasPrefix(name, whiteoutPrefix):
		return nil // internal data of a storage driver
	case name == "" || name == "." || name == "..":
		return archive.RefusedError("it is a mark to remove the directory it is in, or the one above")
	}
	if n := dir.children[name]; n != nil {
		return f.hide(n)
	}
	return nil
}

// hide removes what lower layers have of n.
func (f *rootfs) hide(n *node) error {
	f.steps++
	switch {
	case n.layer != f.layer:
		return f.remove(n)
	case n.isDir():
		return f.clear(n)
	}
	return nil
}

// clear removes what lower layers have in dir. Each directory is cleared once
// per layer, however often that is requested.
func (f *rootfs) clear(dir *node) error {
	if dir.cleared == f.layer {
		return nil
	}
	dir.cleared = f.layer
	for _, n := range dir.children {
		if err := f.hide(n); err != nil {
			return err
		}
	}
	return nil
}
