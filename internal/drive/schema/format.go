package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// format makes a string of a named format, from address ranges and names that
// are reserved for examples.
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
		return g.salted() + g.values.Email, true
	case "hostname", "idn-hostname":
		return g.values.Host, true
	case "color", "hex-color":
		return "#336699", true
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", 10+g.salt%64), true
	case "ipv6":
		return fmt.Sprintf("2001:db8::%d", 10+g.salt%64), true
	case "uri", "url", "uri-reference", "iri", "iri-reference", "uri-template":
		return g.values.URL + g.salted(), true
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
	case "json", "json-string":
		return `{"name":"example"}`, true
	}
	return "", false
}

// salted returns a suffix that differs between the elements of an array.
func (g *generator) salted() string {
	if g.salt == 0 {
		return ""
	}
	return strconv.Itoa(g.salt)
}

// uuid returns a version 4 UUID that depends on the seed only.
func (g *generator) uuid() string {
	a, b := g.random.Uint64(), g.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		a>>32, a>>16&0xffff, a&0xfff, 0x8000|b>>48&0x3fff, b&0xffffffffffff)
}
