// Package schema makes inputs for tools. It takes a JSON Schema as servers
// write them and returns plausible values that the schema accepts, and the
// places in them where a payload can be put.
//
// The schema is hostile. Its size, its nesting and the work it can cause are
// bounded before it is used, and nothing outside of it is ever loaded.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// ErrUnsatisfied reports that no value was found that provably satisfies the
// schema. The best value found is returned with it.
var ErrUnsatisfied = errors.New("no input was found that satisfies the schema")

// ErrTooLarge is the reason if the schema demands a larger input than is made.
var ErrTooLarge = errors.New("it demands a larger input than is made")

// variants is how many different values are tried.
const variants = 8

// Generate returns a value for the schema. The same arguments always give the
// same value. Properties named like a field of values get that field's value. A
// missing schema gives an empty object.
//
// Optional properties are left out, because most real tools succeed that way:
// optional parameters exclude each other, ask for pages that do not exist, or
// set timeouts. If nothing is required, the most informative property is
// filled. [Vary] includes the others.
//
// The only error is [ErrUnsatisfied]; the returned value is usable even then.
func Generate(raw json.RawMessage, values meaning.Values, seed uint64) (Input, error) {
	return Vary(raw, values, seed, 0)
}

// Vary returns the n-th of many inputs for the schema, for repeated calls of a
// tool: other members of enumerations, inverted booleans, optional properties
// in or out. The first is what [Generate] returns.
func Vary(raw json.RawMessage, values meaning.Values, seed uint64, n int) (Input, error) {
	extras := [variants]extent{one, one, all, none, some, some, none, all}
	switch {
	case n > 0 && (n%2 == 1 || n%4 == 0):
		extras = [variants]extent{all, all, some, some, one, one, none, none}
	case n > 0:
		extras = [variants]extent{some, some, some, one, one, none, none, all}
	}
	return newMaker(raw, values, seed).make(task{turn: max(n, 0), extras: extras})
}

// Minimal returns the smallest input for the schema: the required properties
// only.
func Minimal(raw json.RawMessage, values meaning.Values, seed uint64) (Input, error) {
	return newMaker(raw, values, seed).make(task{})
}

// MinimalWith returns the smallest input that has a value at the pointer, ready
// to be replaced with [Put].
func MinimalWith(raw json.RawMessage, values meaning.Values, seed uint64, pointer string) (Input, error) {
	pointer, _, _ = mcpsf.PointerText(pointer) // nothing is made inside a text for its sake
	want, err := split(pointer)
	if err != nil {
		return Minimal(raw, values, seed)
	}
	return newMaker(raw, values, seed).make(task{want: want})
}

// Accepts reports whether the schema accepts an input. An empty schema accepts
// everything; of a broken schema the valid parts are checked.
func Accepts(raw, input json.RawMessage) bool {
	value, err := decode(input)
	if err != nil {
		return false
	}
	m := newMaker(raw, meaning.Values{}, 0)
	return m.check == nil || m.check(value)
}

// task describes the input to make.
type task struct {
	// turn distinguishes repeated calls.
	turn int
	// extras is the extent of optional properties for each attempt.
	extras [variants]extent
	// want is the path of a place that the input must contain.
	want []string
}

// maker makes inputs for one schema.
type maker struct {
	root    any // nil if there is no usable schema
	values  meaning.Values
	lexicon *meaning.Lexicon
	tool    *toolText
	seed    uint64
	// compiled caches the compiled patterns of the schema.
	compiled map[string]*expression

	check  func(any) bool // nil if values cannot be checked
	broken error          // the error in the original schema
}

// newMaker reads the schema. It repairs a broken schema as far as possible and
// makes inputs for the remaining part.
func newMaker(raw json.RawMessage, values meaning.Values, seed uint64) *maker {
	values = values.WithDefaults()
	m := &maker{values: values, lexicon: meaning.NewLexicon(values), tool: newToolText(values.About()), seed: seed, compiled: map[string]*expression{}}
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

func (m *maker) make(t task) (Input, error) {
	best := Input{JSON: json.RawMessage(`{}`), Server: mcpsf.ServerValues{}}
	if m.root == nil {
		if m.broken != nil {
			return best, fmt.Errorf("%w: %w", ErrUnsatisfied, m.broken)
		}
		return best, nil
	}
	tooLarge := false
	for variant, budget := 0, maxWork; variant < variants && budget > 0; variant++ {
		g := m.generator(t, variant)
		g.steps = min(g.steps, budget)
		budget -= g.steps
		value := g.input()
		budget += max(g.steps, 0)
		tooLarge = tooLarge || g.tooLarge || g.demanding && g.steps < 0
		raw, err := encode(value)
		if err != nil {
			tooLarge = tooLarge || g.demanding
			continue
		}
		out := Input{raw, g.origins.listed()}
		if variant == 0 {
			best = out
		}
		if _, there := find(value, t.want); there && m.check != nil && m.check(value) {
			return out, m.unsound()
		}
	}
	switch {
	case tooLarge:
		return best, fmt.Errorf("%w: %w", ErrUnsatisfied, ErrTooLarge)
	case m.broken == nil:
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
		root: m.root, values: m.values, lexicon: m.lexicon, tool: m.tool, compiled: m.compiled,
		task: t, variant: variant, steps: maxSteps, origins: origins{},
		random: rand.New(rand.NewPCG(m.seed, stream)),
	}
}

// gap: tools-failed
const (
	// maxInput bounds a generated input.
	maxInput = 1 << 20
	// maxPut bounds the input after [Put]: an oversized value may be the
	// attack.
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
