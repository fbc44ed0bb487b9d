package uritemplate

import (
	"fmt"
	"strings"
)

// Plain turns an address into a template and returns its current values: the
// last segments of the path and the query values. For a file URL the value is
// the whole path, for a web page the whole address.
func Plain(uri string) (Template, map[string]string) {
	values := map[string]string{}
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || len(uri) > maxTemplate {
		return Template{}, nil
	}
	switch strings.ToLower(scheme) {
	case "file":
		values["path"] = strings.TrimPrefix(rest, "//")
		return Template{parts: []part{{text: uri[:len(uri)-len(values["path"])]}, {operator: '+', names: []string{"path"}}}}, values
	case "http", "https":
		values["url"] = uri
		return Template{parts: []part{{operator: '+', names: []string{"url"}}}}, values
	}
	b := &builder{values: values, text: scheme + ":"}
	rest, query, asked := strings.Cut(rest, "?")
	pieces := strings.Split(rest, "/")
	left := len(pieces) - maxPieces
	for i, piece := range pieces {
		if i > 0 {
			b.text += "/"
		}
		if piece == "" || i < left {
			b.text += piece
			continue
		}
		b.place(fmt.Sprintf("piece%d", len(values)+1), piece)
	}
	if asked {
		b.query(query)
	}
	b.t.parts = append(b.t.parts, part{text: b.text})
	return b.t, values
}

// builder collects the parts of a template.
type builder struct {
	t      Template
	values map[string]string
	text   string
}

func (b *builder) place(name, value string) {
	b.t.parts = append(b.t.parts, part{text: b.text}, part{names: []string{name}})
	b.text = ""
	b.values[name] = value
}

func (b *builder) query(query string) {
	b.text += "?"
	for i, pair := range strings.Split(query, "&") {
		if i > 0 {
			b.text += "&"
		}
		name, value, ok := strings.Cut(pair, "=")
		if _, known := b.values[name]; !ok || name == "" || known || len(b.values) >= maxVariables {
			b.text += pair
			continue
		}
		b.text += name + "="
		b.place(name, value)
	}
}
