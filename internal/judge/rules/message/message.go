package message

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// maxMessage bounds the length of a template.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const maxMessage = 1000

// Message is a compiled message.
type Message struct {
	tmpl *template.Template
	// Steps are the steps of a sequence that the message refers to, by name.
	Steps map[string]int
}

// Compile compiles the template of a message or a remediation; key says which.
// The template may refer to the named steps of a sequence.
func Compile(key, text string, steps []string) (*Message, error) {
	if len(text) > maxMessage {
		return nil, fmt.Errorf("%s is longer than %d bytes", key, maxMessage)
	}
	m := &Message{Steps: map[string]int{}}
	tmpl, err := template.New(key).Parse(text)
	if err == nil {
		m.tmpl = tmpl
		err = m.check(tmpl.Root, steps)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", key, strings.TrimPrefix(err.Error(), "template: "))
	}
	return m, nil
}

// check allows only {{.Field}}, {{.step.Field}} and {{if .Field}}...{{else}}...{{end}}: a
// message needs no loops or functions of the template language.
func (m *Message) check(list *parse.ListNode, steps []string) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		var err error
		switch n := n.(type) {
		case *parse.TextNode:
		case *parse.ActionNode:
			err = m.checkField(n.Pipe, steps)
		case *parse.IfNode:
			err = errors.Join(m.checkField(n.Pipe, steps), m.check(n.List, steps), m.check(n.ElseList, steps))
		default:
			err = fmt.Errorf("%s is not allowed, only fields and if", n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Message) checkField(pipe *parse.PipeNode, steps []string) error {
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
	if i := slices.Index(steps, f.Ident[0]); i >= 0 {
		m.Steps[f.Ident[0]] = i
		return nil
	}
	return fmt.Errorf("there is no step %s", f.Ident[0])
}

// Data is the input of a message: the first hit of a group, or an earlier step
// of its sequence.
type Data struct {
	*event.Fields
	// Home is the home directory, which is written as ~.
	Home string
	// Reason and HostReason say what explains the subject and the host, or that
	// nothing does. File is the place in the package if Static is set: a fact
	// and no event.
	Reason, HostReason string
	File               string
	Static             bool
	// Times is how often it happened; Others is how many different values were
	// counted besides the first.
	Times, Others int
}

// Render writes the message; step returns the event of a step.
func (m *Message) Render(s *Data, step func(i int) *event.Fields) string {
	return m.fill(s, step, values)
}

// Advise writes a remediation. A field without a value is replaced by a general
// word: "the file", "the host".
func (m *Message) Advise(s *Data, step func(i int) *event.Fields) string {
	return m.fill(s, step, advice)
}

// General returns the remediation for a list of rules, without a finding.
func (m *Message) General() string {
	return m.Advise(&Data{Fields: &event.Fields{}}, func(int) *event.Fields { return &event.Fields{} })
}

func (m *Message) fill(s *Data, step func(i int) *event.Fields, as func(*Data) map[string]any) string {
	data := as(s)
	for name, i := range m.Steps {
		data[name] = as(&Data{Fields: step(i), Home: s.Home})
	}
	var b strings.Builder
	if err := m.tmpl.Execute(&b, data); err != nil {
		// Load has checked every field. If one fails anyway, the finding must
		// not be lost.
		b.WriteString(err.Error())
	}
	return b.String()
}

// advice returns a general word for every field that the finding lacks.
func advice(s *Data) map[string]any {
	data := values(s)
	if s.Phase == "" && s.Call == "" && !s.Static {
		data["Actor"] = "the server"
	}
	for field, word := range map[string]string{
		"Tool": "the tool", "Path": "the file", "Subject": "it", "To": "the destination", "Host": "the host",
		"Program": "the program", "Command": "the command", "Variable": "the variable", "Place": "the argument",
		"URL": "the URL", "Script": "the install script", "Remote": "the remote end", "Recipients": "the recipient",
		"Proposed": "the recipient", "ProposedIn": "the argument", "ProposedPath": "the file", "ProposedHost": "the host",
	} {
		if data[field] == "" {
			data[field] = word
		}
	}
	return data
}
