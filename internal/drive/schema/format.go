package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
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
	}
	if text, ok := notations()[strings.ToLower(name)]; ok {
		return text, true
	}
	if id, ok := meaning.Notation(name); ok {
		return id, true
	}
	text := g.values.Samples.Text("." + strings.ToLower(name))
	return text, text != ""
}

// notations are texts in formats that JSON Schema does not know, but that schemas
// and error messages name.
func notations() map[string]string {
	return map[string]string{
		"json": `{"name":"example"}`, "json-string": `{"name":"example"}`, "json object": `{"name":"example"}`, "json array": `["example"]`,
		"geojson": `{"type":"Point","coordinates":[13.405,52.52]}`,
		"xml":     "<note><to>alex</to></note>", "yaml": "name: example\n", yamlList: "- name: example\n", "csv": meaning.Table, "html": "<p>Hello</p>",
		"svg":  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`,
		"cron": "0 9 * * 1", "timezone": "UTC", "semver": "1.0.0", "phone": "+12025550143", "identifier": "example", "sql": "SELECT 1",
		"cell reference": "A1", "cell range": "A1:B2",
	}
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
