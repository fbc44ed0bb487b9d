package promptscan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Reader splits texts into sentences and finds the classes of their words.
type Reader struct{ lexicon *lexicon }

// NewReader uses this package's vocabulary and more, in the same format.
func NewReader(more string) *Reader { return &Reader{newLexicon(lexiconText + "\n" + more)} }

// Shape is what a word looks like.
type Shape = shape

// The shapes of words.
const (
	ShapeWord = shapeWord
	ShapePath = shapePath
	ShapeMail = shapeMail
	ShapeURL  = shapeURL
)

// Word is a word of a sentence.
type Word struct {
	// Text is folded: lower case, without accents, lookalikes replaced by the
	// letters that they resemble.
	Text string
	// Start and End are its position in the text.
	Start, End int
	Shape      Shape
	// Name is set for what looks like the name of a tool or parameter, Quoted
	// for a word in quotation marks, Lead where a clause begins.
	Name, Quoted, Lead bool
}

// Sense is a class of the vocabulary, found at the words [From, To).
type Sense struct {
	Class    string
	From, To int
}

// Sentence is a sentence with the senses of its words.
type Sentence struct {
	Words  []Word
	Senses []Sense
	inner  *sentence
}

// Read splits a text. Text with digits for letters, or written letter by
// letter, is also read in its normal form.
func (r *Reader) Read(text string) []Sentence {
	ts := tokens(text)
	out := r.sentences(ts)
	for _, plain := range [][]token{undoLeet(ts), r.lexicon.undoSpacing(ts)} {
		if plain != nil {
			out = append(out, r.sentences(plain)...)
		}
	}
	return out
}

func (r *Reader) sentences(ts []token) []Sentence {
	split := r.lexicon.split(ts)
	out := make([]Sentence, len(split))
	for i := range split {
		s := &split[i]
		out[i] = Sentence{Words: make([]Word, len(s.ts)), Senses: make([]Sense, len(s.senses)), inner: s}
		for j, t := range s.ts {
			out[i].Words[j] = Word{t.text, t.start, t.end, t.shape, t.name, t.quoted, t.lead}
		}
		for j, m := range s.senses {
			out[i].Senses[j] = Sense{string(m.class), m.from, m.to}
		}
	}
	return out
}

// Negated reports whether the words are about what is not to be done.
func (s *Sentence) Negated(m Sense) bool { return s.inner.negated(sense{class(m.Class), m.From, m.To}) }

// Described reports whether the sentence describes attacks instead of giving
// orders.
func (s *Sentence) Described() bool { return s.inner.describesAttacks() }

// AsksSecrecy reports whether the user is not to know.
func (s *Sentence) AsksSecrecy() bool {
	p := passage{scanner: &scanner{seen: map[mcpsf.TextDetail]bool{}}}
	return !s.inner.describesAttacks() && p.asksSecrecy(s.inner)
}

// SecretPath says whether secrets are stored at a path.
func SecretPath(path string) bool { return secretPath(strings.ToLower(path)) }

// HiddenText is the message in invisible characters, "" if there is none.
func HiddenText(text string, most int) string {
	if plainASCII(text) {
		return ""
	}
	s := hiddenReader{most: most}
	for i, r := range text {
		s.take(i, r)
	}
	return s.said()
}

// Decoded is a text and its encoding.
type Decoded struct{ How, Plain string }

// Decode finds texts that are encoded in another, one level deep.
func Decode(text string) []Decoded {
	var out []Decoded
	for _, d := range decodings(text) {
		out = append(out, Decoded{d.how, d.plain})
	}
	return out
}

// Role is the purpose of a string in an object.
type Role = role

// The roles of strings.
const (
	RoleProse = roleProse
	RoleName  = roleName
	RoleValue = roleValue
)

// Text is one string of an object: its position, and its parameter, if any.
type Text struct {
	Field     string
	Role      Role
	Parameter string
	Value     string
}

// Texts lists the strings of an object as [Scan] reads them.
func Texts(of string, raw json.RawMessage) []Text {
	found, _ := textsOf(of, raw)
	out := make([]Text, len(found))
	for i, t := range found {
		out[i] = Text{t.field, t.role, t.parameter, t.value}
	}
	return slices.Clip(out)
}

// Printable is a text made safe to print: one line, shortened if it is long.
func Printable(text string) string { return printable(text) }
