package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// document is a rule file as it is written.
type document struct {
	ID          string            `yaml:"id"`
	Title       string            `yaml:"title"`
	Category    mcpsf.Category    `yaml:"category"`
	Severity    mcpsf.Severity    `yaml:"severity"`
	Grade       mcpsf.Grade       `yaml:"grade"`
	Weight      int               `yaml:"weight"`
	Kinds       []mcpsf.Kind      `yaml:"kinds"`
	Facts       []string          `yaml:"facts"`
	When        string            `yaml:"when"`
	Sequence    *sequenceDocument `yaml:"sequence"`
	Group       []string          `yaml:"group"`
	Count       *Count            `yaml:"count"`
	Covers      []coverDocument   `yaml:"covers"`
	Message     string            `yaml:"message"`
	Rationale   string            `yaml:"rationale"`
	Remediation string            `yaml:"remediation"`
	Maps        mcpsf.Maps        `yaml:"maps"`
	Tests       []testDocument    `yaml:"tests"`
}

// nodes are the values of the top-level keys of a file.
type nodes map[string]*yaml.Node

// parser collects the problems of one file.
type parser struct {
	file     string
	keys     nodes
	problems []error
	// untested is set when the tests are skipped.
	untested bool
}

// Parse compiles one rule file, or returns all errors in it.
func Parse(file string, data []byte) (*Compiled, []error) {
	p := &parser{file: file, keys: nodes{}}
	return p.parse(data)
}

func (p *parser) parse(data []byte) (*Compiled, []error) {
	if !p.outline(data) {
		return nil, p.problems
	}
	var doc document
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&doc); err != nil {
		p.yamlError(err)
	}
	r := p.rule(&doc)
	return r, p.problems
}

// ParseHead compiles a rule without its tests, which are at the end of the file.
func ParseHead(file string, data []byte) (*Compiled, []error) {
	head, _, ok := bytes.Cut(data, []byte("\ntests:"))
	if !ok {
		return Parse(file, data)
	}
	p := &parser{file: file, keys: nodes{}, untested: true}
	r, problems := p.parse(head)
	if r != nil {
		r.source = data
	}
	return r, problems
}

// outline reads the file as a tree, for line numbers and to reject what a rule does
// not need: aliases, which can multiply its size, and more than one document.
func (p *parser) outline(data []byte) bool {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var root yaml.Node
	if err := dec.Decode(&root); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		p.yamlError(err)
		return false
	}
	if len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode {
		p.problem(1, "a rule file is one mapping: id, title, severity, ...")
		return false
	}
	if alias := findAlias(&root); alias != nil {
		p.problem(alias.Line, "aliases are not allowed in rule files")
		return false
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		p.problem(1, "one rule per file: there is a second document")
		return false
	}
	top := root.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		p.keys[top[i].Value] = top[i+1]
	}
	return true
}

// findAlias searches the tree; the YAML parser bounds its depth.
func findAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n
	}
	for _, c := range n.Content {
		if a := findAlias(c); a != nil {
			return a
		}
	}
	return nil
}

var yamlLine = lazyregexp.New(`^(?:yaml: )?line (\d+): `)

// yamlError turns the library's "line N: ..." into our "file:N: ...".
func (p *parser) yamlError(err error) {
	texts := []string{err.Error()}
	if t, ok := errors.AsType[*yaml.TypeError](err); ok {
		texts = t.Errors
	}
	for _, text := range texts {
		line := 1
		if m := yamlLine.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
			text = text[len(m[0]):]
		}
		text = strings.TrimPrefix(text, "yaml: ")
		text = strings.ReplaceAll(text, " in type rulefile.", " in ")
		p.problem(line, "%s", text)
	}
}

func (p *parser) problem(line int, format string, args ...any) {
	p.problems = append(p.problems, fmt.Errorf("%s:%d: %s", p.file, line, fmt.Sprintf(format, args...)))
}

// at returns the line of a key's value.
func (p *parser) at(key string) int { return line(p.keys[key]) }

// line returns the line of the first node that is not nil, 1 if all are.
func line(nodes ...*yaml.Node) int {
	for _, n := range nodes {
		if n != nil {
			return n.Line
		}
	}
	return 1
}
