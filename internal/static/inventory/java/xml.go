package java

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Bounds of an XML file.
// gap: source-not-read
const (
	maxXML         = 8 << 20
	maxXMLDepth    = 32
	maxXMLElements = 200_000
)

// element is an XML element.
type element struct {
	name     string
	text     strings.Builder
	children []*element
}

// parseXML reads an XML file up to the first error. The library does not expand
// entities that a file defines, so nothing grows.
func parseXML(data []byte) (*element, error) {
	root := &element{}
	if len(data) > maxXML {
		return root, errors.New("it is too large")
	}
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	stack := []*element{root}
	count := 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return root, errors.New("it is not XML")
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if count++; count > maxXMLElements || len(stack) > maxXMLDepth {
				return root, errors.New("it has too many elements, or too deep ones")
			}
			e := &element{name: t.Name.Local}
			top.children = append(top.children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text.Write(t)
		}
	}
}

// get follows the names to the first matching element.
func (e *element) get(names ...string) *element {
	for _, name := range names {
		if e == nil {
			return nil
		}
		var next *element
		for _, c := range e.children {
			if c.name == name {
				next = c
				break
			}
		}
		e = next
	}
	return e
}

// value returns the text of the element at the names.
func (e *element) value(names ...string) string {
	if e = e.get(names...); e == nil {
		return ""
	}
	return strings.TrimSpace(e.text.String())
}

// all returns the children of the element at the names.
func (e *element) all(names ...string) []*element {
	if e = e.get(names...); e == nil {
		return nil
	}
	return e.children
}
