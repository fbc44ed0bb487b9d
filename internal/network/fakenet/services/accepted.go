package services

import (
	"net/http"
	"strings"
)

// accepted answers a client that asks for one kind of file and for no JSON.
func accepted(s *Services, r *Request) *Answer {
	accept := strings.ToLower(r.Header("Accept"))
	if r.Method != http.MethodGet && r.Method != http.MethodPost || strings.Contains(accept, "json") || strings.Contains(accept, "text/html") {
		return nil
	}
	first, _, _ := strings.Cut(accept, ",")
	kind, _, _ := strings.Cut(strings.TrimSpace(first), ";")
	ext := map[string]string{
		"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/*": "png", "application/zip": "zip",
		"text/csv": "csv", "application/x-tar": "tar", "application/gzip": "gz", "image/svg+xml": "svg", "text/markdown": "md", "text/plain": "txt",
		"text/xml": "xml", "application/xml": "xml", "application/rss+xml": "rss", "application/atom+xml": "atom",
	}[kind]
	if ext == "" {
		return nil
	}
	return fileOf(ext, []entry{{"README.md", "# Release\n\nSee the documentation for how to use it.\n"}})
}
