package promptscan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Reader splits texts into sentences and says what their words mean.
type Reader struct{ lexicon *lexicon }

// NewReader knows this package's vocabulary and, in the same form, more.
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
	// Text is folded: lower case, without accents, lookalikes as the letters
	// that they show.
	Text string
	// Start and End are where it stands in the text that was read.
	Start, End int
	Shape      Shape
	// Name is set for what looks like the name of a tool or parameter, Quoted
	// for what stands in quotation marks, Lead where a clause begins.
	Name, Quoted, Lead bool
}

// Sense is a class of the vocabulary that was found, from one word to before
// another.
type Sense struct {
	Class    string
	From, To int
}

// Sentence is a sentence and what its words mean.
type Sentence struct {
	Words  []Word
	Senses []Sense
	inner  *sentence
}

// Read splits a text. What is written with digits for letters, or letter by
// letter, is read a second time as what it says.
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

// Described reports whether the sentence describes such sentences.
func (s *Sentence) Described() bool { return s.inner.describesAttacks() }

// AsksSecrecy reports whether the user is not to know.
func (s *Sentence) AsksSecrecy() bool {
	p := passage{scanner: &scanner{seen: map[mcpsf.TextDetail]bool{}}}
	return !s.inner.describesAttacks() && p.asksSecrecy(s.inner)
}

// SecretPath says whether a path is one where secrets lie.
func SecretPath(path string) bool { return secretPath(strings.ToLower(path)) }

// HiddenText is what characters say that are not shown, "" if there are none.
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

// Decoded is a text and how it was encoded.
type Decoded struct{ How, Plain string }

// Decode finds texts that are encoded in another, one level deep.
func Decode(text string) []Decoded {
	var out []Decoded
	for _, d := range decodings(text) {
		out = append(out, Decoded{d.how, d.plain})
	}
	return out
}

// Role is what a string of an object is there for.
type Role = role

// The roles of strings.
const (
	RoleProse = roleProse
	RoleName  = roleName
	RoleValue = roleValue
)

// Text is one string of an object: where it stands, and the parameter that it
// belongs to, if any.
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

// Printable is a text as it can be shown, in one line and cut if it is long.
func Printable(text string) string { return printable(text) }
