package main

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/mcpsf/mcpsf/bench/twobuilds"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
)

// maxShown bounds a text of a server on the page.
const maxShown = 160

// page is the input of docs/depth.md.
type page struct{ Servers []server }

// server is a server with its two results.
type server struct {
	twobuilds.Pair[*result]
	// Account is set if it needs one.
	Account bool
}

// newPage takes what the list says of the accounts that servers need, too.
func newPage(list []twobuilds.Pair[*result], accounts map[string]string) *page {
	p := &page{}
	for _, pair := range list {
		p.Servers = append(p.Servers, server{pair, needsAccount(accounts[pair.Source], pair.Before, pair.After)})
	}
	return p
}

// text renders the page.
func (p *page) text() (string, error) {
	t, err := template.New("page").Funcs(template.FuncMap{"code": code, "words": words}).Parse(pageText)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := t.Execute(&text, p); err != nil {
		return "", fmt.Errorf("writing the page: %w", err)
	}
	return text.String(), nil
}

// Builds names both builds.
func (p *page) Builds() string {
	name := func(of func(*server) *result) string {
		version, digest := "", ""
		for i := range p.Servers {
			r := of(&p.Servers[i])
			digest = r.Binary
			if r.Tool != "" {
				version = r.Tool
			}
		}
		return fmt.Sprintf("mcpsf %s, digest %s", code(version), code(digest))
	}
	return "Before: " + name(func(s *server) *result { return s.Before }) + ". After: " + name(func(s *server) *result { return s.After }) + "."
}

// Profile is that of all assessments.
func (p *page) Profile() string { return p.Servers[0].After.Profile }

// group are the tools that did not work for reasons of one kind.
type group struct {
	Kind           kind
	Tools, Servers int
	// Example is one of them, and Source its server.
	Example *tool
	Source  string
}

// Groups sorts the tools that did not work with the build after.
func (p *page) Groups() []group {
	var list []group
	for _, k := range kinds() {
		g := group{Kind: k}
		for _, s := range p.Servers {
			failed := s.reasons()[k]
			g.Tools += len(failed)
			g.Servers += one(len(failed) > 0)
			for i := range failed {
				if g.Example == nil || g.Example.Reason == "" { // some builds give no reasons
					g.Example, g.Source = &failed[i], s.Source
				}
			}
		}
		if g.Tools > 0 {
			list = append(list, g)
		}
	}
	return list
}

// reasons are the tools that did not work with the build after, by kind.
func (s server) reasons() map[kind][]tool {
	sorted := map[kind][]tool{}
	for _, t := range s.After.failed() {
		k := kindOf(&t)
		sorted[k] = append(sorted[k], t)
	}
	return sorted
}

// Why says why tools did not work with the build after.
func (s server) Why() string {
	switch {
	case s.After.Error != "":
		return words(s.After.Error)
	case len(s.After.Tools) == 0:
		return words(s.After.Why)
	}
	var parts []string
	sorted := s.reasons()
	for _, k := range kinds() {
		if n := len(sorted[k]); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", k, n))
		}
	}
	return strings.Join(parts, ", ")
}

// Depth is how many tools worked.
func (r *result) Depth() string {
	if r.Band == "" {
		return "no report"
	}
	return fmt.Sprintf("%d of %d", r.worked(), len(r.Tools))
}

// code and words write a text that may come from a server. The checks of our pages
// would take a link in it for one of ours, and a flag for one of mcpsf.
func code(text string) string  { return foreign(mdtext.Code(text, maxShown)) }
func words(text string) string { return foreign(mdtext.Prose(text, maxShown)) }

func foreign(markdown string) string {
	return strings.NewReplacer("](", "] (", "`--", "` --").Replace(markdown)
}
