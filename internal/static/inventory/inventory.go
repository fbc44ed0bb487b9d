// Package inventory finds the packages that a server consists of.
//
// It takes the tree of an artifact, and trees where its dependencies were
// installed. It returns the packages, each with the files that list it, its
// dependency path and its dependencies, and notes about what was not understood
// or left out. It runs nothing and asks no registry, and the cost of hostile
// files is bounded.
package inventory

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/carried"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/golang"
	"github.com/mcpsf/mcpsf/internal/static/inventory/java"
	"github.com/mcpsf/mcpsf/internal/static/inventory/npm"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
	"github.com/mcpsf/mcpsf/internal/static/inventory/python"
	"github.com/mcpsf/mcpsf/internal/static/inventory/rust"
	"github.com/mcpsf/mcpsf/internal/static/inventory/system"
)

// Tree is an installation beside the artifact: a directory with node_modules,
// or with the metadata of installed Python packages.
type Tree struct {
	// Name is the prefix of its files' paths.
	Name string
	FS   fs.FS
	// At is the absolute path of the tree when the server runs. Without it no
	// locations of packages are reported.
	At string
}

// Options hold what else is known about the server. Nil works.
type Options struct {
	Extra []Tree
	// Self is the server's own package if the source knows it; only ecosystem,
	// name and version are used.
	Self mcpsf.Package
	// Dir is the directory of the server in the tree, "" for the top. In a
	// container image it is not the top.
	Dir string
	// At is the path of the artifact's tree when the server runs.
	At string
	// MaxFiles bounds the files that are listed; 0 is the default.
	MaxFiles int
	// MaxFile bounds one manifest or lock file, MaxBytes all of them; 0 is the
	// default.
	MaxFile, MaxBytes int64
}

// Result is what was found.
type Result struct {
	// Root is the server's own package; without a name if no file names it.
	Root mcpsf.Package
	// Packages are the other packages, by purl.
	Packages []mcpsf.Package
	// Notes list what was not understood or left out.
	Notes  []string
	Totals Totals
}

// Totals counts what was read.
type Totals struct {
	// Seen counts files and directories, Files those that were read.
	Seen, Files int
	Bytes       int64
	// Installed counts packages whose files are there, Direct those that the
	// server requires itself, Dev those for development, Unversioned those of
	// which only a range is known.
	Packages, Installed, Direct, Dev, Unversioned int
}

// reader reads the files of one ecosystem.
type reader interface {
	// Wants reports whether a file lists packages.
	Wants(file string) bool
	// Read reads such a file. It notes defects.
	Read(file string)
	// Finish is called after all files were read, to resolve dependencies.
	Finish()
}

// Read finds the packages in a tree. Links are never followed out of it, so any
// file system will do. The only errors are those of the context: a broken file
// is a note.
func Read(ctx context.Context, fsys fs.FS, opts *Options) (*Result, error) {
	if opts == nil {
		opts = &Options{}
	}
	parts := part.NewCollector()
	all := trees(fsys, opts.Extra)
	d := disk.New(parts, disk.Limits{Files: opts.MaxFiles, File: opts.MaxFile, Bytes: opts.MaxBytes}, all...)
	readers := All(ctx, parts, d, opts.Self)
	files, err := d.Walk(ctx, func(file string) bool {
		for _, r := range readers {
			if r.Wants(file) {
				return true
			}
		}
		return unread(file)
	})
	if err != nil {
		return nil, err
	}
	// Installed packages come first: manifests inside them are not the
	// server's.
	slices.SortStableFunc(files, func(a, b string) int { return rank(a) - rank(b) })
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if unread(file) {
			parts.Note(file, "lock files and manifests of this kind are not read")
		}
		for _, r := range readers {
			if r.Wants(file) {
				r.Read(file)
			}
		}
	}
	for _, r := range readers {
		r.Finish()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	result := merge(parts, opts)
	result.locate(d, opts, all)
	result.Notes = parts.Notes()
	result.Totals.Seen, result.Totals.Files, result.Totals.Bytes = d.Seen, d.Files, d.Bytes
	return result, nil
}

func rank(file string) int {
	if strings.HasSuffix(file, ".dist-info/METADATA") {
		return 0
	}
	return 1
}

// All lists the readers. Programs and archives inside an installed package
// belong to it, so their readers can look up that package.
func All(ctx context.Context, parts *part.Collector, d *disk.Disk, self mcpsf.Package) []reader {
	name := ""
	if self.Ecosystem == mcpsf.EcosystemPyPI {
		name = self.Name
	}
	node, pypi := npm.New(parts, d), python.New(parts, d, name)
	carrier := func(file string) *part.Part {
		if p := node.Carrier(file); p != nil {
			return p
		}
		return pypi.Carrier(file)
	}
	programs, crates, archives := golang.New(parts, d), rust.New(parts, d), java.New(ctx, parts, d)
	node.Outer, programs.Carrier, crates.Carrier, archives.Carrier = pypi.Carrier, carrier, carrier, carrier
	inside := carried.New(parts, d)
	inside.Owner = pypi.Described
	return []reader{node, pypi, programs, crates, archives, inside, system.New(parts, d)}
}

// trees puts the tree of the artifact first, and gives the others unused names.
func trees(fsys fs.FS, extra []Tree) []disk.Tree {
	out := []disk.Tree{{FS: fsys}}
	taken := make(map[string]bool)
	for _, t := range extra {
		name := strings.Trim(strings.ReplaceAll(t.Name, "/", "-"), ".")
		for name == "" || taken[name] || exists(fsys, name) {
			name += "+"
		}
		taken[name] = true
		out = append(out, disk.Tree{Name: name, FS: t.FS})
	}
	return out
}

// locate replaces the packages' locations in the trees by those when the server
// runs.
func (r *Result) locate(d *disk.Disk, opts *Options, trees []disk.Tree) {
	at := map[string]string{"": opts.At}
	for i, t := range opts.Extra {
		at[trees[i+1].Name] = t.At
	}
	for _, p := range append([]*mcpsf.Package{&r.Root}, pointers(r.Packages)...) {
		var dirs []string
		for _, dir := range p.Dirs {
			root := d.Root(dir)
			if at[root] != "" {
				dirs = append(dirs, path.Join(at[root], strings.TrimPrefix(dir, root)))
			}
		}
		p.Dirs = set(dirs)
	}
}

func pointers(packages []mcpsf.Package) []*mcpsf.Package {
	out := make([]*mcpsf.Package, len(packages))
	for i := range packages {
		out[i] = &packages[i]
	}
	return out
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Lstat(fsys, name)
	return err == nil
}

// unread reports whether a file lists packages of an ecosystem that has no
// reader.
func unread(file string) bool {
	if strings.Contains(file, "node_modules/") || strings.Contains(file, "site-packages/") {
		return false
	}
	switch file[strings.LastIndexByte(file, '/')+1:] {
	case "deno.lock", "Gemfile.lock", "composer.lock", "packages.lock.json", "mix.lock", "pubspec.lock", "Package.resolved",
		"conda-lock.yml", "environment.yml", "pixi.lock", "Podfile.lock", "stack.yaml.lock":
		return true
	}
	return false
}
