package html

import (
	"math"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the events in the page: their number and their bytes.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxEvents  = 20_000
	roomEvents = 2 << 20
)

// data is what the script filters. Repeated names are stored once, and events
// are rows of indexes into them.
type data struct {
	Kinds []string `json:"kinds"`
	Tools []string `json:"tools"`
	Procs []string `json:"procs"`
	Verbs []string `json:"verbs"`
	// Calls are an id, a title and the index of a tool, -1 for none.
	Calls [][3]any `json:"calls"`
	// Events are: number, seconds, call (-1 for none), kind, process, verb,
	// what, count, and flags: 1 for late, 2 for events that can be unfolded
	// above, plus 4 for evidence of the lowest level, 8 of the next, up to 20.
	Events [][]any `json:"events"`
	// Parts are the packages, nil if none were read.
	Parts *partsData `json:"parts,omitempty"`
}

// dataSection writes the events for the script of the page.
type dataSection struct{ *index }

// data chooses events while there is room: first those that prove findings, then
// the remarkable ones, then the others. Packages use the same room.
func (b dataSection) data(parts *partsData, taken int) data {
	d := &table{used: taken, data: data{Parts: parts, Kinds: kindNames(), Tools: []string{}, Procs: []string{}, Verbs: []string{}, Calls: [][3]any{}, Events: [][]any{}}}
	chosen := make([][]any, len(b.Events))
	count := 0
	for pass := range 3 {
		for i := range b.Events {
			if chosen[i] != nil || count == maxEvents || d.used >= roomEvents {
				continue
			}
			e := &b.Events[i]
			if _, proves := b.proofs[e.Seq]; pass == 0 && !proves || pass == 1 && !b.Loud(e) {
				continue
			}
			chosen[i] = d.row(b.index, e)
			count++
		}
	}
	d.Events = slices.DeleteFunc(chosen, func(row []any) bool { return row == nil })
	return d.data
}

// rowWidth is the approximate size of the numbers of a row.
const rowWidth = 40

// table assigns indexes to names.
type table struct {
	data

	tools, procs, verbs, calls map[string]int
	// used is the approximate number of bytes.
	used int
}

func (t *table) row(b *index, e *mcpsf.Event) []any {
	v := b.event(e)
	flags := 4 * (1 + slices.Index(levels(), v.Level))
	if v.Late {
		flags |= 1
	}
	if b.shown[e.Seq] {
		flags |= 2
	}
	at := e.T
	if math.IsNaN(at) || math.IsInf(at, 0) {
		at = 0
	}
	t.used += rowWidth + weigh(v.What)
	return []any{
		e.Seq, math.Round(at*1000) / 1000, t.call(b, e.Call), kindOf(e), t.number(&t.procs, &t.Procs, v.Proc),
		t.number(&t.verbs, &t.Verbs, v.Verb), v.What, max(e.Count, 1), flags,
	}
}

func (t *table) call(b *index, id string) int {
	if id == "" {
		return -1
	}
	if n, ok := t.calls[id]; ok {
		return n
	}
	c := b.call(id)
	tool, title := -1, b.line(c.method, maxName)
	if c.tool != "" {
		name := b.line(c.tool, maxName)
		tool = t.number(&t.tools, &t.Tools, name)
		title = name
	}
	if c.attack != "" {
		title += " (" + b.line(c.attack, 60) + ")"
	}
	if t.calls == nil {
		t.calls = make(map[string]int)
	}
	name := b.line(id, 60)
	t.used += rowWidth + weigh(name) + weigh(title)
	t.calls[id] = len(t.Calls)
	t.Calls = append(t.Calls, [3]any{name, title, tool})
	return t.calls[id]
}

// number returns the index of a name in a list, and adds it if it is new.
func (t *table) number(index *map[string]int, list *[]string, name string) int {
	if *index == nil {
		*index = make(map[string]int)
	}
	n, ok := (*index)[name]
	if !ok {
		n = len(*list)
		(*index)[name] = n
		t.used += weigh(name)
		*list = append(*list, name)
	}
	return n
}
