package schema

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// offer is a value that the schema names, and where it does.
type offer struct {
	value any
	from  mcpsf.ValueOrigin
}

// given returns a value that the schema itself names. Constants are always
// used. Defaults and examples that name a file or an address are not used at
// first, because a tool works better with what is planted for it; every other
// time a default is, because a caller who leaves the argument out gets it, too.
// A default is not the only value: some turns leave it out.
func (g *generator) given(p place) (offer, bool) {
	offers := g.offers(p)
	if options := list(p.schema["enum"]); len(options) > 0 && g.variant == 0 && g.turn == 0 {
		for _, o := range offers {
			if slices.ContainsFunc(options, func(option any) bool { return equal(option, o.value) }) {
				return o, true
			}
		}
	}
	if o, ok := g.forced(p.schema); ok || g.variant > 1 || g.salt > 0 {
		return o, ok
	}
	if g.lasts(p) {
		return offer{}, false
	}
	kind := g.kind(p.schema)
	offers = slices.DeleteFunc(offers, func(o offer) bool {
		isDefault := o.from == mcpsf.OriginDefault
		late := g.turn%2 == 1 && isDefault
		return !isType(o.value, kind) || !late && !g.harmless(o.value, p) && !instance(g, o, p) || isDefault && departs(kind, g.turn)
	})
	if len(offers) == 0 {
		return offer{}, false
	}
	return offers[g.turn%len(offers)], true
}

// instance reports whether an offer is an example that may be used where we have no
// value of our own for a place on the machine or the network.
func instance(g *generator, o offer, p place) bool {
	kind, _ := g.meaning(p)
	return o.from != mcpsf.OriginDefault && !kind.Guarded() && exemplary(g, o.value, p)
}

// departs tells whether values of a kind are other than their defaults in a turn.
// A text is so only in a turn of its own, because another one is mostly refused.
func departs(kind string, turn int) bool {
	switch kind {
	case "boolean", "integer", "number":
		return turn%4 >= 2
	}
	return turn > 0 && turn%4 == 0
}

// offers lists the defaults and examples of the schema. Examples found in the
// description come last.
func (g *generator) offers(p place) []offer {
	var out []offer
	for _, v := range list(p.schema["examples"]) {
		out = append(out, offer{v, mcpsf.OriginExample})
	}
	if v, ok := p.schema["default"]; ok {
		out = append(out, offer{v, mcpsf.OriginDefault})
	}
	if v, ok := p.schema["example"]; ok {
		out = append(out, offer{v, mcpsf.OriginExample})
	}
	if len(out) == 0 {
		out = told(g, p)
	}
	return slices.DeleteFunc(out, func(o offer) bool {
		s, ok := o.value.(string)
		if inner, is := asDocument(s); is && size(inner) > 1 {
			return false
		}
		return o.value == nil || ok && placeholder.MatchString(strings.TrimSpace(s))
	})
}

// placeholder matches text that stands in for a real value.
var placeholder = lazyregexp.New(`(?i)^(|string|text|value|todo|tbd|n/?a|none|null|undefined|x+|\.+|…|<.*>|\{.*\}|\[.*\]|` +
	`(your|my|some)[-_ ].*|.*[-_ ]here|placeholder|change.?me)$`)

func (g *generator) forced(s map[string]any) (offer, bool) {
	if c, ok := s["const"]; ok {
		return offer{c, mcpsf.OriginConst}, true
	}
	if options := list(s["enum"]); len(options) > 0 {
		return offer{g.choose(options), mcpsf.OriginEnum}, true
	}
	return offer{}, false
}

// harmless reports whether an offered value may be used unchanged. A string
// that names a file or host may not, nor may any string where the generator has
// a file or host of its own.
func (g *generator) harmless(offer any, p place) bool {
	switch v := offer.(type) {
	case string:
		kind, _ := g.meaning(p)
		return !placeLike.MatchString(v) && !kind.Guarded() || kind == meaning.KindDate && dateLike.MatchString(v)
	case []any:
		for _, e := range v {
			if !g.harmless(e, p) {
				return false
			}
		}
	case map[string]any:
		for name, e := range v {
			if !g.harmless(e, place{name: name}) {
				return false
			}
		}
	}
	return true
}

// placeLike matches strings that can name a place on the machine or the network
// (a path, a hidden file, an address, a host in any script, a file with an extension) or that
// look like a command-line option.
var placeLike = lazyregexp.New(`[/\\~@:]|^\.|\.\.|\.\pL|[。．｡]|^--?[A-Za-z]`)

// dateLike matches a date or time, which contains colons too.
var dateLike = lazyregexp.New(`^[0-9TZ:+. -]+$`)

// meaning returns the kind of a place and a value for it.
func (g *generator) meaning(p place) (meaning.Kind, string) {
	kind, value := g.lexicon.Meaning(p.name, p.about)
	if value == g.values.Repo && owned(p.beside) {
		_, value, _ = strings.Cut(value, "/")
	}
	switch name := strings.ToLower(p.name); {
	case strings.HasPrefix(name, "destination") && (p.beside["origin"] != nil || p.beside["origins"] != nil):
		kind, value = meaning.KindText, "Berlin" // a travel route, not a file path
	case name == "to" && kind == meaning.KindUnknown && (p.beside["subject"] != nil || p.beside["body"] != nil):
		kind, value = meaning.KindEmail, g.values.Email
	}
	return kind, value
}

// owned reports whether the repository's owner is a property of its own.
func owned(beside map[string]any) bool {
	for _, name := range []string{"owner", "org", "organization", "workspace", "namespace"} {
		if beside[name] != nil {
			return true
		}
	}
	return false
}
