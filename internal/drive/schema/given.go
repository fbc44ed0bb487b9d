package schema

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
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
			if scalar(o.value) && slices.ContainsFunc(options, func(option any) bool { return scalar(option) && option == o.value }) {
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
		return !isType(o.value, kind) || !late && !g.harmless(o.value, p) || isDefault && departs(kind, g.turn)
	})
	if len(offers) == 0 {
		return offer{}, false
	}
	return offers[g.turn%len(offers)], true
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
		out = g.told(p)
	}
	return slices.DeleteFunc(out, func(o offer) bool {
		s, ok := o.value.(string)
		return o.value == nil || ok && placeholder.MatchString(strings.TrimSpace(s))
	})
}

// placeholder matches text that stands in for a real value.
var placeholder = regexp.MustCompile(`(?i)^(|string|text|value|todo|tbd|n/?a|none|null|undefined|x+|\.+|…|<.*>|\{.*\}|\[.*\]|` +
	`(your|my|some)[-_ ].*|.*[-_ ]here|placeholder|change.?me)$`)

// Patterns for values in a description: an example, or a list of accepted
// values, of which the first is taken.
var (
	exampleIn = regexp.MustCompile(`(?i)(?:\be\.g\.?|\bfor example|\bexamples?|\bsuch as|\blike)[,:]?\s*` +
		`(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|\x60([^\x60\n]{1,80})\x60|“([^”\n]{1,80})”)`)
	listIn = regexp.MustCompile(`(?i)\b(?:one of|(?:valid|possible|supported|allowed|accepted) (?:values|types|options)|options|either)\b` +
		`[^.:('"\x60]{0,40}[:(]?\s*["'\x60]?([a-z0-9_-]{1,40})["'\x60]?\s*(?:,|\||/|\bor\b)`)
	quotedList = regexp.MustCompile(`(?i)[:(]\s*["'\x60]([a-z0-9_-]{1,40})["'\x60]\s*(?:,|\||/|\bor\b)`)
	plainList  = regexp.MustCompile(`(?i)\(([a-z0-9_-]{2,40})(?:(?:, ?| ?\| ?)(?:or )?[a-z0-9_-]{1,40})+\)`)
)

// maxAbout bounds how much of a description is searched for examples.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxAbout = 1 << 10

// told returns the values that a string's description gives. It returns none
// where the generator has a better value.
func (g *generator) told(p place) []offer {
	if g.kind(p.schema) != "string" || p.schema["format"] != nil || p.about == "" {
		return nil
	}
	ways := []*regexp.Regexp{exampleIn}
	switch kind, value := g.meaning(p); kind {
	case KindUnknown, KindText:
		if value != g.values.Text {
			ways = append(ways, listIn, quotedList, plainList)
		}
	case KindID, KindName, KindDate, KindNumber, KindQuery:
	default:
		return nil
	}
	g.steps -= len(p.about) / 256
	var match []string
	for _, way := range ways {
		if match = way.FindStringSubmatch(p.about[:min(len(p.about), maxAbout)]); match != nil {
			break
		}
	}
	if match == nil {
		return nil
	}
	example := strings.ToValidUTF8(strings.Join(match[1:], ""), "")
	if pattern, ok := p.schema["pattern"].(string); ok {
		if e, err := g.expression(pattern); err != nil || !e.MatchString(example) {
			return nil
		}
	}
	return []offer{{example, mcpsf.OriginDescription}}
}

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
		return !placeLike.MatchString(v) && !kind.guarded() || kind == KindDate && dateLike.MatchString(v)
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
// (a path, a hidden file, an address, a host, a file with an extension) or that
// look like a command-line option.
var placeLike = regexp.MustCompile(`[/\\~@:]|^\.|\.\.|\.[A-Za-z]|^--?[A-Za-z]`)

// dateLike matches a date or time, which contains colons too.
var dateLike = regexp.MustCompile(`^[0-9TZ:+. -]+$`)

// meaning returns the kind of a place and a value for it.
func (g *generator) meaning(p place) (Kind, string) {
	kind, value := g.values.meaning(g.lexicon, p.name, p.about)
	if value == g.values.Repo && owned(p.beside) {
		_, value, _ = strings.Cut(value, "/")
	}
	switch name := strings.ToLower(p.name); {
	case strings.HasPrefix(name, "destination") && (p.beside["origin"] != nil || p.beside["origins"] != nil):
		kind, value = KindText, "Berlin" // a travel route, not a file path
	case name == "to" && kind == KindUnknown && (p.beside["subject"] != nil || p.beside["body"] != nil):
		kind, value = KindEmail, g.values.Email
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
