package coderun

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/analysis"
)

// maxListed is how many places are listed.
// no gap: bounds what is shown; the count has all
const maxListed = 20

// Package is the server's own source.
type Package struct {
	// Files are its source files, Texts their content.
	Files []analysis.OwnFile
	Texts fs.FS
	// Root is where they are in the sandbox, Name the name of the package.
	Root, Name string
}

// Result says what ran. The zero value is that nothing is known.
type Result struct {
	Coverage *mcpsf.CodeCoverage
	// Ran are the places that ran.
	Ran []mcpsf.CodePlace
}

// Judge says which places of a package have run. It returns the zero value if
// nothing was reported: the server is neither Python nor Node.
func (r *Recording) Judge(p *Package) Result {
	if len(r.began) == 0 {
		return Result{}
	}
	j := &judgement{pkg: p, files: map[string]*analysis.OwnFile{}, seen: map[string]*recorded{}, texts: map[string]*sourceText{}}
	for i := range p.Files {
		if f := &p.Files[i]; r.began[runtimeOf(f)] {
			j.files[f.Path] = f
		}
	}
	for name, f := range r.files {
		if own := j.locate(name); own != "" {
			if j.seen[own] == nil {
				j.seen[own] = newRecorded()
			}
			j.seen[own].join(f)
		}
	}
	for _, f := range j.seen {
		f.settle()
	}
	return j.conclude()
}

// runtimeOf returns the runtime of a file. A page's scripts run in a browser, and
// not in a server that is Python.
func runtimeOf(f *analysis.OwnFile) string {
	if f.Python {
		return "python"
	}
	return "node"
}

type judgement struct {
	pkg *Package
	// files are those whose runtime was heard.
	files map[string]*analysis.OwnFile
	// seen are the files that ran, by their path in the package.
	seen  map[string]*recorded
	texts map[string]*sourceText
}

// locate returns the file of the package that a file in the sandbox is, "" if
// none. An installed package has its files once more.
func (j *judgement) locate(name string) string {
	tail, packaged := name, false
	for _, folder := range []string{"/node_modules/", "/site-packages/", "/dist-packages/"} {
		if i := strings.LastIndex(tail, folder); i >= 0 {
			tail, packaged = tail[i+len(folder):], true
		}
	}
	candidates := []string{strings.TrimPrefix(tail, j.pkg.Name+"/"), tail, path.Join("src", tail)}
	if !packaged {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(j.pkg.Root, "/")+"/")
		if !ok {
			return ""
		}
		candidates = []string{rest}
	}
	for _, c := range candidates {
		if j.files[c] != nil {
			return c
		}
	}
	return ""
}

func (j *judgement) conclude() Result {
	out := &mcpsf.CodeCoverage{}
	var ran []mcpsf.CodePlace
	for _, f := range j.seen {
		out.Functions += len(f.functions)
		for n := range f.functions {
			if f.ran[n] {
				out.Ran++
			}
		}
	}
	for _, f := range j.reachable() {
		for i := range f.Places {
			at := &f.Places[i]
			if j.ran(f, at.Line, at.Name) {
				ran = append(ran, *at)
				continue
			}
			out.NotRun++
			if len(out.PlacesNotRun) < maxListed {
				out.PlacesNotRun = append(out.PlacesNotRun, mcpsf.PlaceNotRun{Path: at.Path, Line: at.Line, What: at.Name})
			}
		}
	}
	return Result{out, ran}
}

// reachable returns the files that ran and those that they can load, in order.
// Tests, build scripts and other sources that nothing loads are not the server.
func (j *judgement) reachable() []*analysis.OwnFile {
	reached := map[string]bool{}
	var queue []string
	reach := func(name string) {
		if j.files[name] != nil && !reached[name] {
			reached[name] = true
			queue = append(queue, name)
		}
	}
	for name := range j.seen {
		reach(name)
	}
	if len(j.seen) == 0 { // its runtime began, and then nothing was heard
		j.reachAny(reach)
	}
	for len(queue) > 0 {
		f := j.files[queue[0]]
		queue = queue[1:]
		for _, to := range f.Loads {
			reach(to)
		}
		if slices.ContainsFunc(f.Computed, func(line int) bool { return j.ran(f, line, analysis.ComputedImport) }) {
			j.reachAny(reach)
		}
	}
	var out []*analysis.OwnFile
	for i := range j.pkg.Files {
		if f := &j.pkg.Files[i]; reached[f.Path] {
			out = append(out, f)
		}
	}
	return out
}

// reachAny reaches every file that is part of the server.
func (j *judgement) reachAny(reach func(string)) {
	for i := range j.pkg.Files {
		if f := &j.pkg.Files[i]; !f.Aside {
			reach(f.Path)
		}
	}
}

// ran tells whether a call in a line of a file ran.
func (j *judgement) ran(f *analysis.OwnFile, line int, name string) bool {
	seen := j.seen[f.Path]
	if seen == nil || seen.contradicts {
		return false
	}
	if f.Python {
		return seen.lines[line]
	}
	text := j.text(f.Path)
	return text != nil && text.length() == seen.length && text.ran(seen, line, name)
}

// text returns the content of a file, nil if it cannot be read.
func (j *judgement) text(name string) *sourceText {
	if t, ok := j.texts[name]; ok {
		return t
	}
	j.texts[name] = nil
	if source, err := fs.ReadFile(j.pkg.Texts, name); err == nil {
		j.texts[name] = newSourceText(source)
	}
	return j.texts[name]
}
