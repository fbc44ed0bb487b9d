package code

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/described"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// gap: source-not-read
const (
	maxSeen = 400_000
	// maxScript is the maximum size of a file without an extension that is
	// read.
	maxScript = 512 << 10
)

// maxDocuments is how many files are read that may describe answers.
// no gap: what is not found out about answers is only answered as usual
const maxDocuments = 100

// entry is a source file.
type entry struct {
	path   string
	size   int64
	lang   ir.Language
	markup bool
	purl   string
	// declared is set if only what it declares about answers is read.
	declared bool
}

// surveyed lists the files to read.
type surveyed struct {
	own, dependencies []entry
	// documents are files that may describe answers.
	documents []string
	seen      int
	notes     []string
}

// survey lists the source files of a package. It does not follow links: their
// targets are listed where they are, or do not belong to the package.
func survey(ctx context.Context, fsys fs.FS, known func(string) (string, bool)) (*surveyed, error) {
	s := &surveyed{}
	dependency := newFolders(fsys).dependency
	if known != nil {
		folders := dependency
		dependency = func(p string) string {
			if purl, ok := known(p); ok {
				return purl
			}
			return folders(p)
		}
	}
	unreadable := 0
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && p == "." {
			return err
		}
		if err != nil {
			unreadable++
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if base := path.Base(p); base == ".git" || base == ".hg" || base == "__pycache__" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if s.seen++; s.seen > maxSeen {
			s.notes = append(s.notes, fmt.Sprintf("only the first %d files were looked at", maxSeen))
			return fs.SkipAll
		}
		s.add(fsys, p, d, dependency)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing the package's files: %w", err)
	}
	if unreadable > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d files or folders could not be opened", unreadable))
	}
	return s, nil
}

func (s *surveyed) add(fsys fs.FS, p string, d fs.DirEntry, dependency func(string) string) {
	lang, markup, ok := language(p)
	if !ok {
		if described.Wanted(p) && len(s.documents) < maxDocuments && dependency(p) == "" {
			s.documents = append(s.documents, p)
		}
		return
	}
	info, err := d.Info()
	if err != nil {
		return
	}
	e := entry{path: p, size: info.Size(), lang: lang, markup: markup, purl: dependency(p)}
	if lang == "" { // a script without an extension
		if e.size > maxScript || e.purl != "" {
			return
		}
		head, err := readFile(fsys, p, 200)
		if err != nil || shebang(head) == "" {
			return
		}
	}
	if e.purl != "" {
		s.dependencies = append(s.dependencies, e)
		return
	}
	s.own = append(s.own, e)
}

// language returns the language by the extension; "" if the content decides.
func language(p string) (lang ir.Language, markup, ok bool) {
	base := path.Base(p)
	switch ext := strings.ToLower(path.Ext(base)); ext {
	case ".js", ".mjs", ".cjs":
		return ir.JavaScript, false, true
	case ".jsx":
		return ir.JavaScript, true, true
	case ".ts", ".mts", ".cts":
		if strings.HasSuffix(base, ".d"+ext) {
			return "", false, false
		}
		return ir.TypeScript, false, true
	case ".tsx":
		return ir.TypeScript, true, true
	case ".py", ".pyw", ".pth":
		return ir.Python, false, true
	case "":
		return "", false, !strings.HasPrefix(base, ".") && base != "LICENSE" && base != "Makefile" && base != "README"
	}
	return "", false, false
}

// shebang returns the language in the first line.
func shebang(src []byte) ir.Language {
	if !bytes.HasPrefix(src, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(src, []byte{'\n'})
	switch {
	case bytes.Contains(line, []byte("node")), bytes.Contains(line, []byte("bun")), bytes.Contains(line, []byte("deno")):
		return ir.JavaScript
	case bytes.Contains(line, []byte("python")):
		return ir.Python
	}
	return ""
}

// readFile reads a file up to a limit.
func readFile(fsys fs.FS, p string, limit int64) ([]byte, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(f, limit)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// folders recognises dependencies by the folders of package managers.
type folders struct {
	fsys  fs.FS
	known map[string]string
}

func newFolders(fsys fs.FS) *folders { return &folders{fsys, map[string]string{}} }

func (f *folders) dependency(p string) string {
	if i := strings.LastIndex("/"+p, "/node_modules/"); i >= 0 {
		rest := ("/" + p)[i+len("/node_modules/"):]
		name, after, _ := strings.Cut(rest, "/")
		if strings.HasPrefix(name, "@") {
			second, _, _ := strings.Cut(after, "/")
			name += "/" + second
		}
		return f.npm(strings.TrimPrefix(("/" + p)[:i]+"/node_modules/"+name, "/"), name)
	}
	for _, dir := range []string{"/site-packages/", "/dist-packages/"} {
		if i := strings.LastIndex("/"+p, dir); i >= 0 {
			name, _, _ := strings.Cut(("/" + p)[i+len(dir):], "/")
			return "pkg:pypi/" + strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(name, ".py"), "_", "-"))
		}
	}
	return ""
}

// npm returns the purl of a package in a folder.
func (f *folders) npm(dir, name string) string {
	if purl, ok := f.known[dir]; ok {
		return purl
	}
	purl := "pkg:npm/" + strings.Replace(name, "@", "%40", 1)
	if raw, err := readFile(f.fsys, dir+"/package.json", 1<<20); err == nil {
		var doc struct {
			Version string `json:"version"`
		}
		if json.Unmarshal(raw, &doc) == nil && doc.Version != "" && len(doc.Version) < 60 {
			purl += "@" + doc.Version
		}
	}
	f.known[dir] = purl
	return purl
}
