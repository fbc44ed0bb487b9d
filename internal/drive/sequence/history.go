package sequence

import (
	"cmp"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// maxSteps bounds the calls on which another one is said to depend.
// no gap: without one of them a tool refuses its attacks, and coverage counts those that were answered
const maxSteps = 8

// History remembers which calls worked, and what each depended on. It is not safe
// for concurrent use.
type History struct {
	number int              // how many calls have worked
	latest map[string]*Call // by the tool's name: the last one
	// opened are the first calls of the tools that open something, in order, and made
	// those of all that open or create something.
	opened, made []*Call
	// first are the numbers of the first calls that worked, and refused how many
	// had worked when the tool first refused one, by definition.
	first, refused map[string]int
	// sequences are those of the first calls that worked, by definition. taken is set
	// if a tool worked that takes something away.
	sequences map[string][]mcpsf.Step
	taken     bool
}

// Call is a call that worked.
type Call struct {
	mcpsf.Step
	// Definition identifies the tool: two may have the same name.
	Definition string

	number int
	after  []*Call // the calls that it depended on directly, what matters most first
}

// New returns the history of no calls.
func New() *History {
	return &History{latest: map[string]*Call{}, first: map[string]int{}, refused: map[string]int{}, sequences: map[string][]mcpsf.Step{}}
}

// Refused notes that a tool refused a call.
func (h *History) Refused(definition string) {
	if _, ok := h.refused[definition]; !ok {
		h.refused[definition] = h.number
	}
}

// Worked notes a call that worked, for which others were made first. It returns the
// calls on which it depended with itself as the last, nil if it depended on none, or
// the tool had worked before.
func (h *History) Worked(definition string, step mcpsf.Step, prepared []*Call) []mcpsf.Step {
	h.number++
	w := h.dependent(definition, step, prepared)
	h.latest[step.Tool.Name] = w
	h.taken = h.taken || TakesAway(step.Tool.Name)
	if h.first[definition] != 0 {
		return nil
	}
	h.first[definition] = h.number
	if Opens(step.Tool.Name) {
		h.opened = append(h.opened, w)
	}
	if Makes(step.Tool.Name) {
		h.made = append(h.made, w)
	}
	h.sequences[definition] = w.sequence()
	return h.sequences[definition]
}

// Tried returns the same for a call of which it is not certain that it worked, and
// notes nothing.
func (h *History) Tried(definition string, step mcpsf.Step, prepared []*Call) []mcpsf.Step {
	if h.first[definition] != 0 {
		return nil
	}
	return h.dependent(definition, step, prepared).sequence()
}

// dependent returns a call with those on which it depends directly.
func (h *History) dependent(definition string, step mcpsf.Step, prepared []*Call) *Call {
	w := &Call{Step: step, Definition: definition, number: h.number, after: slices.Clone(prepared)}
	for _, l := range step.Links {
		if from := h.latest[l.Tool]; from != nil {
			w.after = append(w.after, from)
		}
	}
	if since, ok := h.refused[definition]; ok && h.first[definition] == 0 {
		for _, m := range h.made {
			if m.number > since { // it made what was missing then
				w.after = append(w.after, m)
			}
		}
	}
	w.after = append(w.after, h.opened...) // a tool that is called later cannot say that it needs them
	return w
}

// Lost returns the calls after which a tool first worked, itself last, if what they
// made may have been taken away since; else nil.
func (h *History) Lost(definition string) []mcpsf.Step {
	if !h.taken {
		return nil
	}
	return h.sequences[definition]
}

// Restarted notes that the server was started again: nothing of what calls made is
// there any more.
func (h *History) Restarted() { h.taken = true }

// Latest returns the last call of a tool that worked, nil if there is none.
func (h *History) Latest(tool, definition string) *Call {
	if c := h.latest[tool]; c != nil && c.Definition == definition {
		return c
	}
	return nil
}

// NeverWorked reports whether a tool refused all its calls so far.
func (h *History) NeverWorked(definition string) bool {
	_, refused := h.refused[definition]
	return refused && h.first[definition] == 0
}

// MayWorkNow reports whether a tool that never worked may do so: something was
// opened or created since it refused its first call.
func (h *History) MayWorkNow(definition string) bool {
	since := h.refused[definition]
	return h.NeverWorked(definition) && slices.ContainsFunc(h.made, func(w *Call) bool { return w.number > since })
}

// sequence returns the calls to make for this one, itself last, nil if it needs none.
// Those that it needs directly come before those that these need.
func (w *Call) sequence() []mcpsf.Step {
	type key struct{ tool, arguments string }
	seen := map[key]bool{{w.Tool.Name, string(w.Arguments)}: true}
	var list []*Call
	for queue := []*Call{w}; len(queue) > 0 && len(list) < maxSteps; queue = queue[1:] {
		for _, before := range queue[0].after {
			k := key{before.Tool.Name, string(before.Arguments)}
			if !seen[k] && len(list) < maxSteps {
				seen[k] = true
				list, queue = append(list, before), append(queue, before)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b *Call) int { return cmp.Compare(a.number, b.number) })
	steps := make([]mcpsf.Step, 0, len(list)+1)
	for _, one := range append(list, w) {
		steps = append(steps, one.Step)
	}
	return steps
}

// InputOf returns the input of a step.
func InputOf(s *mcpsf.Step) schema.Input {
	return schema.Input{JSON: s.Arguments, Server: s.ServerValues}
}
