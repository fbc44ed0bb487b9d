package attack

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Place is where in the arguments of a tool a payload can stand.
type Place struct {
	// Pointer is the JSON pointer into the arguments.
	Pointer string
	// Name and Description are the server's, and hostile.
	Name, Description string
	// Type is the JSON type the schema asks for, Format and Pattern, Enum and
	// MaxLength (0: none) what else it says.
	Type, Format, Pattern string
	Enum                  []json.RawMessage
	MaxLength             int
	// Kind is what the value is: "path", "url", "sql", ...
	Kind string
	// Value is the ordinary value that stands there.
	Value json.RawMessage
}

// maxOrdinary bounds how much of the ordinary value a payload repeats.
const maxOrdinary = 200

// text is the ordinary value as a string. Payloads keep it in front, so that
// they pass the check of a server that looks at the beginning only.
func (p Place) text() string {
	var s string
	if json.Unmarshal(p.Value, &s) != nil {
		var n json.Number
		if json.Unmarshal(p.Value, &n) != nil {
			return "1"
		}
		s = n.String()
	}
	if len(s) > maxOrdinary {
		s = strings.ToValidUTF8(s[:maxOrdinary], "")
	}
	return s
}

// ending is the ending of the ordinary value's file name, with its dot, "" if
// it has none that is planted.
func (p Place) ending() string {
	if e := strings.ToLower(path.Ext(p.text())); p.Kind != "dir" && slices.Contains(endings(), e) {
		return e
	}
	return ""
}

// structured reports whether the schema asks for more than one value.
func (p Place) structured() bool { return p.Type == "object" || p.Type == "array" }

// free reports whether the value may by design be any path, or any address. An
// id or a name is neither.
func (p Place) free() bool { return p.Kind != "id" && p.Kind != "name" && p.Kind != "date" }

// isTime reports whether the value says how long something is to take: a tool
// that then takes long does what it was asked to.
func (p Place) isTime() bool {
	name := strings.ToLower(p.Name[:min(len(p.Name), maxSaid)])
	return slices.ContainsFunc([]string{"duration", "delay", "wait", "sleep", "timeout", "interval", "seconds"}, func(w string) bool {
		return strings.Contains(name, w)
	})
}

// maxSaid bounds how much of a description is looked at.
const maxSaid = 1 << 10

// mentions reports whether the name or the description has one of the words,
// which are in lower case.
func (p Place) mentions(words ...string) bool {
	said := strings.ToLower(p.Name[:min(len(p.Name), maxSaid)] + " " + p.Description[:min(len(p.Description), maxSaid)])
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
}

// kinds says what to expect of a class by the kind of a place.
type kinds map[string]int

// of is for classes whose payloads are strings. One that stands for a number
// or for one of a few words is often refused before anything is done with it.
func (k kinds) of(p Place) int {
	y := k[p.Kind]
	switch {
	case y == 0 || p.Type == "boolean" || p.structured():
		return 0
	case len(p.Enum) > 0 || p.Type == "number" || p.Type == "integer":
		return max(1, y/4)
	case p.Pattern != "" || p.MaxLength > 0 && p.MaxLength < 24:
		return max(1, y/2)
	}
	return y
}

// about expects more at places whose name or description has one of the words.
func (k kinds) about(more kinds, words ...string) func(Place) int {
	return func(p Place) int {
		y := k.of(p)
		if p.mentions(words...) {
			y = max(y, more.of(p))
		}
		return y
	}
}

// prose are the kinds that say little of what a value is used for.
func prose(yield int) kinds {
	return kinds{"text": yield, "unknown": yield, "name": yield, "query": yield, "data": yield, "json": yield, "markup": yield, "code": yield, "template": yield}
}

// maxPattern bounds the patterns that are tried.
const maxPattern = 1 << 10

// fit leaves out what is too long for the place, and puts what its pattern
// refuses behind the rest: whether the server looks is not known. Pairs stay
// together.
func fit(p Place, all []Payload, paired bool) []Payload {
	group := 1
	if paired {
		group = 2
	}
	long := func(s string) bool { return p.MaxLength > 0 && utf8.RuneCountInString(s) > p.MaxLength }
	refused := func(string) bool { return false }
	if pattern, err := regexp.Compile(p.Pattern[:min(len(p.Pattern), maxPattern)]); err == nil && len(p.Pattern) <= maxPattern {
		refused = func(s string) bool { return !pattern.MatchString(s) }
	}
	var first, rest []Payload
	for g := range slices.Chunk(all, group) {
		some := func(is func(string) bool) bool {
			return slices.ContainsFunc(g, func(y Payload) bool {
				s, text := y.Value.(string)
				return text && is(s)
			})
		}
		switch {
		case some(long):
		case some(refused):
			rest = append(rest, g...)
		default:
			first = append(first, g...)
		}
	}
	return append(first, rest...)
}

// fill makes a value of a form: ¤ is the ordinary value, § the marker.
func fill(form, ordinary, marker string) string {
	return strings.NewReplacer("¤", ordinary, "§", marker).Replace(form)
}
