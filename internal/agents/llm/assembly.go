package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

// assembly builds a reply from its pieces, within limits.
type assembly struct {
	d            *doer
	conversation *conversation
	asked        int64 // tokens of the ask, estimated

	text      strings.Builder
	calls     []*piece
	arguments int
	thought   int // bytes of thinking, which cost, too
	stop      Stop
	model     string
	in, out   int64 // as the provider counts
}

// piece is a call that is being built.
type piece struct {
	id, name  string
	index     int // the provider's index, -1 if it gives none
	arguments bytes.Buffer
}

func (a *assembly) addText(s string) error {
	if a.text.Len()+len(s) > a.d.limits.text {
		return failf(KindSize, "its reply has more than %d bytes of text", a.d.limits.text)
	}
	a.text.WriteString(s)
	return nil
}

func (a *assembly) think(n int) error {
	if a.thought += n; a.thought > a.d.limits.text {
		return failf(KindSize, "its reply has more than %d bytes of thinking", a.d.limits.text)
	}
	return nil
}

// call begins another call.
func (a *assembly) call(id, name string, index int) (*piece, error) {
	if len(a.calls) == a.d.limits.calls {
		return nil, failf(KindSize, "its reply has more than %d calls", a.d.limits.calls)
	}
	if len(name) > a.d.limits.name || len(id) > a.d.limits.event {
		return nil, failf(KindSize, "its reply calls a tool with a name of more than %d bytes", a.d.limits.name)
	}
	p := &piece{id: id, name: name, index: index}
	a.calls = append(a.calls, p)
	return p, nil
}

func (a *assembly) more(p *piece, arguments string) error {
	if a.arguments += len(arguments); a.arguments > a.d.limits.arguments {
		return failf(KindSize, "its reply has more than %d bytes of arguments", a.d.limits.arguments)
	}
	p.arguments.WriteString(arguments)
	return nil
}

// usage is the tokens used so far.
func (a *assembly) usage() Usage {
	written := a.text.Len() + a.arguments + a.thought
	return counted(a.in, a.out, Usage{In: a.asked, Out: tokens(written)})
}

// failed adds the usage to the error of a failed reply.
func (a *assembly) failed(err error) error {
	e := asError(err)
	if e == nil {
		return err
	}
	e.Usage = a.usage()
	return e
}

// reply is the finished reply.
func (a *assembly) reply() *Reply {
	r := &Reply{
		Text: a.d.scrub(strings.ToValidUTF8(a.text.String(), "\ufffd")), Stop: a.stop, Usage: a.usage(),
		Model: a.d.scrub(clean(a.model)), Without: a.conversation.without,
	}
	for _, p := range a.calls {
		c := Call{ID: a.conversation.id(p.id)}
		c.Name, c.Tool = a.conversation.names.from(strings.ToValidUTF8(p.name, "\ufffd"))
		c.Arguments, c.Broken = readArguments(a.d.scrub(p.arguments.String()))
		r.Calls = append(r.Calls, c)
	}
	switch {
	case len(r.Calls) > 0 && (r.Stop == StopEnd || r.Stop == StopOther):
		r.Stop = StopTools // some servers say "stop" although there are calls
	case len(r.Calls) == 0 && r.Stop == StopTools:
		r.Stop = StopOther
	}
	return r
}

// readArguments expects an object; "" and null mean no arguments.
func readArguments(s string) (arguments json.RawMessage, broken string) {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "\ufffd")
	if s == "" || s == "null" {
		return json.RawMessage(`{}`), ""
	}
	var b bytes.Buffer
	if !isObject(json.RawMessage(s)) || json.Compact(&b, []byte(s)) != nil {
		return nil, s
	}
	return b.Bytes(), ""
}
