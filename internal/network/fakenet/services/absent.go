package services

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// absent is what an installation finds where files would be: nothing. Installers
// that download a browser, headers or a prebuilt binary have a way to do without
// it, which is better than a file that only looks like it. Uploads and scripts
// are served as ever.
func absent(s *Services, r *Request) *Answer {
	if !s.opts.Install || !r.Reads() {
		return nil
	}
	switch {
	case isRegistry(r), strings.HasSuffix(r.Path, "/info/refs") && r.Query.Get("service") != "git-receive-pack":
		return Page(http.StatusNotFound)
	case scriptKind(r) != "":
		return nil
	case isFile(r.base()), isRelease(r):
		return Page(http.StatusNotFound)
	}
	return nil
}

// isFile goes by the ending. Numbers are no ending, and what programs answer
// with is no file.
func isFile(name string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	return !slices.Contains(lists().Install.NotFiles, ext) && len(ext) <= 10 && strings.Trim(ext, "0123456789") != "" && !strings.ContainsAny(ext, " %@:")
}

// isRelease knows the places where projects keep what they built, lists of it
// included.
func isRelease(r *Request) bool {
	p := strings.ToLower(r.Path)
	known := &lists().Install
	return hasAny(p+"/", known.Paths...) || hasAny(path.Base(p), known.Platforms...) || hasAny(r.Domain()+p, known.Browsers...)
}
