package rulefile

import (
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of sequences and times.
// no gap: bounds a rule that its author wrote; more is an error
const (
	maxSteps  = 8
	minWindow = time.Millisecond
	maxWindow = 24 * time.Hour
)

// sequenceDocument is a sequence in the rule file.
type sequenceDocument struct {
	By     Join           `yaml:"by"`
	Within string         `yaml:"within"`
	Steps  []stepDocument `yaml:"steps"`
}

type stepDocument struct {
	Name   string       `yaml:"name"`
	Absent bool         `yaml:"absent"`
	Kinds  []mcpsf.Kind `yaml:"kinds"`
	When   string       `yaml:"when"`
}

// Sequence is a compiled sequence: events that follow each other and are joined
// by a common value.
type Sequence struct {
	By     Join
	Within Window
	Steps  []Step
	// LooksBack is set if a condition refers to the events of earlier steps.
	LooksBack bool
}

// Step is one event of a sequence, or one that must be absent.
type Step struct {
	Name   string
	Kinds  []mcpsf.Kind
	When   condition.Condition
	Absent bool
	// Kept is set if a later condition or text refers to its event.
	Kept bool
}

// Window is the maximum time or scope of a sequence.
type Window struct {
	Call, Run bool
	Seconds   float64
}

// String returns the window as written in the rule file.
func (w Window) String() string {
	switch {
	case w.Call:
		return "call"
	case w.Run:
		return "run"
	}
	return time.Duration(w.Seconds * float64(time.Second)).String()
}

// Leads tells whether only absent steps come before step i.
func (c *Sequence) Leads(i int) bool {
	return !slices.ContainsFunc(c.Steps[:i], func(s Step) bool { return !s.Absent })
}

// Next returns the step to wait for after step i: the next that must occur, the number
// of steps (end of the window) if only absent ones are left, -1 if none are.
func (c *Sequence) Next(i int) int {
	for j := i + 1; j < len(c.Steps); j++ {
		if !c.Steps[j].Absent {
			return j
		}
	}
	if i == len(c.Steps)-1 {
		return -1
	}
	return len(c.Steps)
}

// sequence compiles a sequence.
func (p *parser) sequence(d *sequenceDocument) *Sequence {
	top := p.keys["sequence"]
	c := &Sequence{By: d.By, Within: p.window(d.Within, member(top, "within"))}
	if !slices.Contains(joins(), d.By) {
		var names []string
		for _, j := range joins() {
			names = append(names, string(j))
		}
		p.problem(line(member(top, "by"), top), "sequence: by %q must be one of %s", d.By, strings.Join(names, ", "))
	}
	steps := member(top, "steps")
	if len(d.Steps) < 2 || len(d.Steps) > maxSteps {
		p.problem(line(steps, top), "sequence: there are %d steps, it takes 2 to %d", len(d.Steps), maxSteps)
		return c
	}
	var names []string
	for i, s := range d.Steps {
		at := item(steps, i)
		p.checkKinds(s.Kinds, line(member(at, "kinds"), at))
		if s.When == "" {
			p.problem(line(at), "step %d: when is missing; write true if every event will do", i+1)
		}
		p.checkStep(&s, names, at)
		compiled := Step{Name: s.Name, Kinds: s.Kinds, Absent: s.Absent, When: p.compile(s.When, member(at, "when"), names)}
		c.LooksBack = c.LooksBack || len(compiled.When.LooksBack) > 0
		c.Steps = append(c.Steps, compiled)
		names = append(names, s.Name)
	}
	for i := range c.Steps {
		c.Steps[i].Kept = slices.ContainsFunc(c.Steps, func(s Step) bool { return s.When.LooksBack[c.Steps[i].Name] })
	}
	if c.Leads(len(c.Steps)) {
		p.problem(line(steps, top), "sequence: all steps are absent; one has to be there for something to be said about")
	}
	return c
}

var stepName = lazyregexp.New(`^[a-z][a-zA-Z0-9]{0,30}$`)

func (p *parser) checkStep(s *stepDocument, names []string, at *yaml.Node) {
	here := line(member(at, "name"), at)
	_, taken := condition.Vocabulary(nil)[s.Name]
	switch {
	case s.Name == "":
	case s.Absent:
		p.problem(here, "step %q: what is absent cannot be looked at later, so it has no name", s.Name)
	case !stepName.MatchString(s.Name):
		p.problem(here, "step %q: a name is one word that begins with a small letter", s.Name)
	case taken || slices.Contains(reserved(), s.Name):
		p.problem(here, "step %q: the name is a word of the language already, choose another", s.Name)
	case slices.Contains(names, s.Name):
		p.problem(here, "step %q: there is another step of that name", s.Name)
	}
}

// reserved are the keywords of expr.
func reserved() []string {
	return []string{
		"any", "all", "none", "one", "count", "len", "lower", "in", "not", "and", "or", "matches", "contains", "startsWith", "endsWith",
		"true", "false", "nil", "let", "if", "else",
	}
}

// window parses "call", "run" or a time.
func (p *parser) window(within string, at *yaml.Node) Window {
	switch within {
	case "call":
		return Window{Call: true}
	case "run":
		return Window{Run: true}
	}
	return Window{Seconds: p.seconds("within", within, line(at, p.keys["sequence"]), "call, run or ")}
}

// seconds parses a time such as 30s.
func (p *parser) seconds(key, value string, at int, others string) float64 {
	d, err := time.ParseDuration(value)
	if err != nil || d < minWindow || d > maxWindow {
		p.problem(at, "%s %q must be %sa time such as 500ms, 30s or 5m, at most %s", key, value, others, "24h")
		return 0
	}
	return d.Seconds()
}

// member returns the value of a key in a mapping, nil if there is none.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// item returns an element of a list, nil if there is none.
func item(n *yaml.Node, i int) *yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode || i >= len(n.Content) {
		return nil
	}
	return n.Content[i]
}
