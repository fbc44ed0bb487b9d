package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// jsonPlace is one object or array around the current value.
type jsonPlace struct {
	array bool
	// key is the key of the next value; in an array, the array's own.
	key   string
	atKey bool
	// holder is an outer key that names everything inside.
	holder string
	// label is the object's own name for its value: {"name": "X", "value":
	// ...}.
	label string
	// flag is the preceding argument: ["--token", ...].
	flag string
}

// json replaces values and leaves every other byte unchanged: keys, blanks,
// comments without secrets. ok is false if data is no JSON.
func (m *Mask) json(data string) (string, bool) {
	const mark = "\xef\xbb\xbf"
	body := strings.TrimPrefix(data, mark)
	text := document.PlainJSON([]byte(body))
	if len(data) > MaxParsed || !json.Valid(text) {
		return "", false
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var b strings.Builder
	b.WriteString(data[:len(data)-len(body)])
	var places []jsonPlace
	last := 0
	for {
		token, err := dec.Token()
		if err != nil {
			break
		}
		end := int(dec.InputOffset())
		// Between two tokens are blanks, commas, colons, and comments, which
		// have been blanked.
		start := last + len(text[last:end]) - len(bytes.TrimLeft(text[last:end], " \t\r\n,:"))
		b.WriteString(m.between(body[last:start], string(text[last:start])))
		b.WriteString(m.token(&places, token, body[start:end]))
		last = end
	}
	b.WriteString(m.between(body[last:], string(text[last:])))
	return b.String(), true
}

// between keeps what is between two tokens; comments are masked like any other
// text.
func (m *Mask) between(raw, blanked string) string {
	if raw == blanked {
		return raw
	}
	return m.loose("", raw)
}

// token returns the replacement of a token, and keeps track of the position.
func (m *Mask) token(places *[]jsonPlace, token json.Token, raw string) string {
	at := &jsonPlace{}
	if n := len(*places); n > 0 {
		at = &(*places)[n-1]
	}
	switch t := token.(type) {
	case json.Delim:
		if t == ']' || t == '}' {
			*places = (*places)[:len(*places)-1]
			return raw
		}
		holder := at.holder
		if holder == "" && isHolder(at.key) {
			holder = at.key
		}
		inner := jsonPlace{array: t == '[', atKey: t == '{', holder: holder}
		if inner.array {
			inner.key = at.key
		}
		at.next()
		*places = append(*places, inner)
		return raw
	case string:
		if at.atKey {
			at.key, at.atKey = t, false
			return m.jsonString(raw, t, m.jsonKey(t))
		}
		return m.jsonString(raw, t, m.jsonValue(at, t))
	case json.Number:
		name := m.nameOf(at.name(), at.holder)
		at.next()
		return m.jsonNumber(name, raw)
	}
	at.next()
	return raw
}

// next prepares for the key that follows a value.
func (p *jsonPlace) next() { p.atKey = !p.array }

func (p *jsonPlace) name() string {
	switch {
	case p.flag != "":
		return p.flag
	case p.label != "" && strings.EqualFold(p.key, "value"):
		return p.label
	}
	return p.key
}

// jsonKey keeps a key unless it is itself a secret.
func (m *Mask) jsonKey(key string) string {
	if !isMarked(key) {
		return key
	}
	return m.mint("", key)
}

func (m *Mask) jsonValue(at *jsonPlace, value string) string {
	name := m.nameOf(at.name(), at.holder)
	at.flag = ""
	flag, assigned, isPair := strings.Cut(value, "=")
	bare := strings.TrimLeft(flag, "-")
	if at.array && strings.HasPrefix(value, "-") && trust(name) == nameNeutral && bare != "" && !strings.ContainsAny(bare, " /:") {
		if isPair {
			return flag + "=" + m.value(bare, assigned)
		}
		if PlainWords(bare) {
			at.flag = bare
			return value
		}
	}
	if strings.EqualFold(at.key, "name") || strings.EqualFold(at.key, "key") {
		at.label = value
	}
	at.next()
	return m.value(name, value)
}

func (m *Mask) jsonString(raw, old, out string) string {
	if out == old {
		return raw
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// jsonNumber replaces a number by a number.
func (m *Mask) jsonNumber(name, raw string) string {
	out := raw
	if !isPlain(name, raw) || m.file.within != "" && !isPlain(join(m.file.within, name), raw) {
		out = (&Values{Seed: m.seed}).number(join(name, "secret"), raw)
		m.note(name)
	}
	if !json.Valid([]byte(out)) {
		return "1"
	}
	return out
}
