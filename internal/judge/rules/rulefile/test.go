package rulefile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

// testDocument is a test in the rule file.
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
	Variables   []string       `yaml:"variables"`
	Tools       []toolDocument `yaml:"tools"`
}

type toolDocument struct {
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	InputSchema yaml.Node `yaml:"input_schema"`
	Annotations yaml.Node `yaml:"annotations"`
}

// Test is a compiled test.
type Test struct {
	Name   string
	Line   int
	Scope  declared.Scope
	Facts  []mcpsf.Fact
	Events []mcpsf.Event
	Hit    bool
	// Findings is the expected number, -1 for any above zero.
	Findings int
}

// testsOf compiles the tests. A rule needs one that hits and one that does not.
func (p *parser) testsOf(docs []testDocument) []Test {
	var tests []Test
	hits, misses := 0, 0
	for i, d := range docs {
		t := p.testOf(d, p.testLine(i))
		tests = append(tests, t)
		if t.Hit {
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

func (p *parser) testOf(d testDocument, line int) Test {
	t := Test{Name: d.Name, Line: line, Scope: p.scopeOf(d.Scope), Findings: -1}
	switch d.Expect {
	case "hit":
		t.Hit = true
	case "miss":
		t.Findings = 0
	default:
		p.problem(line, "test %q: expect must be hit or miss", d.Name)
	}
	if d.Findings != nil {
		t.Findings = *d.Findings
		if (t.Findings > 0) != t.Hit {
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
		t.Facts = append(t.Facts, f)
	}
	for i := range d.Events {
		e, err := eventOf(&d.Events[i])
		if err != nil {
			p.problem(d.Events[i].Line, "test %q: %v", d.Name, err)
		}
		if e.Seq == 0 {
			e.Seq = int64(i + 1)
		}
		t.Events = append(t.Events, e)
	}
	return t
}

func eventOf(n *yaml.Node) (mcpsf.Event, error) {
	var e mcpsf.Event
	if err := strictly(n, &e); err != nil {
		return e, fmt.Errorf("not an event: %w", err)
	}
	if !KnownKind(e.Kind) {
		return e, fmt.Errorf("there is no kind of event %q", e.Kind)
	}
	return e, nil
}

// strictly decodes a value by its JSON form and rejects unknown fields: a
// misspelt field would make a test pass that proves nothing.
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

// scopeOf fills in the folders that every sandbox has.
func (p *parser) scopeOf(d scopeDocument) declared.Scope {
	s := declared.Scope{
		Home: mcpsf.Home, WorkDir: mcpsf.WorkDir,
		Command: d.Command, Env: d.Env, Name: d.Name, Description: d.Description, Packages: d.Packages, Hosts: d.Hosts, Variables: d.Variables,
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

// jsonOf returns a part of a test as JSON, nil if it is missing.
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
