// Package golang reads the files that list Go modules.
//
// It takes go.mod, go.sum, vendor/modules.txt and Go programs, and returns
// parts. None of these files says which module requires which.
package golang

import (
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Reader collects the contents of one disk's files.
type Reader struct {
	parts *part.Collector
	disk  *disk.Disk
	// Carrier returns the package that contains a file, nil if none does. A
	// program inside a package belongs to that package.
	Carrier func(file string) *part.Part

	modules  map[string]*module // go.mod by directory
	programs []program
}

// module is a go.mod.
type module struct {
	part    *part.Part
	version string // version of the language
	known   map[string]bool
}

// New returns a reader of Go modules.
func New(parts *part.Collector, d *disk.Disk) *Reader {
	return &Reader{parts: parts, disk: d, modules: make(map[string]*module), Carrier: func(string) *part.Part { return nil }}
}

// Wants reports whether a file lists Go modules, or may be a program.
func (r *Reader) Wants(file string) bool {
	dir, base := path.Split(file)
	switch base {
	case "go.mod", "go.sum":
		return !strings.Contains("/"+dir, "/vendor/") && !strings.Contains("/"+dir, "/node_modules/")
	case "modules.txt":
		return path.Base(dir) == "vendor"
	}
	return programName(base)
}

// Read reads a file.
func (r *Reader) Read(file string) {
	base := path.Base(file)
	if base != "go.mod" && base != "go.sum" && base != "modules.txt" {
		r.program(file)
		return
	}
	if r.Carrier(file) != nil {
		return // development files of an installed package
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	switch base {
	case "go.mod":
		r.mod(file, data)
	case "go.sum":
		r.sum(file, string(data))
	default:
		r.vendor(file, string(data))
	}
}

// maxModFile bounds a go.mod; the parser needs a hundred times that memory.
// gap: source-not-read
const maxModFile = 2 << 20

func (r *Reader) mod(file string, data []byte) {
	if len(data) > maxModFile {
		r.parts.Note(file, "it is larger than %d MB and was not read", maxModFile>>20)
		return
	}
	f, err := modfile.Parse(file, data, nil)
	if err != nil {
		// The most important parts of a newer go.mod can still be read.
		r.parts.Note(file, "it has something that is not understood; whether it replaces modules was not read")
		if f, err = modfile.ParseLax(file, data, nil); err != nil {
			return
		}
	}
	m := &module{known: make(map[string]bool)}
	name := ""
	if f.Module != nil {
		name = f.Module.Mod.Path
	}
	if f.Go != nil {
		m.version = f.Go.Version
	}
	m.part = r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemGo, Name: name}, File: file, Own: true})
	r.modules[path.Dir(file)] = m
	side := part.Aside(strings.TrimPrefix(path.Dir(file), r.disk.Root(file)))
	for _, require := range f.Require {
		name, version, here := replaced(f.Replace, require.Mod.Path, require.Mod.Version)
		m.known[require.Mod.Path] = true
		if here {
			continue // a directory of this tree, with its own go.mod
		}
		p := r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemGo, Name: name, Version: version}, File: file, Dev: side})
		if !require.Indirect {
			m.part.Need(side, p)
		}
	}
}

// replaced returns the replacement of a module, and whether it is a directory.
func replaced(list []*modfile.Replace, name, version string) (string, string, bool) {
	for _, r := range list {
		if r.Old.Path != name || r.Old.Version != "" && r.Old.Version != version {
			continue
		}
		if r.New.Version == "" {
			return name, version, true
		}
		return r.New.Path, r.New.Version, false
	}
	return name, version, false
}

// sum adds the modules that an old go.mod omits. Since Go 1.17 go.mod lists all
// needed modules, and go.sum more than that.
func (r *Reader) sum(file, data string) {
	// gap: source-not-read
	const most = 50_000
	m := r.modules[path.Dir(file)]
	if m != nil && semver.Compare("v"+m.version, "v1.17") >= 0 {
		return
	}
	highest := make(map[string]string)
	for line := range strings.Lines(data) {
		fields := strings.Fields(line)
		if len(fields) != 3 || strings.HasSuffix(fields[1], "/go.mod") || m != nil && m.known[fields[0]] {
			continue
		}
		if semver.Compare(fields[1], highest[fields[0]]) > 0 && len(highest) < most {
			highest[fields[0]] = fields[1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(highest)) {
		r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemGo, Name: name, Version: highest[name]}, File: file})
	}
}

// vendor reads the list of the modules whose files are in the tree.
func (r *Reader) vendor(file, data string) {
	for line := range strings.Lines(data) {
		fields := strings.Fields(line)
		if len(fields) == 6 && fields[3] == "=>" {
			fields = append(fields[:1], fields[4:]...)
		}
		if len(fields) == 3 && fields[0] == "#" { // others were replaced by a directory
			r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemGo, Name: fields[1], Version: fields[2]}, File: file, Installed: true})
		}
	}
}
