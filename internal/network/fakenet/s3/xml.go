package s3

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
)

// Bounds of what is read as XML.
// no gap: a document beyond them is refused, and what was sent is evidence all the same
const (
	maxXML    = 1 << 20
	maxDepth  = 12
	maxTokens = 50_000
)

const namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

// element is an element of XML: with text, or with others in it.
type element struct {
	name string
	// attributes stand behind the name, beginning with a blank.
	attributes string
	text       string
	inner      []*element

	raw []byte // the text while it is read
}

func el(name string, inner ...*element) *element { return &element{name: name, inner: inner} }

func text(name, value string) *element { return &element{name: name, text: value} }

func (e *element) add(inner ...*element) { e.inner = append(e.inner, inner...) }

// get is the text of an element inside, "" if there is none.
func (e *element) get(name string) string {
	for _, i := range e.inner {
		if i.name == name {
			return strings.TrimSpace(i.text)
		}
	}
	return ""
}

// all are the elements inside with that name.
func (e *element) all(name string) []*element {
	var list []*element
	for _, i := range e.inner {
		if i.name == name {
			list = append(list, i)
		}
	}
	return list
}

func (e *element) write(b *bytes.Buffer) {
	b.WriteString("<" + e.name + e.attributes + ">")
	_ = xml.EscapeText(b, []byte(e.text)) // a buffer never fails
	for _, i := range e.inner {
		i.write(b)
	}
	b.WriteString("</" + e.name + ">")
}

// document is an answer with XML.
func document(status int, e *element) *Answer {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e.write(&b)
	return (&Answer{Status: status, Body: b.Bytes()}).add("Content-Type", "application/xml")
}

// result is a document of the storage's own.
func result(e *element) *Answer {
	e.attributes = ` xmlns="` + namespace + `"`
	return document(http.StatusOK, e)
}

// parse reads a document. The library does not expand entities that a document
// defines, so nothing grows.
func parse(data []byte) (*element, error) {
	malformed := fault("MalformedXML")
	if len(data) > maxXML {
		return nil, malformed
	}
	top := &element{}
	stack, count := []*element{top}, 0
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && len(top.inner) == 1 {
			return top.inner[0], nil
		}
		if err != nil {
			return nil, malformed
		}
		if count++; count > maxTokens || len(stack) > maxDepth {
			return nil, malformed
		}
		at := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := el(t.Name.Local)
			at.add(e)
			stack = append(stack, e)
		case xml.EndElement:
			at.text, at.raw = string(at.raw), nil
			stack = stack[:len(stack)-1]
		case xml.CharData:
			at.raw = append(at.raw, t...)
		}
	}
}

// body reads the body of the request as XML.
func (c *call) body() (*element, error) {
	data, err := c.verified()
	if err != nil {
		return nil, err
	}
	return parse(data)
}
