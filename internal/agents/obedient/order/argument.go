package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// argumentsIn are the arguments that a sentence states.
func (r *Resolver) argumentsIn(s *utterance, tool int) toolkit.Arguments {
	k := &r.Profiles[tool]
	a := toolkit.Arguments{}
	from, to := s.Extent()
	for _, m := range assigned.FindAllStringSubmatch(s.Source[from:to], 8) {
		if p := k.Named(m[1]); p != nil {
			a.Set(p, trim(m[2]))
		}
	}
	for i, w := range s.Words {
		var role toolkit.Role
		switch w.Shape {
		case promptscan.ShapeMail:
			role = toolkit.RoleReceiver
		case promptscan.ShapeURL:
			role = toolkit.RoleURL
		case promptscan.ShapePath:
			role = toolkit.RolePath
		default:
			continue
		}
		if p := k.Param(role); p != nil && a[p.Name] == nil {
			a.Set(p, s.Literal(i))
		}
	}
	if q := s.QuotedText(); q != "" {
		if p := k.Room(a); p != nil && !slices.ContainsFunc(k.Params, func(p toolkit.Param) bool { return p.Name == q }) {
			a.Set(p, q)
		}
	}
	return a
}

var assigned = lazyregexp.New("([A-Za-z_][A-Za-z0-9_]{0,60})`?\\s*(?::=|=)\\s*`?(\"[^\"\\n]{1,200}\"|'[^'\\n]{1,200}'|[^\\s,;`()\"']{1,200})")

func trim(s string) string { return strings.Trim(s, "\"'`.") }

// argumentsFor fills the parameters of a tool with what the sentence says.
func (r *Resolver) argumentsFor(s *utterance, tool int) toolkit.Arguments {
	k := &r.Profiles[tool]
	a := r.argumentsIn(s, tool)
	for i, w := range s.Words {
		from, to := w.Start, w.End
		if p := k.Param(toolkit.RolePath); p != nil && a[p.Name] == nil && from >= 0 && to <= len(s.Source) && w.Shape == promptscan.ShapeWord {
			if path := userfile.At(s.Source, from); path != "" {
				a.Set(p, path)
			}
		}
		if p := k.Param(toolkit.RoleQuery); p != nil && a[p.Name] == nil && (w.Text == "for" || w.Text == "about" || w.Text == "nach") && i+1 < len(s.Words) {
			a.Set(p, strings.TrimRight(s.Rest(i+1), ".!? "))
		}
	}
	if p := k.Param(toolkit.RoleQuery); p != nil && p.Required && a[p.Name] == nil {
		a.Set(p, Clip(strings.TrimRight(s.Rest(0), ".!? ")))
	}
	return k.Fill(a)
}

// bestMatch is the tool that shares most words with the sentence, -1 if none.
func (r *Resolver) bestMatch(s *utterance) int {
	words := map[string]bool{}
	for i, w := range s.Words {
		if i < 40 {
			words[toolkit.Stem(w.Text)] = true
		}
	}
	best, most := -1, 1
	for i := range r.Profiles {
		n := r.Profiles[i].Shared(words)
		if n > most || n == most && best >= 0 && r.Names.Tools[i].Name < r.Names.Tools[best].Name {
			best, most = i, n
		}
	}
	return best
}

// complete reports whether all required parameters have a value.
func complete(k *toolkit.Profile, a toolkit.Arguments) bool {
	return !slices.ContainsFunc(k.Params, func(p toolkit.Param) bool { return p.Required && a[p.Name] == nil })
}
