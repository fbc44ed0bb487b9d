// Package chain uses the results of earlier calls as inputs for later ones. It
// takes the results of tools and returns arguments that name existing things,
// and an order of calls in which there are such things.
//
// The meaning of a result is inferred from names alone: of keys, parameters and
// tools.
package chain

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Memory holds values that earlier calls returned. The zero value is ready. It
// is not safe for concurrent use.
type Memory struct {
	facts []fact
	calls int
	// wholes are the last results of tools as wholes, the latest last.
	wholes []outcome
	own    map[string]bool // places that we sent
}

// Link records that an argument was taken from an earlier result.
type Link struct {
	// Pointer is the argument's JSON pointer.
	Pointer string
	// Value is the argument, of a whole result its beginning, and Tool the tool that
	// returned it.
	Value string
	Tool  string
}

// fact is one value that a tool returned, with its attribute and the thing it
// belongs to.
type fact struct {
	tool   string
	things []string // the thing it belongs to: issue, note
	head   string   // the attribute: id, number, name
	value  any      // a string or a json.Number
	made   bool     // returned by a tool that creates things
	call   int
	label  string // the whole name of the member, if that has several words
}

// Bounds of the memory.
// no gap: a value that is not remembered is made up, and the tool is called all the same
const (
	maxFacts  = 1024
	maxValue  = 256
	maxLinks  = 32
	maxResult = 1 << 20
)

// Fill replaces arguments that refer to something by values that earlier calls
// returned, and lists the replacements: the server made these values. Where the
// descriptions say that something is the result of another tool, that is the whole
// result. Absent optional arguments stay absent. The arguments are returned unchanged
// if nothing is known or the schema rejects the values.
func (m *Memory) Fill(tool mcpsf.Tool, args schema.Input) (schema.Input, []Link) {
	args, links := m.fillWhole(&tool, args, nil, false)
	args, links = m.fillFacts(&tool, args, links)
	return m.fillWhole(&tool, args, links, true)
}

// fillFacts replaces arguments by single values of results.
func (m *Memory) fillFacts(tool *mcpsf.Tool, args schema.Input, links []Link) (schema.Input, []Link) {
	if len(m.facts) == 0 {
		return args, links
	}
	places := schema.Places(tool.InputSchema, meaning.Values{}, 0)
	for _, p := range schema.WithInside(args.JSON, places, meaning.Values{}) {
		current, ok := at(args.JSON, p.Pointer)
		if !ok || len(p.Enum) > 0 || len(links) >= maxLinks || slices.ContainsFunc(links, func(l Link) bool { return inside(p.Pointer, l.Pointer) }) {
			continue
		}
		f, ok := m.best(tool.Name, p, current)
		if !ok {
			continue
		}
		value, _ := convert(f.value, p.Type)
		if same(value, current) && !(f.made && isNumber(value)) {
			continue // a number that we guessed right is another one after the next start
		}
		filled, err := m.With(args, p.Pointer, value)
		if err != nil || !schema.Accepts(tool.InputSchema, filled.JSON) {
			continue
		}
		args = filled
		links = append(links, Link{Pointer: p.Pointer, Value: text(f.value), Tool: f.tool})
	}
	return args, links
}

// inside reports whether a pointer leads into a value.
func inside(pointer, whole string) bool { return mcpsf.PointerWithin(pointer, whole) }

// best returns the fact that fits a parameter best: by name, then a thing that
// was created rather than listed, then the latest.
func (m *Memory) best(tool string, p schema.Place, current any) (fact, bool) {
	want, ok := reference(tool, p.Name)
	if !ok {
		want, ok = m.called(p)
	}
	found, top := fact{}, 0
	for _, f := range m.facts {
		if _, fits := convert(f.value, p.Type); !fits || !m.ours(text(f.value), current) || f.head == "cursor" && f.tool != tool {
			continue
		}
		score := max(scoreElement(tool, p.Name, f), scoreLabel(p.Name, f))
		if ok {
			score = max(score, want.score(f))
		}
		if score > 0 && f.made {
			score++
		}
		if score > top || score == top && score > 0 && f.call > found.call {
			found, top = f, score
		}
	}
	return found, top > 0
}

// called handles a parameter with the name of the thing it identifies, such as
// device with the description "see list_devices".
func (m *Memory) called(p schema.Place) (wanted, bool) {
	things := meaningful(meaning.Words(p.Name))
	if p.Type != "string" || len(things) == 0 {
		return wanted{}, false
	}
	said := meaning.Words(p.Description)
	identifies := slices.ContainsFunc(said, func(w string) bool { return w == "id" || w == "identifier" || w == "serial" || w == "udid" })
	listed := slices.ContainsFunc(m.facts, func(f fact) bool { return strings.Contains(p.Description, f.tool) })
	return wanted{things: things, head: "id"}, identifies || listed
}

// at returns the argument at a pointer.
func at(args json.RawMessage, pointer string) (any, bool) {
	raw, ok := schema.Get(args, pointer)
	if !ok {
		return nil, false
	}
	return decode(raw)
}

// convert converts a value to the requested type.
func convert(value any, typ string) (any, bool) {
	s := text(value)
	switch typ {
	case "string":
		return s, true
	case "integer", "number":
		n := json.Number(s)
		_, err := n.Int64()
		return n, err == nil && canonical(s)
	}
	return nil, false
}

// canonical reports whether a whole number is in canonical JSON form.
func canonical(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits == "0" || digits != "" && digits[0] >= '1' && digits[0] <= '9'
}

func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func isNumber(value any) bool {
	_, ok := value.(json.Number)
	return ok
}
