package image

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// maxSteps bounds the work of all name lookups of an image.
// no gap: a larger package, manifest or list is refused with an error
const maxSteps = 50_000_000

// node is a name in the file system of an image.
type node struct {
	name     string
	parent   *node            // nil for the root
	children map[string]*node // nil for what is no directory
	target   string           // of a symbolic link
	size     int64            // of a file; 0 for its further hard links
	// layer is the last layer that named it, or something below it.
	layer int
	// cleared is the last layer that removed the lower layers' content.
	cleared int
}

func (n *node) isDir() bool  { return n.children != nil }
func (n *node) isLink() bool { return n.target != "" }

func (n *node) path() string {
	var parts []string
	for ; n.parent != nil; n = n.parent {
		parts = append(parts, n.name)
	}
	if len(parts) == 0 {
		return "."
	}
	slices.Reverse(parts)
	return strings.Join(parts, "/")
}

// below reports whether n is in the tree of the node above.
func (n *node) below(above *node) bool {
	for ; n != nil; n = n.parent {
		if n == above {
			return true
		}
	}
	return false
}

// place puts n at p, after removing what is there.
func (f *rootfs) place(p string, n *node) (*node, error) {
	parent, err := f.parent(p)
	if err != nil {
		return nil, err
	}
	base := path.Base(p)
	if old := parent.children[base]; old != nil {
		if err := f.remove(old); err != nil {
			return nil, err
		}
	}
	if err := f.attach(parent, base, n); err != nil {
		return nil, err
	}
	f.touch(n)
	return n, nil
}

// parent returns the directory of p, and makes it if it is missing.
func (f *rootfs) parent(p string) (*node, error) {
	return f.walk(path.Dir(p), true)
}

// find returns the node at p without following a link at its end, nil if there
// is none.
func (f *rootfs) find(p string) (*node, error) {
	dir, err := f.walk(path.Dir(p), false)
	if err != nil || dir == nil || p == "." {
		return dir, err
	}
	return dir.children[path.Base(p)], nil
}

// walk follows p to a directory. Without makeDirs it returns nil if there is
// none.
func (f *rootfs) walk(p string, makeDirs bool) (*node, error) {
	at := f.root
	todo := strings.Split(p, "/")
	for hops := 0; len(todo) > 0; {
		if f.steps++; f.steps > maxSteps {
			return nil, usererr.Usage("the symbolic links in the image %s are too entangled to follow; do not use it", usererr.Quote(f.source))
		}
		name := todo[0]
		todo = todo[1:]
		next := at.children[name]
		switch {
		case name == "" || name == ".":
		case name == "..":
			if at.parent != nil {
				at = at.parent
			}
		case next == nil && !makeDirs:
			return nil, nil
		case next == nil:
			made, err := f.mkdir(at, name)
			if err != nil {
				return nil, err
			}
			at = made
		case next.isDir():
			at = next
		case next.isLink():
			if hops++; hops > staging.MaxHops {
				return nil, archive.RefusedError("it lies below a symbolic link that leads in a circle")
			}
			if path.IsAbs(next.target) {
				at = f.root
			}
			todo = append(strings.Split(next.target, "/"), todo...)
			f.steps += len(todo)
		case makeDirs:
			return nil, archive.RefusedError("it lies below " + usererr.Quote(next.path()) + ", which is no directory")
		default:
			return nil, nil
		}
	}
	return at, nil
}

func (f *rootfs) mkdir(parent *node, name string) (*node, error) {
	n := &node{children: map[string]*node{}}
	if err := f.attach(parent, name, n); err != nil {
		return nil, err
	}
	p := n.path()
	if err := f.dst.Mkdir(p, 0o755); err != nil {
		return nil, hostFailure(err)
	}
	f.touch(n)
	// A second chmod, because the umask cleared bits of the first mode.
	return n, hostFailure(f.dst.Chmod(p, 0o755))
}

// attach adds n to its parent, if that is within the limits: through a link the
// path can become longer than the name.
func (f *rootfs) attach(parent *node, name string, n *node) error {
	depth, length := 1, len(name)
	for up := parent; up.parent != nil; up = up.parent {
		depth++
		length += len(up.name) + 1
	}
	switch {
	case len(name) > usererr.MaxName || length > usererr.MaxPath:
		return archive.RefusedError("its path is too long")
	case depth > f.limits.MaxDepth:
		return usererr.Usage("%s in the image %s is nested deeper than %d directories; do not use it",
			usererr.Quote(path.Join(parent.path(), name)), usererr.Quote(f.source), f.limits.MaxDepth)
	case f.nodes >= f.limits.MaxFiles:
		return f.tooMany()
	}
	f.nodes++
	n.name, n.parent = name, parent
	parent.children[name] = n
	return nil
}

// touch marks n, and all directories above it, as named by this layer.
func (f *rootfs) touch(n *node) {
	for ; n != nil && n.layer != f.layer; n = n.parent {
		n.layer = f.layer
	}
}

func (f *rootfs) remove(n *node) error {
	if err := f.dst.RemoveAll(n.path()); err != nil {
		return hostFailure(err)
	}
	delete(n.parent.children, n.name)
	return nil
}

// count returns the number of files and their bytes.
func (f *rootfs) count() (files int, bytes int64) {
	todo := []*node{f.root}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range n.children {
			todo = append(todo, c)
		}
		if !n.isDir() && !n.isLink() {
			files++
			bytes += n.size
		}
	}
	return files, bytes
}

func (f *rootfs) tooMany() error {
	return usererr.Usage("the image %s has more than %d entries; mcpsf cannot assess images that large", usererr.Quote(f.source), f.limits.MaxFiles)
}
