package npm

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// place is the location of a package.
type place struct {
	part *part.Part
	asks []ask
}

// tree is a directory with node_modules in it, on the disk or in a lock file.
type tree struct {
	places map[string]*place // by directory
	// follow resolves links.
	follow func(string) string
}

func newTree(follow func(string) string) *tree {
	return &tree{places: make(map[string]*place), follow: follow}
}

// at returns the package in a directory, following links.
func (t *tree) at(dir string) *place {
	if p := t.places[dir]; p != nil {
		return p
	}
	return t.places[t.follow(dir)]
}

// find looks for a package as node does: in the node_modules of the requiring
// directory, then in those above it, up to root.
func (t *tree) find(from, root, name string) *place {
	for dir := from; ; dir = disk.Dir(dir) {
		if dir != modules && !strings.HasSuffix(dir, "/"+modules) {
			if p := t.at(disk.Below(dir, modules+"/"+name)); p != nil {
				return p
			}
		}
		if dir == root || dir == "" {
			return nil
		}
	}
}

// connect resolves the dependencies of every package, and returns the missing
// ones: the directory and the name.
func (t *tree) connect(root func(dir string) string) (missing [][2]string) {
	for dir, p := range t.places {
		for _, a := range p.asks {
			if a.dev {
				continue // nobody installs development dependencies of others
			}
			if found := t.find(dir, root(dir), a.name); found != nil {
				p.part.Need(false, found.part)
			} else if !a.soft {
				missing = append(missing, [2]string{dir, a.name})
			}
		}
	}
	return missing
}
