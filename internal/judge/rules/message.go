package rules

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/mcpsf/mcpsf"
)

// maxMessage bounds the template of a message.
const maxMessage = 1000

// message is a compiled message.
type message struct {
	tmpl *template.Template
	// steps are those of a sequence, by name, whose events it tells of.
	steps map[string]int
}

// hit is all that a message can say. Every string of the target's is already
// quoted, escaped and cut.
type hit struct {
	// Who: "The server", or "The installation" before there was one.
	Who string
	// Actor is who did it: the tool in whose call it was done, the install
	// script, or Who. When is when, with a blank before it, unless Actor says it.
	Actor string
	When  string
	// Where: `in a call of "name"`, `before any call`, ...
	Where string
	// Reason: why nothing explains the subject.
	Reason string
	// Secret is the kind of the decoy.
	Secret  string
	Tool    string
	Method  string
	Process string
	Program string
	Subject string
	Path    string
	To      string
	Command string
	What    string
	Detail  string
	Syscall string
	Error   string
	Limit   string
	Action  string
	Seconds string
	// Host is who was spoken to, HostReason why nothing, or what, explains it,
	// and Class what is known of it.
	Host       string
	HostReason string
	Class      string
	Verb       string
	URL        string
	Service    string
	Rejected   string
	Recipients string
	Proposed   string
	// Channel, Part and Encoding say how something left.
	Channel  string
	Part     string
	Encoding string
	Variable string
	Remote   string
	// Field is what of the subject differs, Was and Is how.
	Field string
	Was   string
	Is    string
	// Place is the argument an attack was made through, Payload what stood there.
	Place   string
	Payload string
	Why     string
	// Script is the command line that an installation's script began with.
	Script string
	// Ended tells how a process ended.
	Ended string
	// Of is what a text belongs to, in words.
	Of string
	// Times is how often it happened, Others how many more different things
	// than the first were counted.
	Times  int
	Others int
}

// messageOf compiles the template of a message or a remediation, which is what
// key says. It may tell of the steps of a sequence.
func (p *parser) messageOf(key, text string, c *chain) *message {
	if text == "" || len(text) > maxMessage {
		if text != "" {
			p.problem(p.at(key), "%s is longer than %d bytes", key, maxMessage)
		}
		return nil
	}
	m := &message{steps: map[string]int{}}
	tmpl, err := template.New(key).Parse(text)
	if err == nil {
		m.tmpl = tmpl
		err = m.check(tmpl.Root, c)
	}
	if err != nil {
		p.problem(p.at(key), "%s: %v", key, strings.TrimPrefix(err.Error(), "template: "))
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
	if name := f.Ident[len(f.Ident)-1]; !reflect.ValueOf(hit{}).FieldByName(name).IsValid() {
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

func (m *message) render(g *group, r *run) string {
	text := m.fill(g, r, func(h hit) map[string]any { return asMap(h) })
	if g.others {
		text += " (and many more like it, counted here)"
	}
	return text
}

// advise renders the template of a remediation. What the finding does not have
// is called by its kind: "the file", "the host".
func (m *message) advise(g *group, r *run) string { return m.fill(g, r, asAdvice) }

// general is the remediation for a list of rules, where nothing was found.
func (m *message) general() string {
	data := asAdvice(hit{})
	for name := range m.steps {
		data[name] = data
	}
	return m.execute(data)
}

func (m *message) fill(g *group, r *run, as func(hit) map[string]any) string {
	data := as(describe(g, r))
	for name, i := range m.steps {
		data[name] = as(describe(&group{first: *g.step(i)}, r))
	}
	return m.execute(data)
}

func (m *message) execute(data map[string]any) string {
	var b strings.Builder
	if err := m.tmpl.Execute(&b, data); err != nil {
		// Load has checked every field; this is for later fields that can
		// fail, and the finding must not be lost over it.
		b.WriteString(err.Error())
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

func asMap(h hit) map[string]any {
	out := map[string]any{}
	for f, v := range reflect.ValueOf(h).Fields() {
		out[f.Name] = v.Interface()
	}
	return out
}

// asAdvice has a word for every field that advice names and the finding lacks.
func asAdvice(h hit) map[string]any {
	data := asMap(h)
	for field, word := range map[string]string{
		"Tool": "the tool", "Path": "the file", "Subject": "it", "To": "the destination", "Host": "the host",
		"Program": "the program", "Command": "the command", "Variable": "the variable", "Place": "the argument",
		"URL": "the URL", "Script": "the install script", "Remote": "the remote end", "Recipients": "the recipient",
		"Proposed": "the recipient", "Actor": "the server",
	} {
		if data[field] == "" {
			data[field] = word
		}
	}
	return data
}

// technique is that of an attack. What a model says of its own is quoted.
func technique(f *fields) string {
	if f.by == "" {
		return plain(f.Why)
	}
	return "proposed by " + plain(f.by) + ": " + quote(f.Why)
}

func describe(g *group, r *run) hit {
	f, home := &g.first, r.scope.Home
	h := hit{
		Who:    "The server",
		Where:  where(f, r),
		Reason: g.why.Reason,
		Secret: plain(f.Decoy),
		Tool:   toolName(f.Tool), Method: plain(f.Method),
		Process: quote(f.Proc), Program: name(f.Program, home),
		Subject: name(f.Subject, home), Path: name(f.Path, home), To: name(f.To, home),
		Command: quote(strings.Join(f.Args, " ")),
		What:    plain(f.What), Detail: quote(f.Detail), Syscall: plain(f.Syscall),
		Error: plain(f.Error), Limit: plain(f.Limit), Action: plain(f.Action),
		Seconds: strconv.FormatFloat(f.Seconds, 'f', 0, 64),
		Ended:   "with exit code " + strconv.Itoa(f.Code),
		Host:    plain(f.Host), HostReason: g.hostWhy.reason, Class: f.Class,
		Verb: plain(f.Verb), URL: name(f.URL, ""), Service: plain(f.Service), Rejected: quote(f.Rejected),
		Recipients: quote(strings.Join(f.Recipients, ", ")), Proposed: quote(strings.Join(f.Proposed, ", ")),
		Channel: plain(f.Channel), Part: part(f.Part), Encoding: plain(f.Encoding), Variable: plain(f.Variable), Remote: plain(f.Remote),
		Field: plain(f.Field), Was: quote(f.Was), Is: quote(f.Is),
		Place: quote(f.Place), Payload: quote(f.Payload), Why: technique(f),
		Of:     holder(f),
		Times:  g.occurrences,
		Others: max(0, len(g.distinct)-1),
	}
	switch {
	case f.Phase == string(mcpsf.PhaseInstall):
		h.Who = "The installation"
	case g.static:
		h.Who, h.Where = "The package", "in "+quote(g.place())
	}
	if f.script != nil {
		h.Script = f.script.String()
	}
	if f.Signal != "" {
		h.Ended = "by signal " + plain(f.Signal)
	}
	h.Actor, h.When = h.Who, " "+h.Where
	switch {
	case g.static:
		h.When = ""
	case h.Script != "":
		h.Actor, h.When = "The install script "+h.Script, ""
	case f.Phase == string(mcpsf.PhaseInstall):
		h.When = ""
	case r.inCall(f) && f.Tool != "":
		h.Actor, h.When = h.Tool, ""
	}
	return h
}

// part is a JSON pointer, or words of ours such as "header Authorization".
func part(s string) string {
	if oneWord.MatchString(s) {
		return s
	}
	return plain(s)
}

// toolName quotes the name of a tool. Of what is no tool it quotes what the
// server chose.
func toolName(name string) string {
	kind := ""
	for _, of := range []string{mcpsf.OfCompletion, mcpsf.OfResource, mcpsf.OfPrompt} {
		if rest, ok := strings.CutPrefix(name, of); ok {
			kind, name = kind+of, rest
		}
	}
	if identifier.MatchString(name) {
		return kind + name
	}
	return kind + quote(name)
}

func where(f *fields, r *run) string {
	switch {
	case r.inCall(f) && f.Tool != "":
		return "in a call of " + toolName(f.Tool)
	case r.inCall(f) && f.Method != "":
		return "in a " + plain(f.Method) + " request"
	case r.inCall(f):
		return "in a call"
	case f.Phase == string(mcpsf.PhaseInstall):
		return "during the installation"
	case f.Call == "":
		return "before any call"
	}
	return "outside any call"
}
