package canary

import (
	"bytes"
	"fmt"
	"sync"
)

// Limits of a set.
// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	minValue = 8       // shorter values occur by chance
	maxValue = 1 << 14 // only this much of a value is searched for
	maxMarks = 1 << 10
)

// Mark is a value whose bytes prove where they come from.
type Mark struct {
	// ID names the mark in hits.
	ID string
	// Value is what is searched for, at least eight bytes.
	Value []byte
	// Distinct are the parts of Value that occur nowhere else. If empty, they
	// are found by comparing with ordinary text and the other marks.
	Distinct []Span
}

// Span is a half-open range of bytes.
type Span struct{ From, To int }

// Hit is one leak.
type Hit struct {
	// Mark is the ID of the mark.
	Mark string
	// Chain names the encodings from the outside in, none for plain bytes. XOR
	// names its key: "xor(5a)".
	Chain []string
	// From and To are its position in the stream, as exact as the encoding
	// allows. In a [Gather] they refer to the last message.
	From, To int64
	// Share is the recognised share of the value, 1 for all of it.
	Share float64
	// Excerpt is the beginning of the recognised text, after the necessary
	// decodings; unprintable bytes are dots.
	Excerpt string
	// Refs are the messages that contained the pieces, in the order of arrival.
	// Only a [Gather] sets them.
	Refs []int64
}

// Set recognises marks. It is immutable and safe for concurrent use.
type Set struct {
	marks []mark
	index *index
	// pieces is the index that a Gather uses.
	pieces func() *index
	weak   []string

	breaks    [256]uint64
	counters  [256]uint64
	alphabets [alphabetCount]alphabet
	nodes     sync.Pool
	phases    sync.Pool
}

// mark is a [Mark] prepared for the search.
type mark struct {
	id     string
	size   int       // bytes that are searched
	sum    []float32 // sum[i] is the weight of the first i bytes
	listed []Span    // lists of numbers in it
	need   float32   // weight of a hit
	length int       // bytes of the value
}

// Compile prepares the recognition of marks.
func Compile(marks []Mark) (*Set, error) {
	if len(marks) > maxMarks {
		return nil, fmt.Errorf("%d marks are too many: %d can be told apart", len(marks), maxMarks)
	}
	seen, shortest := make(map[string]bool, len(marks)), maxValue
	for _, m := range marks {
		switch {
		case len(m.Value) < minValue:
			return nil, fmt.Errorf("mark %q has %d bytes: fewer than %d would be found everywhere", m.ID, len(m.Value), minValue)
		case seen[m.ID]:
			return nil, fmt.Errorf("mark %q is there twice", m.ID)
		}
		for _, d := range m.Distinct {
			if d.From < 0 || d.To > len(m.Value) || d.From >= d.To {
				return nil, fmt.Errorf("mark %q has a distinct part outside its value: %d to %d", m.ID, d.From, d.To)
			}
		}
		seen[m.ID], shortest = true, min(shortest, len(m.Value))
	}
	s := &Set{breaks: breaks(), counters: counterMasks(), alphabets: alphabets(shortest), nodes: sync.Pool{New: func() any { return new(node) }},
		phases: sync.Pool{New: func() any { return new(phases) }}}
	values := make([][]byte, len(marks))
	for i, m := range marks {
		values[i] = m.Value[:min(len(m.Value), maxValue)]
	}
	s.weigh(marks, values)
	s.index = newIndex(s.marks, values, false)
	for i := range values {
		values[i] = bytes.Clone(values[i])
	}
	s.pieces = sync.OnceValue(func() *index { return newIndex(s.marks, values, true) })
	return s, nil
}

// Weak lists the marks that are not distinctive enough ever to be a hit.
func (s *Set) Weak() []string { return s.weak }

// Bytes searches one message.
func (s *Set) Bytes(p []byte) []Hit {
	st := s.Stream(nil)
	hits := st.Write(p)
	return append(hits, st.Close()...)
}
