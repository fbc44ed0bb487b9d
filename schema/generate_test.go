package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpsf/mcpsf"
)

// generate returns the schema of t as the file should have it.
func generate(t reflect.Type, title string, doc *vocabulary) ([]byte, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{
		TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			// Whatever the server sent: any JSON.
			reflect.TypeFor[json.RawMessage](): {},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	decorate(s, t, doc)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = title
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

// decorate adds to s what reflection does not know: comments and the closed
// sets of values. It takes away what would be wrong: lists are never null, and
// a reader must bear fields that a later version adds.
func decorate(s *jsonschema.Schema, t reflect.Type, doc *vocabulary) {
	switch t.Kind() {
	case reflect.Pointer:
		notNull(s)
		decorate(s, t.Elem(), doc)
	case reflect.Slice:
		if s.Items != nil {
			s.Type, s.Types = "array", nil
			decorate(s.Items, t.Elem(), doc)
		}
	case reflect.Struct:
		decorateStruct(s, t, doc)
	case reflect.String:
		decorateString(s, t, doc)
	}
}

// notNull leaves one type to what may be absent: it is left out, never null.
func notNull(s *jsonschema.Schema) {
	for _, t := range s.Types {
		if t != "null" {
			s.Type, s.Types = t, nil
			return
		}
	}
}

func decorateStruct(s *jsonschema.Schema, t reflect.Type, doc *vocabulary) {
	if t.PkgPath() != reflect.TypeFor[mcpsf.Report]().PkgPath() {
		s.Format = "date-time" // time.Time is the only other one
		return
	}
	s.AdditionalProperties = nil
	s.Description = doc.comments[t.Name()]
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		field, ok := s.Properties[name]
		if !ok {
			continue
		}
		decorate(field, f.Type, doc)
		if comment := doc.comments[t.Name()+"."+f.Name]; comment != "" {
			field.Description = comment
		}
	}
}

func decorateString(s *jsonschema.Schema, t reflect.Type, doc *vocabulary) {
	switch t {
	case reflect.TypeFor[mcpsf.Kind]():
		// New kinds are additions, so the set is open.
		s.Pattern = `^[a-z]+\.[a-z_]+$`
		for _, v := range doc.values[t.Name()] {
			s.Examples = append(s.Examples, v)
		}
	default:
		for _, v := range doc.values[t.Name()] {
			s.Enum = append(s.Enum, v)
		}
	}
}
