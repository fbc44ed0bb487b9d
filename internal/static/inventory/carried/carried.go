// Package carried reads the SBOMs inside installed packages.
//
// It takes the CycloneDX documents that Python wheels have beside their
// metadata (PEP 770): only they list what is compiled into the wheel, mostly
// crates and libraries. It returns parts, their dependencies, and the package
// that contains them.
package carried

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Reader collects the contents of one disk's documents.
type Reader struct {
	parts *part.Collector
	disk  *disk.Disk
	// Owner returns the package that a metadata directory describes, nil if
	// none does.
	Owner func(info string) *part.Part

	documents []*listing
}

// listing is one document.
type listing struct {
	info  string
	parts map[string]*part.Part // by reference
	order []*part.Part
	needs [][2]string
}

// New returns a reader of SBOMs.
func New(parts *part.Collector, d *disk.Disk) *Reader {
	return &Reader{parts: parts, disk: d, Owner: func(string) *part.Part { return nil }}
}

// Wants reports whether a file is such an SBOM.
func (r *Reader) Wants(file string) bool {
	dir := path.Dir(file)
	return path.Base(dir) == "sboms" && strings.HasSuffix(path.Dir(dir), ".dist-info") && strings.HasSuffix(file, ".json")
}

// Read reads an SBOM.
func (r *Reader) Read(file string) {
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	doc, err := document.JSON(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	if doc.Get("bomFormat").Text() != "CycloneDX" {
		r.parts.Note(file, "a list of parts of this kind is not read")
		return
	}
	l := &listing{info: strings.Clone(path.Dir(path.Dir(file))), parts: make(map[string]*part.Part)}
	r.components(l, file, doc.Get("components"))
	for d := range doc.Get("dependencies").Items() {
		for _, to := range d.Get("dependsOn").Texts() {
			l.needs = append(l.needs, [2]string{strings.Clone(d.Get("ref").Text()), strings.Clone(to)})
		}
	}
	r.documents = append(r.documents, l)
}

// components adds parts. Components can be nested, as deep as documents are
// read.
func (r *Reader) components(l *listing, file string, list *document.Value) {
	for c := range list.Items() {
		id, from, ok := parse(c.Get("purl").Text())
		// Parts from a folder are the package's own source.
		if ok && !strings.HasPrefix(from, "file:") {
			p := r.parts.Add(part.Part{ID: id, Licences: licences(c), File: file, Installed: true})
			if p != nil {
				l.order = append(l.order, p)
				l.parts[strings.Clone(c.Get("bom-ref").Text())] = p
			}
		}
		r.components(l, file, c.Get("components"))
	}
}

func licences(c *document.Value) []string {
	var out []string
	for l := range c.Get("licenses").Items() {
		out = append(out, l.Get("expression").Text(), l.Get("license", "id").Text(), l.Get("license", "name").Text())
	}
	return out
}

// Finish connects the parts with each other, and those that no other needs with
// the package that contains them.
func (r *Reader) Finish() {
	for _, l := range r.documents {
		needed := make(map[*part.Part]bool)
		for _, n := range l.needs {
			from, to := l.parts[n[0]], l.parts[n[1]]
			if from != nil && to != nil {
				from.Need(false, to)
				needed[to] = true
			}
		}
		owner := r.Owner(l.info)
		if owner == nil {
			continue
		}
		for _, p := range l.order {
			if p.ID == owner.ID {
				p.Tell(owner.File) // the document lists the package, or parts of it
			} else if !needed[p] {
				owner.Need(false, p)
			}
		}
	}
}
