package gateway

import (
	"bytes"
	"html"
	"strings"
)

// tokens iterates over the start tags of an HTML page. It knows as much HTML as
// index pages use, and rather finds too little.
type tokens struct {
	rest       []byte
	tag        string            // lower case
	attributes map[string]string // by lower-case name, the first of each
}

// no gap: beyond it the package manager gets an error, which is recorded
const (
	maxTag        = 20
	maxAttributes = 32
	space         = " \t\r\n\f"
)

// next goes to the next start tag. It returns false at the end.
func (t *tokens) next() bool {
	for {
		i := bytes.IndexByte(t.rest, '<')
		if i < 0 {
			return false
		}
		t.rest = t.rest[i+1:]
		switch {
		case bytes.HasPrefix(t.rest, []byte("!--")):
			// "<!-->" is a comment too.
			if !t.after(t.rest[1:], "-->") {
				return false
			}
		case len(t.rest) > 0 && isLetter(t.rest[0]):
			if !t.start() {
				return false
			}
			if t.tag != "" {
				return true
			}
		}
	}
}

// start reads a tag from its name on. It returns false if the tag does not end.
func (t *tokens) start() bool {
	end := bytes.IndexAny(t.rest, space+"/>")
	if end < 0 {
		return false
	}
	t.tag = ""
	if end <= maxTag {
		t.tag = strings.ToLower(string(t.rest[:end]))
	}
	t.rest = t.rest[end:]
	t.attributes = map[string]string{}
	for {
		t.rest = bytes.TrimLeft(t.rest, space+"/")
		if len(t.rest) == 0 {
			return false
		}
		if t.rest[0] == '>' {
			t.rest = t.rest[1:]
			return t.skipText()
		}
		if !t.attribute() {
			return false
		}
	}
}

// attribute reads a name and perhaps a value.
func (t *tokens) attribute() bool {
	// A name may begin with "=".
	end := bytes.IndexAny(t.rest[1:], space+"/>=")
	if end < 0 {
		return false
	}
	name, value := t.rest[:end+1], []byte(nil)
	t.rest = bytes.TrimLeft(t.rest[end+1:], space)
	if len(t.rest) > 0 && t.rest[0] == '=' {
		t.rest = bytes.TrimLeft(t.rest[1:], space)
		if len(t.rest) == 0 {
			return false
		}
		if q := t.rest[0]; q == '"' || q == '\'' {
			end = bytes.IndexByte(t.rest[1:], q) + 1
			if end == 0 {
				return false
			}
			value, t.rest = t.rest[1:end], t.rest[end+1:]
		} else {
			if end = bytes.IndexAny(t.rest, space+">"); end < 0 {
				return false
			}
			value, t.rest = t.rest[:end], t.rest[end:]
		}
	}
	key := strings.ToLower(string(name))
	if _, twice := t.attributes[key]; !twice && len(t.attributes) < maxAttributes {
		t.attributes[key] = html.UnescapeString(string(value))
	}
	return true
}

// skipText skips content that a browser would not parse as tags.
func (t *tokens) skipText() bool {
	switch t.tag {
	case "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes":
	default:
		return true
	}
	for rest := t.rest; ; {
		i := bytes.Index(rest, []byte("</"))
		if i < 0 {
			return false
		}
		rest = rest[i+2:]
		if len(rest) >= len(t.tag) && bytes.EqualFold(rest[:len(t.tag)], []byte(t.tag)) {
			t.rest = rest
			return true
		}
	}
}

func (t *tokens) after(text []byte, mark string) bool {
	i := bytes.Index(text, []byte(mark))
	if i < 0 {
		return false
	}
	t.rest = text[i+len(mark):]
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
