package python

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// poetryLock reads a poetry.lock of any version.
func (lf *lockFiles) poetryLock(file string, data []byte) lock {
	doc := readTOML(lf.parts, file, data)
	lf.known(file, doc.Get("metadata", "lock-version").Word(), "1.", "2.")
	l := make(lock)
	needs := make(map[*part.Part][]string)
	older := doc.Get("metadata", "files") // up to version 1
	for e := range doc.Get("package").Items() {
		name := e.Get("name").Text()
		if kind := e.Get("source", "type").Text(); kind == "directory" {
			continue // a directory of this tree
		}
		files := e.Get("files")
		if files == nil {
			files = older.Get(name)
		}
		url := e.Get("source", "url").Text()
		switch e.Get("source", "type").Text() {
		case "git":
			url = "git+" + url
		case "url":
		default:
			url = ""
		}
		p := lf.add(l, part.Part{
			ID:      part.ID{Name: name, Version: e.Get("version").Text()},
			Digests: fileHashes(files, "hash"), From: source(url), File: file, Dev: poetryDev(e),
		})
		for need := range e.Get("dependencies").Fields() {
			needs[p] = append(needs[p], normal(need))
		}
	}
	l.connect(needs)
	return l
}

// poetryDev reports whether a package is only in development groups.
func poetryDev(e *document.Value) bool {
	groups := e.Get("groups").Texts()
	if category := e.Get("category").Text(); category != "" {
		groups = []string{category}
	}
	return onlySpare(groups, "main")
}

// onlySpare reports whether all groups are optional: there are some, and the
// main one is not among them.
func onlySpare(groups []string, main string) bool {
	return len(groups) > 0 && !slices.Contains(groups, main)
}

// pdmLock reads a pdm.lock of any version.
func (lf *lockFiles) pdmLock(file string, data []byte) lock {
	doc := readTOML(lf.parts, file, data)
	lf.known(file, doc.Get("metadata", "lock_version").Word(), "2", "3", "4.", "4")
	l := make(lock)
	needs := make(map[*part.Part][]string)
	older := doc.Get("metadata", "files") // up to version 4.2
	for e := range doc.Get("package").Items() {
		name, version := e.Get("name").Text(), e.Get("version").Text()
		if e.Get("path").Text() != "" {
			continue // a directory of this tree
		}
		files := e.Get("files")
		if files == nil {
			files = older.Get(name + " " + version)
		}
		url := e.Get("git").Text()
		if url != "" {
			url = "git+" + url
		} else {
			url = e.Get("url").Text()
		}
		p := lf.add(l, part.Part{
			ID: part.ID{Name: name, Version: version}, Digests: fileHashes(files, "hash"), From: source(url),
			File: file, Dev: onlySpare(e.Get("groups").Texts(), "default"),
		})
		for _, text := range e.Get("dependencies").Texts() {
			if req, ok := parse(text); ok && req.name != normal(name) {
				needs[p] = append(needs[p], req.name)
			}
		}
	}
	l.connect(needs)
	return l
}

// pipfileLock reads a Pipfile.lock.
func (lf *lockFiles) pipfileLock(file string, data []byte) lock {
	doc, err := document.JSON(data)
	if err != nil {
		lf.parts.Note(file, "%v", err)
	}
	lf.known(file, doc.Get("_meta", "pipfile-spec").Word(), "6", "5")
	l := make(lock)
	for group, list := range doc.Fields() {
		if group == "_meta" {
			continue
		}
		for name, e := range list.Fields() {
			if e.Get("path").Text() != "" || e.Get("editable").True() && e.Get("git").Text() == "" {
				continue // a directory of this tree
			}
			url := e.Get("git").Text()
			if url != "" {
				url = "git+" + url
			}
			lf.add(l, part.Part{
				ID:      part.ID{Name: name, Version: exact(e.Get("version").Text())},
				Digests: e.Get("hashes").Texts(), From: source(url), File: file, Dev: group == "develop",
			})
		}
	}
	return l
}

// pipfile reads the requirements of a Pipfile.
func (ps *projects) pipfile(file string, data []byte) {
	doc := readTOML(ps.parts, file, data)
	p := ps.project(disk.Dir(file), file)
	p.told = true
	p.poetryTable(file, doc.Get("packages"), false)
	p.poetryTable(file, doc.Get("dev-packages"), true)
}

// readTOML reads a file and notes defects.
func readTOML(parts *part.Collector, file string, data []byte) *document.Value {
	doc, err := document.TOML(data)
	if err != nil {
		parts.Note(file, "%v", err)
	}
	return doc
}

// connect resolves the dependencies within the lock file.
func (l lock) connect(needs map[*part.Part][]string) {
	for p, names := range needs {
		for _, name := range names {
			p.Need(false, l[name]...)
		}
	}
}

// fileHashes returns the digests of a package's published files.
func fileHashes(files *document.Value, key string) []string {
	var out []string
	for f := range files.Items() {
		if f.IsObject() {
			out = append(out, f.Get(key).Text())
		}
	}
	return out
}
