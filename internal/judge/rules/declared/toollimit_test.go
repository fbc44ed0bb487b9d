package declared

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestNamesItsHosts(t *testing.T) {
	for _, c := range []struct {
		tool, about, pattern string
		want                 bool
	}{
		{tool: "Read a web page.", about: "Address of the page"},
		{tool: "Fetch a URL. Only http and https are supported."},
		{about: "Must be an absolute address, e.g. https://docs.shop.example"},
		{about: "The URL must be valid, such as https://www.shop.test/a"},
		{about: "Must start with https://example.com"},
		{about: "Must name a file like https://host/index.html"},
		{about: "It must end in index.html"},
		{about: "Allowed domains to look at"},
		{tool: "Requires node.js. Any address will do."},
		{about: "Address of a page, only on docs.shop.test", want: true},
		{about: "Must be on docs.shop.test", want: true},
		{tool: "Read pages of docs.shop.test only.", want: true},
		{tool: "Reads only from allowed hosts.", want: true},
		{pattern: `^https?:\/\/docs\.shop\.test\/`, want: true},
		{pattern: `^https?://.+`},
	} {
		schema, err := json.Marshal(map[string]any{"properties": map[string]any{"url": map[string]any{"description": c.about, "pattern": c.pattern}}})
		if err != nil {
			t.Fatal(err)
		}
		tools := NewTools(map[string]mcpsf.Tool{"read": {Description: c.tool, InputSchema: schema}})
		if got := tools.NamesItsHosts("read", "/url"); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestTakesFiles(t *testing.T) {
	for _, c := range []struct {
		tool, name, about string
		want              bool
	}{
		{tool: "Import the events of a calendar.", name: "calendar_url", about: "Address of the calendar"},
		{tool: "Download a file from the web.", name: "url", about: "URL of the file"},
		{name: "uri", about: "An http:, https:, file: or data: URI", want: true},
		{name: "source", about: "URL or path of the image", want: true},
		{name: "source", about: "Local file or address", want: true},
		{name: "imagePath", about: "The image", want: true},
	} {
		schema, err := json.Marshal(map[string]any{"properties": map[string]any{c.name: map[string]any{"description": c.about}}})
		if err != nil {
			t.Fatal(err)
		}
		tools := NewTools(map[string]mcpsf.Tool{"read": {Description: c.tool, InputSchema: schema}})
		if got := tools.TakesFiles("read", "/"+c.name); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestPropertyOfAnything(t *testing.T) {
	for _, schema := range []string{``, `[]`, `{"properties":7}`, `{"properties":{"url":[]}}`, `{"properties":{"url":{"description":{}}}}`} {
		tools := NewTools(map[string]mcpsf.Tool{"read": {InputSchema: json.RawMessage(schema)}})
		if about, pattern := tools.property("read", "/url"); about+pattern != "" {
			t.Errorf("%s: %q, %q", schema, about, pattern)
		}
	}
}
