// Package java reads the files that list Maven packages.
//
// It takes pom.xml, Gradle's lock files, and Java archives with nested ones,
// and returns parts and their dependencies.
package java

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Reader collects the contents of one disk's files.
type Reader struct {
	parts *part.Collector
	disk  *disk.Disk
	// Carrier returns the package that contains a file, nil if none does.
	Carrier func(file string) *part.Part

	poms   map[string]*pom // by file
	order  []string
	jars   []*jar
	named  map[string][]*part.Part // packages of archives, by name
	budget budget
	gradle map[string]bool // directories with a Gradle lock file
	builds []string        // Gradle build scripts, which are not run
}

// New returns a reader of Maven packages. The end of the context stops the
// reading of archives.
func New(ctx context.Context, parts *part.Collector, d *disk.Disk) *Reader {
	return &Reader{
		parts: parts, disk: d, poms: make(map[string]*pom), named: make(map[string][]*part.Part), gradle: make(map[string]bool),
		budget:  budget{bytes: maxUnpacked, archives: maxArchives, room: maxHeld, done: ctx.Done()},
		Carrier: func(string) *part.Part { return nil },
	}
}

// Wants reports whether a file lists Maven packages.
func (r *Reader) Wants(file string) bool {
	switch base := path.Base(file); base {
	case "pom.xml", "gradle.lockfile", "buildscript-gradle.lockfile", "build.gradle", "build.gradle.kts":
		return !strings.Contains("/"+file, "/node_modules/")
	default:
		return isArchive(base)
	}
}

// Read reads a file.
func (r *Reader) Read(file string) {
	base := path.Base(file)
	switch {
	case isArchive(base):
		r.archive(file)
		return
	case r.Carrier(file) != nil:
		return // development files of an installed package
	case strings.HasPrefix(base, "build.gradle"):
		r.builds = append(r.builds, file)
		return
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	if base != "pom.xml" {
		r.gradleLock(file, string(data))
		return
	}
	p, err := readPOM(file, data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	r.poms[file] = p
	r.order = append(r.order, file)
}

// gradleLock reads "group:artifact:version=configurations".
func (r *Reader) gradleLock(file, data string) {
	r.gradle[path.Dir(file)] = true
	side := part.Aside(strings.TrimPrefix(path.Dir(file), r.disk.Root(file)))
	for line := range strings.Lines(data) {
		line = strings.TrimSpace(line)
		name, configurations, ok := strings.Cut(line, "=")
		if line == "" || line[0] == '#' || name == "empty" {
			continue
		}
		fields := strings.Split(name, ":")
		if !ok || len(fields) != 3 {
			r.parts.Note(file, "it has a line that is not understood: %s", part.Quote(line))
			continue
		}
		dev := side || strings.HasPrefix(path.Base(file), "buildscript")
		if !dev {
			dev = !slices.ContainsFunc(strings.Split(configurations, ","), func(c string) bool {
				return !strings.Contains(strings.ToLower(c), "test")
			})
		}
		r.parts.Add(part.Part{
			ID:   part.ID{Ecosystem: mcpsf.EcosystemMaven, Name: fields[0] + ":" + fields[1], Version: fields[2]},
			File: file, Dev: dev,
		})
	}
}

// Finish resolves all dependencies.
func (r *Reader) Finish() {
	for _, file := range r.builds {
		if !r.gradle[path.Dir(file)] && !r.gradle[r.top(file)] {
			r.parts.Note(file, "it is a program, which was not run, and there is no gradle.lockfile; what it asks for is not known")
		}
	}
	own := make(map[string]bool)
	for _, file := range r.order {
		p := r.poms[file]
		own[p.group+":"+p.artifact] = true
	}
	for _, file := range r.order {
		r.project(r.family(r.poms[file]), own)
	}
	for _, j := range r.jars {
		r.connect(j, own)
	}
}

// top is the directory of a tree's top.
func (r *Reader) top(file string) string { return path.Join(r.disk.Root(file), ".") }

// family collects the parents that are in the tree.
func (r *Reader) family(p *pom) family {
	f := family{p}
	for len(f) < maxParents {
		next := r.poms[f[len(f)-1].parent]
		if next == nil || slices.Contains(f, next) {
			break
		}
		f = append(f, next)
	}
	return f
}

// project adds a pom.xml of the server's own.
func (r *Reader) project(f family, own map[string]bool) {
	p := f[0]
	if p.artifact == "" {
		return
	}
	me := r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemMaven, Name: f.expand(p.group) + ":" + f.expand(p.artifact), Version: exact(f.expand(p.version))},
		Licences: p.licences, File: p.file, Own: true,
	})
	side := part.Aside(strings.TrimPrefix(path.Dir(p.file), r.disk.Root(p.file)))
	for _, d := range p.dependencies {
		d = f.resolve(d)
		name := d.group + ":" + d.artifact
		if own[name] || d.artifact == "" {
			continue
		}
		needed := part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemMaven, Name: name, Version: exact(d.version)}, File: p.file}
		if needed.Version == "" {
			if needed.Wanted = d.version; needed.Wanted == "" {
				needed.Wanted = "*" // defined in a file outside the tree
			}
		}
		me.Need(side || d.scope == "test", r.found(needed)...)
	}
}

// found returns the archives of a package, or the package as it is required.
func (r *Reader) found(p part.Part) []*part.Part {
	var same []*part.Part
	for _, candidate := range r.named[p.Name] {
		if p.Version == "" || p.Version == candidate.Version {
			same = append(same, candidate)
		}
	}
	if len(same) == 0 {
		same = append(same, r.parts.Add(p))
	}
	return same
}
