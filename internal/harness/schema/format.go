package schema

import (
	"fmt"
	"regexp"
	"strings"
)

// format makes a string of a named format. Everything in it is of the ranges
// and names that are reserved for examples.
func (g *generator) format(name string) (string, bool) {
	switch strings.ToLower(name) {
	case "date":
		return fmt.Sprintf("2024-05-%02d", 17+g.salt%10), true
	case "date-time", "datetime":
		return fmt.Sprintf("2024-05-%02dT09:30:00Z", 17+g.salt%10), true
	case "time":
		return "09:30:00Z", true
	case "duration":
		return "PT1H", true
	case "email", "idn-email":
		return g.values.Email, true
	case "hostname", "idn-hostname":
		return g.values.Host, true
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", 10+g.salt%64), true
	case "ipv6":
		return fmt.Sprintf("2001:db8::%d", 10+g.salt%64), true
	case "uri", "url", "uri-reference", "iri", "iri-reference":
		return g.values.URL, true
	case "uri-template":
		return g.values.URL, true
	case "uuid":
		return g.uuid(), true
	case "json-pointer":
		return "/name", true
	case "relative-json-pointer":
		return "0/name", true
	case "regex":
		return "^hello$", true
	case "byte", "base64":
		return "aGVsbG8=", true
	}
	return "", false
}

// uuid is of version 4 and depends on the seed only.
func (g *generator) uuid() string {
	a, b := g.random.Uint64(), g.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		a>>32, a>>16&0xffff, a&0xfff, 0x8000|b>>48&0x3fff, b&0xffffffffffff)
}

// placeLike matches what can name a place on the machine or the network: a
// path, a hidden file, an address, a host or a file with an ending.
var placeLike = regexp.MustCompile(`[/\\~@:]|^\.|\.\.|\.[A-Za-z]`)

// harmless reports whether an offered value may be used as it is. A string
// that names a place may not, nor may any string where we have a place of our
// own to name.
func (g *generator) harmless(offer any, p place) bool {
	switch v := offer.(type) {
	case string:
		return !placeLike.MatchString(v) && !g.values.place(p.name, p.about)
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
