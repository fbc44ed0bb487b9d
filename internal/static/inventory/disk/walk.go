package disk

import (
	"context"
	"io/fs"
	"path"
	"strings"
)

// maxDepth bounds the nesting of directories. node_modules nests deepest.
// gap: source-not-read
const maxDepth = 100

// maxLinks bounds the links that are followed to one file, as the kernel does.
// gap: source-not-read
const maxLinks = 40

// Walk lists all trees and returns the wanted paths, those near the top first,
// so that deep files cannot use up the limit. It skips directories of version
// control and of compiled Python. The only error is that of the context.
func (d *Disk) Walk(ctx context.Context, wants func(path string) bool) ([]string, error) {
	var found []string
	for _, t := range d.trees {
		level := []string{"."}
		for depth := 0; len(level) > 0; depth++ {
			if depth > maxDepth {
				d.parts.Note(join(t.Name, level[0]), "directories below %d others were not looked into", maxDepth)
				break
			}
			var next []string
			for _, dir := range level {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if d.Seen >= d.limits.Files {
					d.parts.Note("", "more than %d files; the rest was not looked at", d.limits.Files)
					return found, nil
				}
				dirs, files := d.list(t, dir, wants)
				next, found = append(next, dirs...), append(found, files...)
			}
			level = next
		}
	}
	return found, nil
}

// list reads one directory: its subdirectories, by their path in the tree, and
// the wanted files, by their path on the disk.
func (d *Disk) list(t Tree, dir string, wants func(string) bool) (dirs, files []string) {
	entries, err := fs.ReadDir(t.FS, dir)
	if err != nil {
		d.parts.Note(join(t.Name, dir), "the directory cannot be read: %s", reason(err))
	}
	for _, e := range entries {
		d.Seen++
		name := path.Join(dir, e.Name())
		full := join(t.Name, name)
		switch kind := e.Type(); {
		case kind.IsDir():
			switch e.Name() {
			case ".git", ".hg", ".svn", "__pycache__":
			default:
				dirs = append(dirs, name)
			}
		case kind&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(t.FS, name)
			if err != nil {
				d.parts.Note(full, "the link cannot be read: %s", reason(err))
				continue
			}
			d.links[full] = target
			if wants(full) {
				files = append(files, full)
			}
		case kind.IsRegular() && wants(full):
			files = append(files, full)
		}
	}
	return dirs, files
}

// Link reports whether the path itself is a symbolic link.
func (d *Disk) Link(p string) bool {
	_, ok := d.links[p]
	return ok
}

// Real resolves the links on a path. An absolute link is resolved in its own
// tree, as if that were the whole machine. It returns false for a cycle.
func (d *Disk) Real(p string) (string, bool) {
	if len(d.links) == 0 {
		return path.Clean(p), true
	}
	root := ""
	if t, _ := d.tree(p); t.Name != "" {
		root = t.Name
	}
	out, rest := root, strings.TrimPrefix(p[len(root):], "/")
	for hops := 0; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			if out != root {
				out = strings.TrimPrefix(path.Dir("/"+out), "/")
			}
			continue
		}
		next := join(out, name)
		target, link := d.links[next]
		if !link {
			out = next
			continue
		}
		if hops++; hops > maxLinks {
			return "", false
		}
		if strings.HasPrefix(target, "/") {
			out = root
		}
		rest = target + "/" + rest
	}
	return out, true
}

// join is path.Join for a directory that may be the top.
func join(dir, name string) string {
	switch {
	case dir == "" || dir == ".":
		return path.Clean(name)
	case name == "" || name == ".":
		return dir
	}
	return dir + "/" + name
}

// Root returns the top of a path's tree, "" for the first.
func (d *Disk) Root(p string) string {
	t, _ := d.tree(p)
	return t.Name
}

// Roots returns the tops of all trees.
func (d *Disk) Roots() []string {
	roots := make([]string, len(d.trees))
	for i, t := range d.trees {
		roots[i] = t.Name
	}
	return roots
}

// Has reports whether a file exists.
func (d *Disk) Has(p string) bool {
	f, _, err := d.open(p)
	if err != nil {
		return false
	}
	f.Close()
	return true
}
