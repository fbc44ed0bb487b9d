package promptscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

const (
	// maxDepth is how deep an object is walked; maxStrings how many strings are
	// read.
	// gap: texts-not-read
	maxDepth, maxStrings = 64, 20000
	// maxOpen is the nesting from which reading stops.
	// gap: texts-not-read
	maxOpen = 10000
)

// role is the purpose of a string.
type role int

const (
	// roleProse is meant to be read: descriptions, titles, results.
	roleProse role = iota
	// roleName names the object or a parameter.
	roleName
	// roleValue is a default, an example, one of a choice.
	roleValue
)

// text is one string of the object.
type text struct {
	// field is its position as a JSON pointer.
	field string
	role  role
	// parameter is the parameter it belongs to, "" if none: such text asks the
	// model for something.
	parameter string
	value     string
}

// textsOf lists all strings of raw in their order, including names of
// parameters, and how many bytes of strings were left out.
func textsOf(of string, raw json.RawMessage) ([]text, int) {
	w := walker{of: of, budget: MaxText, binary: MaxText}
	w.read(raw)
	return w.texts, w.unread
}

func (w *walker) read(raw []byte) {
	w.dec = json.NewDecoder(bytes.NewReader(raw))
	w.dec.UseNumber()
	err := w.walk()
	// The rest cannot be parsed; what was read before counts.
	if left := len(raw) - int(w.dec.InputOffset()); !errors.Is(err, io.EOF) && left > 0 {
		w.unread += left
	}
}

// walker reads JSON token by token with its own stack, so that deep nesting is
// safe.
type walker struct {
	of string
	// base is the pointer to the string that contains this JSON, if any.
	base   string
	dec    *json.Decoder
	stack  []level
	texts  []text
	budget int
	// binary is the budget of encoded pictures, sounds and files, so that they
	// use up none of the texts'.
	binary int
	unread int
}

// level is an open object or list.
type level struct {
	list  bool
	index int
	// key is the current key; known says that its value comes next.
	key   string
	known bool
	// parameter is the parameter that everything in here belongs to.
	parameter string
}

func (w *walker) walk() error {
	for {
		t, err := w.dec.Token()
		if err != nil {
			return err
		}
		if len(w.stack) > maxOpen {
			return errors.New("nested too deep")
		}
		switch t := t.(type) {
		case json.Delim:
			w.delim(t)
		case string:
			if top := w.top(); top != nil && !top.list && !top.known {
				w.name(top, t)
				continue
			}
			w.string(t)
			w.next()
		default:
			w.next()
		}
	}
}

func (w *walker) top() *level {
	if len(w.stack) == 0 {
		return nil
	}
	return &w.stack[len(w.stack)-1]
}

func (w *walker) delim(d json.Delim) {
	switch d {
	case '{', '[':
		l := level{list: d == '['}
		if top := w.top(); top != nil {
			l.parameter = top.parameter
			if w.within("properties") && !top.list {
				l.parameter = top.key
			}
		}
		w.stack = append(w.stack, l)
	default:
		w.stack = w.stack[:max(0, len(w.stack)-1)]
		w.next()
	}
}

// within says whether the innermost open object is the value of that key, where
// a schema is expected.
func (w *walker) within(key string) bool {
	return w.of != ofResult && len(w.stack) > 1 && w.stack[len(w.stack)-2].key == key
}

// name handles a key. The model reads a parameter's name like any text.
func (w *walker) name(top *level, key string) {
	top.key, top.known = key, true
	if w.within("properties") {
		w.add(text{field: w.field(), role: roleName, parameter: key, value: key})
	} else if strings.Count(key, " ") >= fewBlanks {
		w.add(text{field: w.field(), parameter: top.parameter, value: key})
	}
}

// fewBlanks are those of a key, or of data, that may be a sentence.
const fewBlanks = 3

func (w *walker) next() {
	if top := w.top(); top != nil {
		top.index++
		top.known = false
	}
}

func (w *walker) string(s string) {
	t := text{field: w.field(), value: s}
	if top := w.top(); top != nil {
		t.parameter = top.parameter
	}
	switch w.lastKey() {
	case "name":
		t.role = roleName
		if w.of == ofPrompt && len(w.stack) > 1 {
			t.parameter = s
		}
	case "default", "enum", "const", "examples", "example":
		t.role = roleValue
	case "type", "mimeType", "uri", "$schema", "$ref", "data", "blob", "required", "format", "pattern":
		if key := w.lastKey(); len(s) < 200 && (key != "data" && key != "blob" || strings.Count(s, " ") < fewBlanks) {
			t.role = roleName
		}
	}
	w.add(t)
}

func (w *walker) add(t text) {
	if t.value != "" && !w.nested(t) && !w.menu(t) {
		w.keep(t)
	}
}

// keep adds a text as it is.
func (w *walker) keep(t text) {
	if len(w.stack) > maxDepth || len(w.texts) >= maxStrings {
		w.unread += len(t.value)
		return
	}
	budget := &w.budget
	if w.isBinary(t.value) {
		budget = &w.binary // no model reads it as text
		t.value = t.value[:min(len(t.value), *budget)]
	}
	if over := len(t.value) - *budget; over > 0 {
		w.unread += over
		t.value = t.value[:*budget]
	}
	*budget -= len(t.value)
	if t.value != "" {
		w.texts = append(w.texts, t)
	}
}

// isBinary tells whether a value is an encoded picture, sound or file.
func (w *walker) isBinary(value string) bool {
	if key := w.lastKey(); w.of != ofResult || key != "data" && key != "blob" {
		return false
	}
	return strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=\r\n") == ""
}

// nested reads a result that is JSON in a string, as most are, one level deep.
func (w *walker) nested(t text) bool {
	if w.of != ofResult || w.base != "" || len(t.value) > w.budget || t.value[0] != '{' && t.value[0] != '[' || !json.Valid([]byte(t.value)) {
		return false
	}
	w.inner(t.field, []byte(t.value))
	return true
}

// menu reads a text that has a list of objects in JSON among its prose, as a list of
// commands with their descriptions: what each string says is not said by the others.
func (w *walker) menu(t text) bool {
	if w.base != "" || t.role != roleProse || len(t.value) > w.budget {
		return false
	}
	start := strings.Index(t.value, "[{\"")
	if start <= 0 {
		return false
	}
	var list json.RawMessage
	if json.NewDecoder(strings.NewReader(t.value[start:])).Decode(&list) != nil {
		return false
	}
	before, after := t, t
	before.value, after.value = t.value[:start], t.value[start+len(list):]
	w.keep(before)
	w.inner(t.field, list)
	w.keep(after)
	return true
}

// inner reads JSON that a string contains.
func (w *walker) inner(field string, raw []byte) {
	in := walker{of: w.of, base: field, budget: w.budget, binary: w.binary}
	in.read(raw)
	w.texts, w.budget, w.binary, w.unread = append(w.texts, in.texts...), in.budget, in.binary, w.unread+in.unread
}

func (w *walker) lastKey() string {
	for _, l := range slices.Backward(w.stack) {
		if !l.list {
			return l.key
		}
	}
	return ""
}

// field is a JSON pointer; a long one is shortened, because keys are hostile,
// too.
func (w *walker) field() string {
	var b strings.Builder
	b.WriteString(w.base)
	for i := range w.stack[:min(len(w.stack), maxDepth)] {
		l := &w.stack[i]
		b.WriteByte('/')
		if l.list {
			b.WriteString(strconv.Itoa(l.index))
			continue
		}
		key := l.key
		if len(key) > 80 {
			key = strings.ToValidUTF8(key[:80], "") + "…"
		}
		b.WriteString(mcpsf.PointerPart(key))
		if b.Len() > 400 {
			b.WriteString("/…")
			break
		}
	}
	return b.String()
}
