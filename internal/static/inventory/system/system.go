// Package system reads the package databases of the operating system in a
// container image.
//
// It takes the databases of dpkg and apk, and returns parts and their
// dependencies.
package system

import (
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
	// provides maps provided names to packages, for each database.
	provides map[string]map[string][]*entry
	entries  []*entry
	releases map[string]release // by the top of the tree
}

// entry is one package of a database.
type entry struct {
	part     *part.Part
	database string
	needs    []string
}

// New returns a reader of the packages of an operating system.
func New(parts *part.Collector, d *disk.Disk) *Reader {
	return &Reader{parts: parts, disk: d, provides: make(map[string]map[string][]*entry), releases: make(map[string]release)}
}

// Wants reports whether a file is a package database.
func (r *Reader) Wants(file string) bool {
	file = strings.TrimPrefix(strings.TrimPrefix(file, r.disk.Root(file)), "/")
	switch file {
	case "var/lib/dpkg/status", "lib/apk/db/installed", "usr/lib/apk/db/installed",
		"var/lib/rpm/rpmdb.sqlite", "var/lib/rpm/Packages", "usr/lib/sysimage/rpm/rpmdb.sqlite":
		return true
	}
	return path.Dir(file) == "var/lib/dpkg/status.d" && !strings.HasSuffix(file, ".md5sums")
}

// Read reads a database.
func (r *Reader) Read(file string) {
	if strings.Contains(file, "rpm") {
		r.parts.Note(file, "packages of RPM systems are not read")
		return
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	if strings.Contains(file, "apk/db") {
		r.apk(file, string(data))
		return
	}
	r.dpkg(file, string(data))
}

// enter adds a package under its names.
func (r *Reader) enter(e *entry, names ...string) {
	if e.part == nil {
		return
	}
	r.entries = append(r.entries, e)
	if r.provides[e.database] == nil {
		r.provides[e.database] = make(map[string][]*entry)
	}
	known := r.provides[e.database]
	for _, name := range append(names[:min(maxNeeds, len(names))], e.part.Name) {
		if name = strings.Clone(bare(name)); name != "" && len(known[name]) < part.MaxVersions && !slices.Contains(known[name], e) {
			known[name] = append(known[name], e)
		}
	}
}

// bare returns a name without version or architecture.
func bare(name string) string {
	if i := strings.IndexAny(name, "=<>~ ("); i >= 0 {
		name = name[:i]
	}
	if !strings.HasPrefix(name, "so:") && !strings.HasPrefix(name, "cmd:") && !strings.HasPrefix(name, "pc:") {
		name, _, _ = strings.Cut(name, ":")
	}
	return name
}

// Finish resolves the dependencies of every package.
func (r *Reader) Finish() {
	for _, e := range r.entries {
		for _, need := range e.needs {
			if found := r.provides[e.database][bare(need)]; len(found) > 0 {
				e.part.Need(false, found[0].part)
			}
		}
	}
	for _, root := range r.disk.Roots() {
		r.world(root)
	}
}

// release is a release of an operating system.
type release struct {
	ecosystem, distro string
}

// release reads the image's os-release.
func (r *Reader) release(file, fallback string) release {
	root := r.disk.Root(file)
	if known, ok := r.releases[root]; ok {
		return known
	}
	fields := make(map[string]string)
	for _, name := range []string{"etc/os-release", "usr/lib/os-release"} {
		if name = path.Join(root, name); !r.disk.Has(name) {
			continue
		}
		data, _ := r.disk.Read(name)
		for line := range strings.Lines(string(data)) {
			if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && len(fields) < 100 {
				fields[k] = strings.Trim(v, `"'`)
			}
		}
		break
	}
	out := edition(fields, fallback)
	if out.distro == "" {
		out.distro = strings.ToLower(fallback)
		r.parts.Note(file, "which release of %s it is was not found; advisories are about releases", fallback)
	}
	r.releases[root] = out
	return out
}

// edition returns the name of a release in advisories.
func edition(fields map[string]string, fallback string) release {
	id, version := fields["ID"], fields["VERSION_ID"]
	switch {
	case id == "debian" && version != "":
		major, _, _ := strings.Cut(version, ".")
		return release{mcpsf.EcosystemDebian + ":" + major, "debian-" + version}
	case id == "ubuntu" && version != "":
		name := "Ubuntu:" + version
		if strings.Contains(fields["VERSION"], "LTS") {
			name += ":LTS"
		}
		return release{name, "ubuntu-" + version}
	case id == "alpine" && version != "":
		numbers := strings.SplitN(version, ".", 3)
		if len(numbers) > 1 {
			version = numbers[0] + "." + numbers[1]
		}
		return release{mcpsf.EcosystemAlpine + ":v" + version, "alpine-" + fields["VERSION_ID"]}
	case id == "wolfi":
		return release{"Wolfi", "wolfi-" + version}
	case id == "chainguard":
		return release{"Chainguard", "chainguard-" + version}
	}
	return release{ecosystem: fallback}
}
