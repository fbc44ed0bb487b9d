package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/judge/waiver"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Parse reads the content of a file. Its name is for the errors, which begin
// with "file:line: ".
func Parse(file string, data []byte, now time.Time) (*Settings, error) {
	p := &parser{file: file, now: now}
	s := &Settings{File: file}
	root, err := p.document(data)
	if err != nil || root == nil {
		return s, err
	}
	err = p.mapping(root, "mcpsf.yaml", func(key, value *yaml.Node) error {
		switch key.Value {
		case "ignore":
			s.Ignore, err = p.ignores(value)
			return err
		case "assess":
			s.Assess, err = p.defaults(value)
			return err
		}
		return p.errorf(key, "there is no setting %q; there are: ignore, assess", key.Value)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

type parser struct {
	file string
	now  time.Time
}

// document reads the one mapping of the file, nil if it is empty. Aliases are
// refused: they are not needed here, and can multiply the size.
func (p *parser) document(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var root yaml.Node
	if err := dec.Decode(&root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, p.broken(err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, p.errorf(&root, "there is a second document; one file has one")
	}
	if len(root.Content) != 1 {
		return nil, nil
	}
	return root.Content[0], nil
}

// mapping calls each for the keys of n. Duplicate keys are an error.
func (p *parser) mapping(n *yaml.Node, what string, each func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return p.errorf(n, "%s is a mapping: keys with values", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			return p.errorf(key, "a key is a word")
		case seen[key.Value]:
			return p.errorf(key, "%q is there twice", key.Value)
		}
		seen[key.Value] = true
		if err := each(key, value); err != nil {
			return err
		}
	}
	return nil
}

// list calls each for the entries of n.
func (p *parser) list(n *yaml.Node, what string, each func(entry *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return p.errorf(n, "%s is a list", what)
	}
	for _, entry := range n.Content {
		if err := each(entry); err != nil {
			return err
		}
	}
	return nil
}

// scalar returns a single value, as it was written.
func (p *parser) scalar(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Tag == "!!binary" {
		return "", p.errorf(n, "%s is a single value", what)
	}
	return n.Value, nil
}

func (p *parser) ignores(n *yaml.Node) ([]waiver.Ignore, error) {
	var all []waiver.Ignore
	lines := map[waiver.Ignore]int{}
	err := p.list(n, "ignore", func(entry *yaml.Node) error {
		i, err := p.ignore(entry)
		if err != nil {
			return err
		}
		same := waiver.Ignore{Rule: i.Rule, Fingerprint: i.Fingerprint, Source: i.Source, Tool: i.Tool}
		if line := lines[same]; line > 0 {
			return p.errorf(entry, "the same as the ignore in line %d", line)
		}
		lines[same] = i.Line
		all = append(all, i)
		return nil
	})
	return all, err
}

func (p *parser) ignore(n *yaml.Node) (waiver.Ignore, error) {
	i := waiver.Ignore{File: p.file, Line: n.Line}
	var expires string
	fields := map[string]*string{
		"rule": &i.Rule, "fingerprint": &i.Fingerprint, "reason": &i.Reason, "expires": &expires, "source": &i.Source, "tool": &i.Tool,
	}
	err := p.mapping(n, "an ignore", func(key, value *yaml.Node) error {
		field := fields[key.Value]
		if field == nil {
			return p.errorf(key, "an ignore has no %q; it has: rule, fingerprint, reason, expires, source, tool", key.Value)
		}
		var err error
		*field, err = p.scalar(value, key.Value)
		return err
	})
	if err != nil {
		return i, err
	}
	if expires != "" {
		if i.Expires, err = time.Parse(time.DateOnly, expires); err != nil {
			return i, p.errorf(n, "expires is a day such as 2026-12-31, not %q", expires)
		}
	}
	if err := i.Check(p.now); err != nil {
		return i, p.errorf(n, "%s", err)
	}
	return i, nil
}

func (p *parser) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.file, max(n.Line, 1), fmt.Sprintf(format, args...))
}

var yamlLine = lazyregexp.New(`line (\d+): `)

// broken moves the line number of the library's error to the front, as in ours.
func (p *parser) broken(err error) error {
	text, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = strings.Replace(text, m[0], "", 1)
	}
	return fmt.Errorf("%s:%d: not YAML: %s", p.file, max(line, 1), text)
}
