package attackplan

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// The bounds of what is called after an attack on a tool that stores something.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const (
	// maxThen bounds the tools that take what the attacked one returned, maxBeside those
	// that take what it takes, maxAlone those that need nothing.
	maxThen, maxBeside, maxAlone = 3, 2, 1
)

// then finds the tools in which a payload acts that another tool only stored.
type then struct {
	worked map[string]*mcpsf.Call
	tools  []mcpsf.Tool
	out    map[string][][]mcpsf.Step
}

// takers returns the sequences of the tools that may use what another one stored, by the
// name of that one: those that worked with what it returned; for one that changes a thing
// those that worked with the same thing; and those that need nothing, such as a report.
func takers(s *mcpsf.Session, worked map[string]*mcpsf.Call) map[string][][]mcpsf.Step {
	t := &then{worked, s.Tools, map[string][][]mcpsf.Step{}}
	made := map[string]int{}
	for _, storing := range []bool{false, true} { // what only uses the thing comes first
		for i := range s.Tools {
			if c := t.reader(i); c != nil && sequence.Stores(c.Tool) == storing {
				t.addTaker(c, made)
			}
		}
	}
	for i := range s.Tools {
		if name := s.Tools[i].Name; worked[name] != nil && sequence.Stores(name) {
			t.addBeside(worked[name])
			t.addAlone(worked[name])
		}
	}
	return t.out
}

// addTaker adds a call to the tools whose results it had in its arguments.
func (t *then) addTaker(c *mcpsf.Call, made map[string]int) {
	for _, maker := range makers(c) {
		if maker != c.Tool && made[maker] < maxThen {
			made[maker]++
			t.add(maker, c.Sequence)
		}
	}
}

// reader returns the call of a tool that worked and that takes nothing away.
func (t *then) reader(i int) *mcpsf.Call {
	if sequence.TakesAway(t.tools[i].Name) {
		return nil
	}
	return t.worked[t.tools[i].Name]
}

// makers are the tools whose results a call had in its arguments, each once.
func makers(c *mcpsf.Call) []string {
	var out []string
	if len(c.Sequence) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, l := range c.Sequence[len(c.Sequence)-1].Links {
		if !seen[l.Tool] {
			seen[l.Tool] = true
			out = append(out, l.Tool)
		}
	}
	return out
}

// addBeside adds the tools that work with the thing that a call changes.
func (t *then) addBeside(changes *mcpsf.Call) {
	of := map[string]bool{}
	for _, maker := range makers(changes) {
		of[maker] = true
	}
	added := 0
	for i := range t.tools {
		c := t.reader(i)
		if c == nil || c.Tool == changes.Tool || sequence.Stores(c.Tool) || added >= maxBeside {
			continue
		}
		for _, maker := range makers(c) {
			if of[maker] && maker != changes.Tool {
				added++
				t.add(changes.Tool, c.Sequence)
				break
			}
		}
	}
}

// addAlone adds a tool that needs nothing.
func (t *then) addAlone(stores *mcpsf.Call) {
	added := 0
	for i := range t.tools {
		c := t.reader(i)
		if c == nil || c.Tool == stores.Tool || len(c.Sequence) > 1 || len(sequence.Required(&t.tools[i])) > 0 || sequence.Makes(c.Tool) || sequence.Stores(c.Tool) || added >= maxAlone {
			continue
		}
		added++
		t.add(stores.Tool, []mcpsf.Step{{Tool: t.tools[i], Arguments: c.Arguments, ServerValues: c.ServerValues}})
	}
}

// add adds a sequence, the same with the switches of its last call on, and with its other
// choices.
func (t *then) add(tool string, steps []mcpsf.Step) {
	t.out[tool] = append(t.out[tool], steps)
	if more, ok := switchedOn(steps); ok {
		t.out[tool] = append(t.out[tool], more)
		steps = more
	}
	t.out[tool] = append(t.out[tool], chosenOtherwise(steps)...)
}
