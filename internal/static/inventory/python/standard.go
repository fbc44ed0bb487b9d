package python

import (
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// uvLock reads a uv.lock. The projects themselves are among its packages.
func (lf *lockFiles) uvLock(file string, data []byte) lock {
	doc := readTOML(lf.parts, file, data)
	lf.known(file, doc.Get("version").Word(), "1")
	l := make(lock)
	needs := make(map[*part.Part][]versioned)
	for e := range doc.Get("package").Items() {
		if where, ok := uvOwn(e); ok {
			lf.projects.uvProject(disk.Below(disk.Dir(file), where), file, e)
			continue
		}
		url := e.Get("source", "git").Text()
		if url != "" {
			url = "git+" + url
		} else {
			url = e.Get("source", "url").Text()
		}
		digests := append(fileHashes(e.Get("wheels"), "hash"), e.Get("sdist", "hash").Text())
		p := lf.add(l, part.Part{
			ID: part.ID{Name: e.Get("name").Text(), Version: e.Get("version").Text()}, Digests: digests, From: source(url), File: file,
		})
		for _, list := range uvLists(e.Get("dependencies"), e.Get("optional-dependencies")) {
			for d := range list.Items() {
				needs[p] = append(needs[p], versioned{normal(d.Get("name").Text()), d.Get("version").Text()})
			}
		}
	}
	l.connectVersions(needs)
	return l
}

// versioned identifies a package in a lock file with several versions of it.
type versioned struct{ name, version string }

func (l lock) connectVersions(needs map[*part.Part][]versioned) {
	for p, list := range needs {
		for _, v := range list {
			for _, candidate := range l[v.name] {
				if v.version == "" || v.version == candidate.Version {
					p.Need(false, candidate)
				}
			}
		}
	}
}

// uvOwn reports whether an entry is a directory of the tree, and which.
func uvOwn(e *document.Value) (string, bool) {
	for _, kind := range []string{"virtual", "editable", "directory"} {
		if where := e.Get("source", kind).Text(); where != "" {
			if where == "." {
				where = ""
			}
			return where, true
		}
	}
	return "", false
}

// uvLists returns the main list and those of the extras.
func uvLists(list, extras *document.Value) []*document.Value {
	out := []*document.Value{list}
	for _, v := range extras.Fields() {
		out = append(out, v)
	}
	return out
}

// pylock reads a pylock.toml (PEP 751).
func (lf *lockFiles) pylock(file string, data []byte) lock {
	doc := readTOML(lf.parts, file, data)
	lf.known(file, doc.Get("lock-version").Word(), "1.")
	l := make(lock)
	needs := make(map[*part.Part][]versioned)
	for e := range doc.Get("packages").Items() {
		if e.Get("directory") != nil {
			continue // a directory of this tree
		}
		var digests []string
		for _, files := range []*document.Value{e.Get("wheels"), e.Get("attestation")} {
			for f := range files.Items() {
				digests = append(digests, pylockHashes(f)...)
			}
		}
		digests = append(append(digests, pylockHashes(e.Get("sdist"))...), pylockHashes(e.Get("archive"))...)
		url := e.Get("vcs", "url").Text()
		if url != "" {
			url = e.Get("vcs", "type").Text() + "+" + url
		} else {
			url = e.Get("archive", "url").Text()
		}
		p := lf.add(l, part.Part{
			ID: part.ID{Name: e.Get("name").Text(), Version: e.Get("version").Text()}, Digests: digests, From: source(url), File: file,
		})
		for d := range e.Get("dependencies").Items() {
			needs[p] = append(needs[p], versioned{normal(d.Get("name").Text()), d.Get("version").Text()})
		}
	}
	l.connectVersions(needs)
	return l
}

// pylockHashes returns the digests of one file, by algorithm.
func pylockHashes(f *document.Value) []string {
	var out []string
	for algorithm, v := range f.Get("hashes").Fields() {
		out = append(out, algorithm+":"+v.Text())
	}
	return out
}
