package services

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// absent answers downloads during an installation with 404. Installers that
// download a browser, headers or a prebuilt binary can do without it; a fake
// file would break them. Uploads and scripts are served as usual.
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

// isFile decides by the file extension. Numbers are no extension, and API
// formats are no files.
func isFile(name string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	return !slices.Contains(lists().Install.NotFiles, ext) && len(ext) <= 10 && strings.Trim(ext, "0123456789") != "" && !strings.ContainsAny(ext, " %@:")
}

// isRelease recognises paths where projects keep their builds, and lists of
// builds.
func isRelease(r *Request) bool {
	p := strings.ToLower(r.Path)
	known := &lists().Install
	return hasAny(p+"/", known.Paths...) || hasAny(path.Base(p), known.Platforms...) || hasAny(r.Domain()+p, known.Browsers...)
}
