package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

// testDocument is a test as it stands in the rule file.
type testDocument struct {
	Name     string        `yaml:"name"`
	Scope    scopeDocument `yaml:"scope"`
	Facts    []yaml.Node   `yaml:"facts"`
	Events   []yaml.Node   `yaml:"events"`
	Expect   string        `yaml:"expect"`
	Findings *int          `yaml:"findings"`
}

type scopeDocument struct {
	Home        string         `yaml:"home"`
	WorkDir     string         `yaml:"workdir"`
	Command     []string       `yaml:"command"`
	Env         []string       `yaml:"env"`
	Name        string         `yaml:"name"`
	Description string         `yaml:"description"`
	Packages    []string       `yaml:"packages"`
	Hosts       []string       `yaml:"hosts"`
	Tools       []toolDocument `yaml:"tools"`
}

type toolDocument struct {
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	InputSchema yaml.Node `yaml:"input_schema"`
	Annotations yaml.Node `yaml:"annotations"`
}

// test is a compiled test.
type test struct {
	name   string
	line   int
	scope  Scope
	facts  []mcpsf.Fact
	events []mcpsf.Event
	hit    bool
	// findings is the number expected, -1 for any above zero.
	findings int
}

// Tests is how many tests stand in the rule files.
func (s *Set) Tests() int {
	n := 0
	for _, r := range s.rules {
		n += len(r.tests)
	}
	return n
}

// Test runs the tests inside the rule files. All that fail are told in a
// [BrokenError].
func (s *Set) Test() error {
	var failures []error
	for _, r := range s.rules {
		r, err := r.tested()
		if err != nil {
			failures = append(failures, err)
			continue
		}
		alone := &Set{rules: []*rule{r}}
		for _, t := range r.tests {
			if err := t.run(alone); err != nil {
				failures = append(failures, fmt.Errorf("%s:%d: test %q: %w", r.file, t.line, t.name, err))
			}
		}
	}
	if len(failures) > 0 {
		return &BrokenError{failures}
	}
	return nil
}

func (t *test) run(s *Set) error {
	judged, err := s.Evaluate(t.events, t.facts, t.scope)
	if err != nil {
		return err
	}
	findings := judged.Findings
	n := len(findings)
	switch {
	case !t.hit && n > 0:
		return fmt.Errorf("expected a miss, but: %s", findings[0].Message)
	case t.hit && n == 0:
		return errors.New("expected a hit, but nothing was found")
	case t.findings >= 0 && n != t.findings:
		return fmt.Errorf("expected %d findings, got %d", t.findings, n)
	}
	return nil
}

// testsOf compiles the tests. A rule must show when it speaks and when not.
func (p *parser) testsOf(docs []testDocument) []test {
	var tests []test
	hits, misses := 0, 0
	for i, d := range docs {
		t := p.testOf(d, p.testLine(i))
		tests = append(tests, t)
		if t.hit {
			hits++
		} else {
			misses++
		}
	}
	if hits == 0 || misses == 0 {
		p.problem(p.at("tests"), "tests: at least one hit and one miss are needed, there are %d and %d", hits, misses)
	}
	return tests
}

func (p *parser) testLine(i int) int {
	if n := p.keys["tests"]; n != nil && i < len(n.Content) {
		return n.Content[i].Line
	}
	return p.at("tests")
}

func (p *parser) testOf(d testDocument, line int) test {
	t := test{name: d.Name, line: line, scope: p.scopeOf(d.Scope), findings: -1}
	switch d.Expect {
	case "hit":
		t.hit = true
	case "miss":
		t.findings = 0
	default:
		p.problem(line, "test %q: expect must be hit or miss", d.Name)
	}
	if d.Findings != nil {
		t.findings = *d.Findings
		if (t.findings > 0) != t.hit {
			p.problem(line, "test %q: expect and findings contradict each other", d.Name)
		}
	}
	if d.Name == "" || len(d.Events)+len(d.Facts) == 0 {
		p.problem(line, "test %q: name and events, or facts, are needed", d.Name)
	}
	for i := range d.Facts {
		var f mcpsf.Fact
		if err := strictly(&d.Facts[i], &f); err != nil {
			p.problem(d.Facts[i].Line, "test %q: not a fact: %v", d.Name, err)
		}
		t.facts = append(t.facts, f)
	}
	for i := range d.Events {
		e, err := eventOf(&d.Events[i])
		if err != nil {
			p.problem(d.Events[i].Line, "test %q: %v", d.Name, err)
		}
		if e.Seq == 0 {
			e.Seq = int64(i + 1)
		}
		t.events = append(t.events, e)
	}
	return t
}

func eventOf(n *yaml.Node) (mcpsf.Event, error) {
	var e mcpsf.Event
	if err := strictly(n, &e); err != nil {
		return e, fmt.Errorf("not an event: %w", err)
	}
	if !knownKind(e.Kind) {
		return e, fmt.Errorf("there is no kind of event %q", e.Kind)
	}
	return e, nil
}

// strictly decodes something by its JSON form: a misspelt field would make a
// miss that proves nothing.
func strictly(n *yaml.Node, into any) error {
	data, err := nodeJSON(n)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

func nodeJSON(n *yaml.Node) ([]byte, error) {
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, fmt.Errorf("not a mapping: %w", err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("not possible in JSON: %w", err)
	}
	return data, nil
}

// scopeOf fills in the places every sandbox has.
func (p *parser) scopeOf(d scopeDocument) Scope {
	s := Scope{
		Home: mcpsf.Home, WorkDir: mcpsf.WorkDir,
		Command: d.Command, Env: d.Env, Name: d.Name, Description: d.Description, Packages: d.Packages, Hosts: d.Hosts,
		Tools: map[string]mcpsf.Tool{},
	}
	if d.Home != "" {
		s.Home = d.Home
	}
	if d.WorkDir != "" {
		s.WorkDir = d.WorkDir
	}
	for i := range d.Tools {
		tool := mcpsf.Tool{Name: d.Tools[i].Name, Description: d.Tools[i].Description}
		tool.InputSchema = p.jsonOf("input_schema", &d.Tools[i].InputSchema)
		tool.Annotations = p.jsonOf("annotations", &d.Tools[i].Annotations)
		s.Tools[tool.Name] = tool
	}
	return s
}

// jsonOf is a part of a test that stands for JSON, nil if it is left out.
func (p *parser) jsonOf(name string, n *yaml.Node) json.RawMessage {
	if n.IsZero() {
		return nil
	}
	data, err := nodeJSON(n)
	if err != nil {
		p.problem(n.Line, "%s: %v", name, err)
	}
	return data
}
