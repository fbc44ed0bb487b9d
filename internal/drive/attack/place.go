package attack

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Place is a position in the arguments of a tool where a payload can be put.
type Place struct {
	// Pointer is the JSON pointer into the arguments.
	Pointer string
	// Name and Description are written by the server, and hostile.
	Name, Description string
	// Type is the schema's JSON type; Format, Pattern, Enum and MaxLength (0:
	// none) are its other limits.
	Type, Format, Pattern string
	Enum                  []json.RawMessage
	MaxLength             int
	// Kind is what the value is: "path", "url", "sql", ...
	Kind string
	// Value is the ordinary value at this place.
	Value json.RawMessage
}

// maxOrdinary bounds how much of the ordinary value a payload repeats.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const maxOrdinary = 200

// text returns the ordinary value as a string. Payloads begin with it to pass a
// check that reads only the beginning.
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

// ending returns the extension of the ordinary value's file name, with its dot,
// "" if no planted file has it.
func (p Place) ending() string {
	if e := strings.ToLower(path.Ext(p.text())); p.Kind != "dir" && slices.Contains(endings(), e) {
		return e
	}
	return ""
}

// structured reports whether the schema asks for an object or array.
func (p Place) structured() bool { return p.Type == "object" || p.Type == "array" }

// free reports whether the value may by design be any path or address. An id or
// a name may not.
func (p Place) free() bool { return p.Kind != "id" && p.Kind != "name" && p.Kind != "date" }

// isTime reports whether the value is a duration: a tool that then takes long
// does what it was asked to.
func (p Place) isTime() bool {
	name := strings.ToLower(p.Name[:min(len(p.Name), maxSaid)])
	return slices.ContainsFunc([]string{"duration", "delay", "wait", "sleep", "timeout", "interval", "seconds"}, func(w string) bool {
		return strings.Contains(name, w)
	})
}

// maxSaid bounds how much of a description is read.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const maxSaid = 1 << 10

// mentions reports whether the name or the description contains one of the
// lower-case words.
func (p Place) mentions(words ...string) bool {
	said := strings.ToLower(p.Name[:min(len(p.Name), maxSaid)] + " " + p.Description[:min(len(p.Description), maxSaid)])
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
}

// kinds maps the kind of a place to the expected success of a class.
type kinds map[string]int

// of is for classes whose payloads are strings. A server often rejects a string
// in place of a number or an enum value before it does anything.
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

// about expects more success at places whose name or description has one of the
// words.
func (k kinds) about(more kinds, words ...string) func(Place) int {
	return func(p Place) int {
		y := k.of(p)
		if p.mentions(words...) {
			y = max(y, more.of(p))
		}
		return y
	}
}

// prose are the kinds that say little about the use of a value.
func prose(yield int) kinds {
	return kinds{"text": yield, "unknown": yield, "name": yield, "query": yield, "data": yield, "json": yield, "markup": yield, "code": yield, "template": yield}
}

// maxPattern bounds the patterns that are compiled.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const maxPattern = 1 << 10

// fit drops payloads that are too long for the place and moves those that its
// pattern refuses to the end, because the server may not check the pattern.
// Pairs stay together.
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
