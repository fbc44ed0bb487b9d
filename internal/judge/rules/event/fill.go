package event

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// FillChange describes a change in what the server lists.
func (f *Fields) FillChange(d *mcpsf.ChangeDetail) {
	f.What, f.Subject, f.Field, f.Was, f.Is = d.Of, d.Name, d.Field, d.Before, d.After
	f.Since, f.Announced = string(d.Since), d.Announced
}

// FillRemote describes a check of a server that listens.
func (f *Fields) FillRemote(d *mcpsf.RemoteDetail) {
	f.Check, f.URL, f.Method, f.What, f.Detail, f.Why = string(d.Check), d.URL, d.Method, d.Sent, d.Got, d.Want
	f.Weak, f.Open, f.Private, f.Subject = d.Weak, d.Open, d.Private, d.Got
}

// FillProcess describes a process that starts or ends.
func (f *Fields) FillProcess(d *mcpsf.ProcessDetail) {
	f.Path, f.Subject, f.Error = d.Path, d.Path, d.Error
	f.Args = d.Args[:min(len(d.Args), lex.MaxArgs)]
	f.Memory, f.Thread, f.Code, f.Signal = d.Memory, d.Thread, d.Code, d.Signal
	f.Remote = d.Remote
	if f.Kind == string(mcpsf.KindProcessExit) {
		f.Subject = f.Signal
		if f.Subject == "" {
			f.Subject = "exit code " + strconv.Itoa(d.Code)
		}
	}
}

// FillMCP describes an MCP message.
func (f *Fields) FillMCP(d *mcpsf.MCPDetail) {
	f.FromServer, f.Failed, f.Seconds, f.Size = d.FromServer, d.Failed, d.Seconds, d.Size
	if f.Kind == string(mcpsf.KindMCPStderr) {
		f.Line = LineOf(d)
	}
	if d.Method != "" {
		f.Method = d.Method
	}
	if d.Tool != "" {
		f.Tool = d.Tool
	}
	f.Subject = f.Method
	f.Shown = d.Attack != nil && d.Attack.Shown
}

// FillDisruption describes how a message disrupted the server.
func (f *Fields) FillDisruption(d *mcpsf.DisruptionDetail) {
	f.What, f.Subject = string(d.What), string(d.What)
	f.Payload, f.Why, f.Asks = d.Message, d.Why, d.Asks
	f.Code, f.Signal, f.Seconds, f.Detail = d.Code, d.Signal, d.Seconds, d.Words
}

// FillAgent describes what an agent was made to do. The subject is the text that
// caused it.
func (f *Fields) FillAgent(d *mcpsf.AgentDetail) {
	f.What, f.Path, f.To = string(d.Action), d.What, d.To
	f.Program = d.Tool
	f.Why = fmt.Sprintf("%d of %d times and %d of %d without that text", d.Seen, d.Runs, d.SeenWithout, d.RunsWithout)
	if len(d.Causes) == 0 {
		return
	}
	c := &d.Causes[0]
	f.Of, f.Part, f.Detail, f.Subject = c.Of, c.Field, c.Quote, c.Name
	f.Tool = ""
	if c.Of == "tool" || c.Of == "result" {
		f.Tool = c.Name
	}
	if f.Subject == "" {
		f.Subject = c.Of
	}
}

// FillText describes a suspicious part of a text of the server.
func (f *Fields) FillText(d *mcpsf.TextDetail) {
	f.What, f.Of, f.Part, f.Detail, f.To = string(d.What), TextOf(d), d.Field, d.Excerpt, d.Target
	f.Subject = TextName(d)
	if d.Of == "tool" {
		f.Tool = d.Name
	}
	if d.What == mcpsf.TextImage {
		f.Host = addressHost(d.Target)
		f.Domain = hostname.Registrable(f.Host)
	}
}

// InCall tells whether an event belongs to a call that does work for the user.
// The handshake, pings and listings are requests too, but do no such work.
func InCall(f *Fields) bool {
	if f.Call == "" {
		return false
	}
	switch f.Method {
	case "initialize", "ping":
		return false
	}
	return !strings.HasSuffix(f.Method, "/list")
}

// LineOf returns the text of one line of standard error.
func LineOf(d *mcpsf.MCPDetail) string {
	var line string
	if len(d.Body) > lex.MaxParams || json.Unmarshal(d.Body, &line) != nil {
		return ""
	}
	return line
}

// Notification begins the name of a notification among the texts.
const Notification = "notification "

// TextOf returns what a text is judged as. A notification is judged as a result:
// clients show it, some give it to their model, and it may quote others.
func TextOf(d *mcpsf.TextDetail) string {
	if d.Of == mcpsf.OfNotification {
		return "result"
	}
	return d.Of
}

// TextName returns the name of what a text belongs to; the server itself has no name there.
func TextName(d *mcpsf.TextDetail) string {
	switch {
	case d.Of == mcpsf.OfNotification:
		return Notification + d.Name
	case d.Name == "":
		return d.Of
	}
	return d.Name
}
