package described

import (
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// parameter is a part of a path that is anything.
var parameter = lazyregexp.New(`\{[^{}/]*\}`)

// schemas makes shapes of JSON Schemas.
type schemas struct {
	left  int
	named map[string]*document.Value
}

func (s *schemas) define(prefix string, list *document.Value) {
	for name, v := range list.Fields() {
		s.named[prefix+name] = v
	}
}

// openAPI reads the successful answers of all paths.
func (s *schemas) openAPI(doc *document.Value) []mcpsf.ExpectedAnswer {
	s.define("#/components/schemas/", doc.Get("components", "schemas"))
	s.define("#/components/responses/", doc.Get("components", "responses"))
	s.define("#/definitions/", doc.Get("definitions"))
	s.define("#/responses/", doc.Get("responses"))
	host, base := server(doc)
	var out []mcpsf.ExpectedAnswer
	for path, methods := range doc.Get("paths").Fields() {
		for method, operation := range methods.Fields() {
			if method == "head" || method == "options" || len(out) >= maxAnswers {
				continue
			}
			if shape := s.shape(s.answer(operation.Get("responses")), 0); shape != nil {
				out = append(out, mcpsf.ExpectedAnswer{Host: host, Path: parameter.ReplaceAllString(base+path, "{}"), Shape: shape})
			}
		}
	}
	return out
}

// server returns the host and the beginning of all paths.
func server(doc *document.Value) (host, base string) {
	address := doc.Get("servers").At(0).Get("url").Text()
	if host := doc.Get("host").Text(); host != "" {
		address = "https://" + host + doc.Get("basePath").Text()
	}
	u, err := url.Parse(parameter.ReplaceAllString(address, "x"))
	if err != nil {
		return "", ""
	}
	if strings.Contains(address, "{") {
		return "", strings.TrimRight(u.Path, "/")
	}
	return strings.ToLower(u.Hostname()), strings.TrimRight(u.Path, "/")
}

// answer returns the schema of a successful answer.
func (s *schemas) answer(responses *document.Value) *document.Value {
	for status, r := range responses.Fields() {
		if !strings.HasPrefix(status, "2") && status != "default" {
			continue
		}
		if named := s.named[r.Get("$ref").Text()]; named != nil {
			r = named
		}
		if schema := r.Get("schema"); schema != nil {
			return schema
		}
		for kind, content := range r.Get("content").Fields() {
			if strings.Contains(kind, "json") || kind == "*/*" {
				return content.Get("schema")
			}
		}
	}
	return nil
}

// shape makes a shape of a schema; nil if it says nothing.
func (s *schemas) shape(v *document.Value, depth int) *mcpsf.Shape {
	for range 4 {
		if to := s.named[v.Get("$ref").Text()]; to != nil {
			v = to
		}
	}
	if s.left--; v == nil || depth > maxDepth || s.left < 0 {
		return nil
	}
	out := &mcpsf.Shape{Type: typeName(v)}
	for name, p := range v.Get("properties").Fields() {
		if m := s.shape(p, depth+1); m != nil {
			if out.Members == nil {
				out.Members = map[string]*mcpsf.Shape{}
			}
			out.Members[name] = m
		}
	}
	out.Element = s.shape(v.Get("items"), depth+1)
	for part := range v.Get("allOf").Items() {
		s.add(out, s.shape(part, depth))
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		s.add(out, s.shape(v.Get(key).At(0), depth))
	}
	out.Accepted = v.Get("enum").Texts()
	if word := v.Get("const").Text(); word != "" {
		out.Accepted = []string{word}
	}
	return out
}

// add gives a shape what another one has.
func (s *schemas) add(to, from *mcpsf.Shape) {
	if from == nil {
		return
	}
	if to.Type == "" {
		to.Type = from.Type
	}
	for name, m := range from.Members {
		if to.Members == nil {
			to.Members = map[string]*mcpsf.Shape{}
		}
		to.Members[name] = m
	}
	if to.Element == nil {
		to.Element = from.Element
	}
}

func typeName(v *document.Value) string {
	name := v.Get("type").Text()
	for _, n := range v.Get("type").Texts() {
		if name == "" && n != "null" {
			name = n
		}
	}
	switch name {
	case "object", "array", "string", "number", "boolean":
		return name
	case "integer":
		return "number"
	}
	switch {
	case v.Get("properties").IsObject():
		return "object"
	case v.Get("items") != nil:
		return "array"
	}
	return ""
}
