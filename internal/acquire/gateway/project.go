package gateway

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

const (
	simpleJSON   = "application/vnd.pypi.simple.v1+json"
	simpleHTML   = "application/vnd.pypi.simple.v1+html"
	acceptSimple = simpleJSON + ", " + simpleHTML + "; q=0.1, text/html; q=0.01"
)

// maxLinks bounds the files of a project.
// no gap: beyond it the package manager gets an error, which is recorded
const maxLinks = 100_000

// link is a file of a project, in either form of the index.
type link struct {
	file    string
	address string
	// hashes are hexadecimal by algorithm.
	hashes map[string]string
	python string
	// yanked is why it should not be used, nil if it may be used.
	yanked *string
	// metadata are the hashes of its metadata file, nil if there is none.
	metadata map[string]string
	size     int64 // 0 if it is not known
	uploaded string
}

// project answers with a project's files in all indexes, in the form that the
// client prefers.
func (g *Gateway) project(x *exchange, to *target) error {
	contentType, render := "text/html; charset=utf-8", renderHTML
	accept := x.r.Header.Get("Accept")
	if strings.Contains(accept, simpleJSON) || strings.Contains(accept, "application/vnd.pypi.simple.latest+json") {
		contentType, render = simpleJSON, renderJSON
	}
	return g.page(x, "pypi "+to.name+" "+contentType, func() (*page, error) {
		links, err := g.links(x, to.name)
		if err != nil {
			return nil, err
		}
		body, err := render(to.name, links)
		if err != nil {
			return nil, err
		}
		return newPage(contentType, body), nil
	})
}

// links asks every index. If one fails, the others still answer, as with pip.
// Of files with the same name, the first index's is used.
func (g *Gateway) links(x *exchange, name string) ([]link, error) {
	var (
		all   []link
		seen  = map[string]bool{}
		found bool
		worst error
	)
	for i, reg := range g.opts.Client.PyPI() {
		links, err := g.linksAt(x, i, reg, name)
		if err != nil {
			if f, ok := errors.AsType[*failure](err); worst == nil || (ok && f.status != http.StatusNotFound) {
				worst = err
			}
			continue
		}
		found = true
		for _, l := range links {
			if !seen[l.file] && len(all) < maxLinks {
				seen[l.file] = true
				all = append(all, l)
			}
		}
	}
	if found {
		return all, nil
	}
	if worst == nil {
		worst = &failure{status: http.StatusNotFound, text: "no index is configured"}
	}
	return nil, worst
}

// linksAt are the files of one index, with our own URLs.
func (g *Gateway) linksAt(x *exchange, index int, reg registry.Registry, name string) ([]link, error) {
	what := "PyPI project " + strconv.Quote(name)
	src, err := g.fetch(x, what, reg, name+"/", acceptSimple)
	if err != nil {
		return nil, err
	}
	links, base, err := parseSimple(src)
	if err != nil {
		return nil, g.failed(x.r.Context(), what, reg, 0, err)
	}
	kept := links[:0]
	for _, l := range links {
		if g.readdress(&l, index, reg.URL, base) {
			kept = append(kept, l)
		}
	}
	if g.opts.Before.IsZero() {
		return kept, nil
	}
	return g.before(x, index, reg, name, kept), nil
}

// readdress replaces a link's URL by ours. It returns false for a file that is
// not fetched.
func (g *Gateway) readdress(l *link, index int, reg, base *url.URL) bool {
	u, err := resolve(reg, base, l.address)
	if err != nil {
		g.opts.Logger.Debug("the index names a file that is not fetched", "reason", err)
		return false
	}
	// As in pip, the name of a file is the end of its URL.
	l.file = path.Base(u.Path)
	if !projectFile.MatchString(l.file) {
		return false
	}
	l.address = g.base + "pypi-files/" + g.addresses.encrypt(&upstreamFile{
		kind: targetPyPIFile, registry: strconv.Itoa(index), entry: "pypi " + l.file, file: l.file, address: u.String(),
	}) + "/" + url.PathEscape(l.file)
	return true
}

// parseSimple parses a project page, and returns what its URLs are relative to.
func parseSimple(src *source) ([]link, *url.URL, error) {
	if mediaType, _, _ := strings.Cut(src.contentType, ";"); strings.HasSuffix(strings.TrimSpace(mediaType), "json") {
		links, err := parseSimpleJSON(src.body)
		return links, src.at, err
	}
	links, base := parseSimpleHTML(src.body)
	if ref, err := src.at.Parse(base); base != "" && err == nil {
		return links, ref, nil
	}
	return links, src.at, nil
}
