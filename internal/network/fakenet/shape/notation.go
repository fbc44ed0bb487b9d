package shape

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// shapeReader reads the notation of services.yaml.
type shapeReader struct {
	types map[string]yaml.Node
	made  map[string]*node
}

// read translates a shape: a mapping is an object, a list is an array of its
// first element, and a scalar is
//
//	$name       another shape of the same service
//	=one|two    one of these texts
//	true, 7     this value
//	null        nothing
//	text number a kind, or
//	url /a/{id} a form: see [filler.text] and values.yaml
func (s *shapeReader) read(y *yaml.Node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("line %d: too deep", y.Line)
	}
	switch y.Kind {
	case yaml.MappingNode:
		return s.object(y, depth)
	case yaml.SequenceNode:
		n := &node{kind: array}
		if len(y.Content) == 0 {
			n.accepted = []string{"0"}
			return n, nil
		}
		var err error
		n.element, err = s.read(y.Content[0], depth+1)
		return n, err
	case yaml.ScalarNode:
		return s.scalar(y, depth)
	}
	return nil, fmt.Errorf("line %d: no shape", y.Line)
}

func (s *shapeReader) object(y *yaml.Node, depth int) (*node, error) {
	n := &node{kind: object, members: map[string]*node{}}
	for i := 0; i+1 < len(y.Content); i += 2 {
		child, err := s.read(y.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if name := y.Content[i].Value; name != "<<" {
			n.put(name, child)
			continue
		}
		left := maxNodes // the members of another shape
		n.merge(child, depth, &left)
	}
	return n, nil
}

func (s *shapeReader) scalar(y *yaml.Node, depth int) (*node, error) {
	switch y.Tag {
	case "!!bool":
		return &node{kind: boolean, accepted: []string{y.Value}}, nil
	case "!!int", "!!float":
		return &node{kind: number, accepted: []string{y.Value}}, nil
	case "!!null":
		return &node{kind: null}, nil
	}
	if name, ok := strings.CutPrefix(y.Value, "$"); ok {
		return s.named(name, y.Line, depth)
	}
	if values, ok := strings.CutPrefix(y.Value, "="); ok {
		return &node{kind: text, accepted: strings.Split(values, "|")}, nil
	}
	if y.Value == "number" || y.Value == "text" || y.Value == "flag" {
		return &node{kind: map[string]string{"number": number, "text": text, "flag": boolean}[y.Value]}, nil
	}
	if word, _, _ := strings.Cut(y.Value, " "); !knownForm(word) {
		return nil, fmt.Errorf("line %d: no form %q", y.Line, y.Value)
	}
	return &node{kind: formKind(y.Value), form: y.Value}, nil
}

// named returns a shape of the service. It is read once: nodes are not changed.
func (s *shapeReader) named(name string, line, depth int) (*node, error) {
	if n := s.made[name]; n != nil {
		return n, nil
	}
	of, known := s.types[name]
	if !known {
		return nil, fmt.Errorf("line %d: no shape %q", line, name)
	}
	n, err := s.read(&of, depth)
	s.made[name] = n
	return n, err
}

// knownForm says whether values of a form can be made.
func knownForm(form string) bool {
	switch form {
	case "id", "sid", "pid", "uuid", "hex", "url", "sha", "hash", "token", "ref", "date", "day", "ip", "base64", "color", "version", "summary",
		"phone", "count", "amount", "unix", "ms", "latitude", "longitude", "no", "cursor", "email", "person", "login", "currency", "country",
		"language", "timezone", "status", "mime", "file", "path", "address", "city", "symbol", "title":
		return true
	}
	return false
}
