package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// spelledOut are the arguments that a sentence gives itself.
func (b *resolver) argumentsIn(s *utterance, tool int) arguments {
	k := &b.profiles[tool]
	a := arguments{}
	from, to := s.extent()
	for _, m := range assigned.FindAllStringSubmatch(s.source[from:to], 8) {
		if p := k.named(m[1]); p != nil {
			a.set(p, trim(m[2]))
		}
	}
	for i, w := range s.Words {
		var r role
		switch w.Shape {
		case promptscan.ShapeMail:
			r = roleReceiver
		case promptscan.ShapeURL:
			r = roleURL
		case promptscan.ShapePath:
			r = rolePath
		default:
			continue
		}
		if p := k.param(r); p != nil && a[p.name] == nil {
			a.set(p, s.literal(i))
		}
	}
	if q := s.quotedText(); q != "" {
		if p := k.room(a); p != nil && !slices.ContainsFunc(k.params, func(p param) bool { return p.name == q }) {
			a.set(p, q)
		}
	}
	return a
}

var assigned = regexp.MustCompile("([A-Za-z_][A-Za-z0-9_]{0,60})`?\\s*(?::=|=)\\s*`?(\"[^\"\\n]{1,200}\"|'[^'\\n]{1,200}'|[^\\s,;`()\"']{1,200})")

func trim(s string) string { return strings.Trim(s, "\"'`.") }

// fromWords fills the parameters of a tool with what the sentence says.
func (b *resolver) argumentsFor(s *utterance, tool int) arguments {
	k := &b.profiles[tool]
	a := b.argumentsIn(s, tool)
	for i, w := range s.Words {
		from, to := w.Start, w.End
		if p := k.param(rolePath); p != nil && a[p.name] == nil && from >= 0 && to <= len(s.source) && w.Shape == promptscan.ShapeWord {
			if path := pathAround(s.source, from); path != "" {
				a.set(p, path)
			}
		}
		if p := k.param(roleQuery); p != nil && a[p.name] == nil && (w.Text == "for" || w.Text == "about" || w.Text == "nach") && i+1 < len(s.Words) {
			a.set(p, strings.TrimRight(s.rest(i+1), ".!? "))
		}
	}
	if p := k.param(roleQuery); p != nil && p.required && a[p.name] == nil {
		a.set(p, clip(strings.TrimRight(s.rest(0), ".!? ")))
	}
	return k.fill(a)
}

// suited is the tool that shares most words with the sentence, -1 if none does.
func (b *resolver) bestMatch(s *utterance) int {
	words := map[string]bool{}
	for i, w := range s.Words {
		if i < 40 {
			words[stem(w.Text)] = true
		}
	}
	best, most := -1, 1
	for i := range b.profiles {
		n := b.profiles[i].shared(words)
		if n > most || n == most && best >= 0 && b.names.tools[i].Name < b.names.tools[best].Name {
			best, most = i, n
		}
	}
	return best
}

// complete: all that the tool needs was said.
func complete(k *profile, a arguments) bool {
	return !slices.ContainsFunc(k.params, func(p param) bool { return p.required && a[p.name] == nil })
}
