package java

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// fileName matches archive names with a version.
var fileName = lazyregexp.New(`^(.{1,100}?)-(\d[0-9A-Za-z.+_-]{0,60})$`)

// jar is an archive, and the one that contains it.
type jar struct {
	file  string
	outer *jar
	main  *part.Part
	// contents are packages that were merged into it.
	contents []*part.Part
	inner    []*jar
	pom      *pom
}

// archive reads an archive of the tree.
func (r *Reader) archive(file string) {
	if r.disk.Link(file) && r.disk.Has(file) {
		return // the link's target is read
	}
	f, size, err := r.disk.Open(file)
	if err != nil {
		r.parts.Note(file, "the archive cannot be read: %v", err)
		return
	}
	defer f.Close()
	r.jar(file, f, size, nil, 0)
}

// jar reads an archive and the nested ones.
func (r *Reader) jar(file string, in io.ReaderAt, size int64, outer *jar, depth int) {
	if err := r.budget.take(); err != nil {
		r.parts.Note(file, "the archive was not read: %v", err)
		return
	}
	z, err := r.budget.open(in, size)
	if err != nil {
		r.parts.Note(file, "the archive cannot be read: %v", err)
		return
	}
	c, err := r.budget.look(z)
	if err != nil {
		r.parts.Note(file, "not all of the archive was read: %v", err)
	}
	j := &jar{file: file, outer: outer}
	r.identify(j, c, digest(in, size))
	if outer == nil {
		r.jars = append(r.jars, j)
	} else {
		outer.inner = append(outer.inner, j)
	}
	if depth >= maxNested && len(c.inner) > 0 {
		r.parts.Note(file, "the archives in it were not read: they are %d deep", maxNested)
		return
	}
	for _, f := range c.inner {
		name := file + "!" + f.Name
		data, release, err := r.budget.hold(f)
		if err != nil {
			r.parts.Note(name, "the archive was not read: %v", err)
			if errors.Is(err, errBudget) {
				return
			}
			continue
		}
		r.jar(name, bytes.NewReader(data), int64(len(data)), j, depth+1)
		release()
	}
}

// identify determines which package an archive is, and which it contains.
func (r *Reader) identify(j *jar, c content, sum string) {
	base := strings.TrimSuffix(path.Base(j.file), path.Ext(j.file))
	artifact, version := base, ""
	if m := fileName.FindStringSubmatch(base); m != nil {
		artifact, version = m[1], m[2]
	}
	var main part.Part
	var contents []part.Part
	for _, data := range c.properties {
		p := pairs(data, "=")
		if p["groupId"] == "" || p["artifactId"] == "" {
			continue
		}
		one := part.Part{
			ID:   part.ID{Ecosystem: mcpsf.EcosystemMaven, Name: p["groupId"] + ":" + p["artifactId"], Version: p["version"]},
			File: j.file, Installed: true,
		}
		if main.Name == "" && (p["artifactId"] == artifact || len(c.properties) == 1) {
			main = one
		} else {
			contents = append(contents, one)
		}
	}
	if main.Name == "" {
		main = r.manifestPart(j.file, c.manifest, artifact, version)
	}
	main.Digests = []string{sum}
	j.describe(c, &main)
	j.main = r.enter(main)
	for _, one := range contents {
		j.contents = append(j.contents, r.enter(one))
	}
}

// describe keeps the pom.xml of the archive itself.
func (j *jar) describe(c content, main *part.Part) {
	for _, data := range c.poms {
		p, _ := readPOM(j.file, data)
		if p.group+":"+p.artifact == main.Name {
			j.pom = p
			j.pom.parent = ""
			main.Licences = p.licences
			return
		}
	}
}

func (r *Reader) enter(p part.Part) *part.Part {
	outermost, _, _ := strings.Cut(p.File, "!")
	p.Dirs = []string{outermost}
	out := r.parts.Add(p)
	if out != nil && len(r.named[out.Name]) < part.MaxVersions {
		r.named[out.Name] = append(r.named[out.Name], out)
	}
	return out
}

// manifestPart uses the manifest and the name of the file. Without a group the
// package cannot be looked up, but it is listed.
func (r *Reader) manifestPart(file string, manifest []byte, artifact, version string) part.Part {
	m := pairs(manifest, ":")
	if version == "" {
		version = first(m["Implementation-Version"], m["Bundle-Version"], m["Specification-Version"])
	}
	symbolic, _, _ := strings.Cut(m["Bundle-SymbolicName"], ";")
	group := m["Implementation-Vendor-Id"]
	if group == "" && strings.HasSuffix(symbolic, "."+artifact) {
		group = strings.TrimSuffix(symbolic, "."+artifact)
	}
	if group == "" && strings.Count(symbolic, ".") > 0 {
		group = symbolic
	}
	name := group + ":" + artifact
	if group == "" {
		r.parts.Note(file, "the archive does not say which package it is")
		name = artifact
	}
	if strings.ContainsAny(version, " \t") {
		version = ""
	}
	return part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemMaven, Name: name, Version: version}, File: file, Installed: true}
}

// pairs reads the lines of a manifest or of properties; a line that begins with
// a blank continues the previous one.
func pairs(data []byte, separator string) map[string]string {
	// gap: source-not-read
	const most = 1_000
	out := make(map[string]string)
	key := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if more, ok := strings.CutPrefix(line, " "); ok && key != "" {
			if len(out[key]) < maxText {
				out[key] += more
			}
			continue
		}
		k, v, ok := strings.Cut(line, separator)
		if !ok || strings.HasPrefix(k, "#") || len(out) >= most {
			key = ""
			continue
		}
		key = strings.TrimSpace(k)
		out[key] = strings.TrimSpace(v)
	}
	return out
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// connect finds the dependencies of an archive: those of its pom.xml, or else
// everything in it.
func (r *Reader) connect(j *jar, own map[string]bool) {
	if j.main == nil {
		return
	}
	if j.outer == nil {
		carrier := r.Carrier(j.file)
		carrier.Need(false, j.main)
		j.main.Own = carrier == nil && own[j.main.Name]
	}
	j.main.Need(false, j.contents...)
	if j.pom != nil && len(j.pom.dependencies) > 0 {
		f := family{j.pom}
		for _, d := range j.pom.dependencies {
			d = f.resolve(d)
			if d.scope != "test" && d.scope != "provided" {
				j.main.Need(false, r.named[d.group+":"+d.artifact]...)
			}
		}
	}
	for _, inner := range j.inner {
		if !j.main.Own && (j.pom == nil || len(j.pom.dependencies) == 0) {
			j.main.Need(false, inner.main)
		}
		r.connect(inner, own)
	}
}
