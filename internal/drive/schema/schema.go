// Package schema makes inputs for tools: a JSON Schema as servers write them
// comes in, plausible values that it accepts go out, and the places in them
// where something else can be put.
//
// The schema is hostile. Its size, its nesting and the work it can cause are
// bounded before anything is done with it, and nothing outside of it is ever
// loaded.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrUnsatisfied says that the value could not be shown to satisfy the
// schema. The value that comes with it is the best that was found.
var ErrUnsatisfied = errors.New("no input was found that satisfies the schema")

// variants is how many different values are tried.
const variants = 8

// Generate returns a value for the schema: the same for the same arguments,
// wherever and whenever it is called. Properties named like something in
// values get that. A missing schema gives an empty object.
//
// What is optional is left out, because that is how most real tools succeed:
// optional parameters exclude each other, ask for pages that do not exist, or
// set timeouts. If nothing is required, the one that tells the tool most about
// what to work on is put in. [Vary] brings the others.
//
// The only error is [ErrUnsatisfied], and there is a usable value beside it.
func Generate(raw json.RawMessage, values Values, seed uint64) (json.RawMessage, error) {
	return Vary(raw, values, seed, 0)
}

// Vary returns the n-th of many inputs for the schema, for calling a tool
// again: other members of enumerations, booleans the other way round, optional
// properties in or out. The first is what [Generate] returns.
func Vary(raw json.RawMessage, values Values, seed uint64, n int) (json.RawMessage, error) {
	extras := [variants]extent{one, one, all, none, some, some, none, all}
	switch {
	case n > 0 && n%2 == 1:
		extras = [variants]extent{all, all, some, some, one, one, none, none}
	case n > 0:
		extras = [variants]extent{some, some, some, one, one, none, none, all}
	}
	return newMaker(raw, values, seed).make(task{turn: max(n, 0), extras: extras})
}

// Minimal returns the smallest input for the schema: what is required, and no
// more.
func Minimal(raw json.RawMessage, values Values, seed uint64) (json.RawMessage, error) {
	return newMaker(raw, values, seed).make(task{})
}

// MinimalWith returns the smallest input that has something at the pointer, ready to
// be replaced with [Put].
func MinimalWith(raw json.RawMessage, values Values, seed uint64, pointer string) (json.RawMessage, error) {
	want, err := split(pointer)
	if err != nil {
		return Minimal(raw, values, seed)
	}
	return newMaker(raw, values, seed).make(task{want: want})
}

// Accepts reports whether the schema accepts an input. A schema that says
// nothing accepts everything; of a broken one the sound parts count.
func Accepts(raw, input json.RawMessage) bool {
	value, err := decode(input)
	if err != nil {
		return false
	}
	m := newMaker(raw, Values{}, 0)
	return m.check == nil || m.check(value)
}

// task is what kind of input to make.
type task struct {
	// turn tells repeated calls apart.
	turn int
	// extras says for each attempt how much of what is optional goes in.
	extras [variants]extent
	// want is a place that has to be there.
	want []string
}

// maker makes inputs for one schema.
type maker struct {
	root    any // nil if there is nothing to go by
	values  Values
	lexicon *lexicon
	seed    uint64
	// compiled are the patterns of the schema, as they are met.
	compiled map[string]*expression

	check  func(any) bool // nil if nothing can be checked
	broken error          // what is wrong with the schema as it was written
}

// newMaker reads the schema. What cannot be used as it stands is repaired as
// far as that goes; inputs are then made for what is left.
func newMaker(raw json.RawMessage, values Values, seed uint64) *maker {
	values = values.withDefaults()
	m := &maker{values: values, lexicon: newLexicon(values), seed: seed, compiled: map[string]*expression{}}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return m
	}
	if m.root, m.broken = parse(raw); m.broken != nil {
		return m
	}
	if m.check, m.broken = compile(m.root); m.broken != nil {
		m.root = repair(m.root)
		m.check, _ = compile(m.root)
	}
	return m
}

func (m *maker) make(t task) (json.RawMessage, error) {
	best := json.RawMessage(`{}`)
	if m.root == nil {
		if m.broken != nil {
			return best, fmt.Errorf("%w: %w", ErrUnsatisfied, m.broken)
		}
		return best, nil
	}
	for variant, budget := 0, maxWork; variant < variants && budget > 0; variant++ {
		g := m.generator(t, variant)
		g.steps = min(g.steps, budget)
		budget -= g.steps
		value := g.input()
		budget += max(g.steps, 0)
		out, err := encode(value)
		if err != nil {
			continue
		}
		if variant == 0 {
			best = out
		}
		if _, there := find(value, t.want); there && m.check != nil && m.check(value) {
			return out, m.unsound()
		}
	}
	if m.broken == nil {
		return best, ErrUnsatisfied
	}
	return best, m.unsound()
}

func (m *maker) unsound() error {
	if m.broken == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnsatisfied, m.broken)
}

func (m *maker) generator(t task, variant int) *generator {
	stream := uint64(t.turn)*variants + uint64(variant)
	return &generator{
		root: m.root, values: m.values, lexicon: m.lexicon, compiled: m.compiled,
		task: t, variant: variant, steps: maxSteps,
		random: rand.New(rand.NewPCG(m.seed, stream)),
	}
}

const (
	// maxInput bounds what we make.
	maxInput = 256 << 10
	// maxPut bounds what it is after something was put there: too much may be
	// the point.
	maxPut = 8 << 20
)

func encode(value any) (json.RawMessage, error) { return encodeWithin(value, maxInput) }

func encodeWithin(value any, most int) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("encoding an input: %w", err)
	}
	if buf.Len() > most {
		return nil, errors.New("the input is too large")
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
