package rules

import (
	"errors"
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"
)

// maxMessage bounds the template of a message.
const maxMessage = 1000

// message is a compiled message.
type message struct {
	tmpl *template.Template
	// steps are those of a sequence, by name, whose events it tells of.
	steps map[string]int
}

// messageOf compiles a message. It may tell of the steps of a sequence.
func (p *parser) messageOf(text string, c *chain) *message {
	if text == "" || len(text) > maxMessage {
		if text != "" {
			p.problem(p.at("message"), "message is longer than %d bytes", maxMessage)
		}
		return nil
	}
	m := &message{steps: map[string]int{}}
	tmpl, err := template.New("message").Parse(text)
	if err == nil {
		m.tmpl = tmpl
		err = m.check(tmpl.Root, c)
	}
	if err != nil {
		p.problem(p.at("message"), "message: %v", strings.TrimPrefix(err.Error(), "template: "))
		return nil
	}
	return m
}

// check allows {{.Field}}, {{.step.Field}} and {{if .Field}}...{{else}}...{{end}}:
// a template language has loops and functions, a message needs neither.
func (m *message) check(list *parse.ListNode, c *chain) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		var err error
		switch n := n.(type) {
		case *parse.TextNode:
		case *parse.ActionNode:
			err = m.checkField(n.Pipe, c)
		case *parse.IfNode:
			err = errors.Join(m.checkField(n.Pipe, c), m.check(n.List, c), m.check(n.ElseList, c))
		default:
			err = fmt.Errorf("%s is not allowed, only fields and if", n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *message) checkField(pipe *parse.PipeNode, c *chain) error {
	if len(pipe.Decl) != 0 || len(pipe.Cmds) != 1 || len(pipe.Cmds[0].Args) != 1 {
		return fmt.Errorf("%s is not a field", pipe)
	}
	f, ok := pipe.Cmds[0].Args[0].(*parse.FieldNode)
	if !ok || len(f.Ident) > 2 {
		return fmt.Errorf("%s is not a field", pipe)
	}
	if name := f.Ident[len(f.Ident)-1]; !knownWord(name) {
		return fmt.Errorf("there is no field %s", name)
	}
	if len(f.Ident) == 1 {
		return nil
	}
	if c != nil {
		for i, s := range c.steps {
			if s.name == f.Ident[0] {
				m.steps[s.name] = i
				return nil
			}
		}
	}
	return fmt.Errorf("there is no step %s", f.Ident[0])
}

// said is what a message tells of: the first hit of a group, or a step on the way
// to it.
type said struct {
	*fields
	// reason and hostReason say what explains the subject and the host, or that
	// nothing does; place is where in the package it is, if it is static: a fact and
	// no event.
	reason, hostReason string
	place              string
	static             bool
	// times is how often it happened, others how many more different things than
	// the first were counted.
	times, others int
}

func (m *message) render(g *group) string {
	data := words(&said{
		fields: &g.first, reason: g.why.Reason, hostReason: g.hostWhy.reason, place: g.place(), static: g.static,
		times: g.occurrences, others: max(0, len(g.distinct)-1),
	})
	for name, i := range m.steps {
		data[name] = words(&said{fields: g.step(i)})
	}
	var b strings.Builder
	if err := m.tmpl.Execute(&b, data); err != nil {
		// Load has checked every field; this is for later fields that can
		// fail, and the finding must not be lost over it.
		b.WriteString(err.Error())
	}
	if g.others {
		b.WriteString(" (and many more like it, counted here)")
	}
	return b.String()
}

// step is the event of an earlier step, or that of the last one.
func (g *group) step(i int) *fields {
	if i < len(g.steps) && g.steps[i] != nil {
		return g.steps[i]
	}
	return &g.first
}
