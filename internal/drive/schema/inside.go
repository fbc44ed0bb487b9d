package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Bounds of what is listed inside a text: its length, the levels and number of its
// places, and the elements of a list, the lines of a text among them.
// no gap: bounds the places of attacks, which show weaknesses
const (
	maxInside         = 64 << 10
	maxInsideLevels   = 6
	maxInsidePlaces   = 32
	maxInsideElements = 2
)

// Inside lists the places inside the JSON text that stands at a place of the
// arguments, none if there is none. What they are for is told by their names.
func Inside(args json.RawMessage, p Place, values meaning.Values) []Place {
	if p.Type != "string" || len(p.Enum) > 0 {
		return nil
	}
	raw, ok := Get(args, p.Pointer)
	var text string
	if !ok || len(raw) > maxInside || json.Unmarshal(raw, &text) != nil {
		return nil
	}
	held, ok := openText(text)
	if !ok {
		return nil
	}
	w := &textWalker{text: p, length: len(text), lexicon: meaning.NewLexicon(values)}
	w.visit(held.value, p.Name, p.Pointer+"#", 0)
	return w.out
}

// WithInside adds to places those inside the texts of the arguments, each behind its
// text.
func WithInside(args json.RawMessage, places []Place, values meaning.Values) []Place {
	var out []Place
	for _, p := range places {
		out = append(append(out, p), Inside(args, p, values)...)
	}
	return out
}

// textWalker goes through the document of a text and collects its leaves.
type textWalker struct {
	text    Place
	length  int
	lexicon *meaning.Lexicon
	out     []Place
}

func (w *textWalker) visit(value any, name, pointer string, level int) {
	if level > maxInsideLevels || len(w.out) >= maxInsidePlaces {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			w.visit(v[key], key, join(pointer, key), level+1)
		}
	case []any:
		for i, e := range v[:min(len(v), maxInsideElements)] {
			w.visit(e, name, join(pointer, strconv.Itoa(i)), level+1)
		}
	default:
		w.add(v, name, pointer)
	}
}

func (w *textWalker) add(value any, name, pointer string) {
	p := Place{Pointer: pointer, Name: name, Description: w.about(name), Type: typeOf(value)}
	switch p.Type {
	case "number":
		p.Kind = meaning.KindNumber
	case "boolean":
		p.Kind = meaning.KindBool
	default:
		p.Kind, _ = w.lexicon.Meaning(name, "")
	}
	if w.text.MaxLength > 0 {
		p.MaxLength = max(1, w.text.MaxLength-w.length+len(textOf(value)))
	}
	w.out = append(w.out, p)
}

// about returns the lines of the text's description that mention a member. The others
// are about the text as a whole, or about other members.
func (w *textWalker) about(name string) string {
	if len(name) < 2 {
		return "" // "a" is a word of every text
	}
	var out strings.Builder
	for line := range strings.Lines(w.text.Description) {
		if wordIn(line, name) >= 0 {
			out.WriteString(line)
		}
	}
	return strings.TrimSpace(out.String())
}
