package phrase

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Event says in a verb and a few words what an event is. Both are not escaped.
func Event(e *mcpsf.Event) (verb, what string) {
	group, verb, _ := strings.Cut(string(e.Kind), ".")
	switch {
	case e.Canary != nil:
		return "decoy", describeCanary(e.Canary)
	case e.Leak != nil:
		return "leak", describeLeak(e.Leak)
	case e.ExecProof != nil:
		return "proof", describeExecProof(e.ExecProof)
	case e.HTTP != nil:
		return verb, describeHTTP(e.HTTP)
	case e.TLS != nil:
		return verb, describeTLS(e.TLS, e.Net)
	case e.SMTP != nil:
		return "mail", wording.Joined("to", strings.Join(e.SMTP.To, ", "))
	case e.Query != nil:
		return verb, wording.Joined(e.Query.Language, e.Query.Text)
	case e.Flow != nil:
		return verb, describeFlow(e.Flow, e.Net)
	case e.Env != nil:
		return "variable", describeEnv(e.Env)
	case e.Process != nil:
		return verb, describeProcess(e.Process, e.Kind)
	case e.File != nil:
		return verb, describeFile(e.File, e.Kind)
	case e.Net != nil:
		return verb, describeNet(e.Net)
	case e.MCP != nil:
		return verb, describeMCP(e.MCP, e.Kind)
	case e.SecretFlow != nil:
		return verb, wording.Joined(e.SecretFlow.Host, e.SecretFlow.Part)
	case e.Disruption != nil:
		return verb, wording.Joined(string(e.Disruption.What), e.Disruption.Why)
	case e.Agent != nil:
		return group, describeAgent(e.Agent)
	case e.Remote != nil:
		return verb, describeRemote(e.Remote)
	case e.Privilege != nil:
		return verb, describePrivilege(e.Privilege)
	case e.Probe != nil:
		return group, wording.Joined(e.Probe.What, e.Probe.Detail)
	case e.Limit != nil:
		return group, fmt.Sprintf("%s: %d of %d, %s", e.Limit.Name, e.Limit.Value, e.Limit.Limit, e.Limit.Action)
	case e.Sandbox != nil:
		return group, wording.Joined(verb, e.Sandbox.Text)
	}
	return group, verb
}

func describeCanary(c *mcpsf.CanaryDetail) string {
	s := fmt.Sprintf("%s (%s)", c.Source, c.Kind)
	if c.How != "" && c.How != "open" {
		s += " by " + c.How
	}
	if c.Path != "" && c.Path != c.Source {
		s += " as " + c.Path
	}
	return s
}

func describeProcess(d *mcpsf.ProcessDetail, k mcpsf.Kind) string {
	switch k {
	case mcpsf.KindProcessFork:
		if d.Thread {
			return fmt.Sprintf("thread %d", d.Child)
		}
		return fmt.Sprintf("child %d", d.Child)
	case mcpsf.KindProcessExit:
		if d.Signal != "" {
			return "killed by " + d.Signal
		}
		return fmt.Sprintf("code %d", d.Code)
	}
	s := strings.Join(d.Args, " ")
	if s == "" {
		s = d.Path
	}
	if d.ArgsCut {
		s += " ..."
	}
	if d.Memory {
		s += " (from memory, no file)"
	}
	return failed(s, d.Error)
}

func describeFile(d *mcpsf.FileDetail, k mcpsf.Kind) string {
	s := d.Path
	switch {
	case d.To != "":
		s += " -> " + d.To
	case k == mcpsf.KindFileChmod && d.Mode != 0:
		s += fmt.Sprintf(" to %04o", d.Mode&0o7777)
	case d.Bytes > 0:
		s += ", " + wording.Size(d.Bytes)
	}
	if d.Asked != "" && d.Asked != d.Path {
		s += " (asked for as " + d.Asked + ")"
	}
	return failed(s, d.Error)
}

func describeMCP(d *mcpsf.MCPDetail, k mcpsf.Kind) string {
	s := wording.Joined(d.Method, d.Tool)
	if s == "" {
		s = Text(d.Body)
	}
	if d.FromServer && (k == mcpsf.KindMCPRequest || k == mcpsf.KindMCPNotification) {
		s = "from the server: " + s
	}
	return s
}

// describeAgent says what an agent did, and which text made it.
func describeAgent(d *mcpsf.AgentDetail) string {
	s := wording.Joined(d.Agent, string(d.Action))
	for _, part := range []struct{ word, what string }{{"", d.What}, {"with", d.Tool}, {"to", d.To}} {
		if part.what != "" {
			s = wording.Joined(wording.Joined(s, part.word), part.what)
		}
	}
	if len(d.Causes) > 0 {
		c := &d.Causes[0]
		s += ", because of " + wording.Joined(wording.Joined(c.Of, c.Name), c.Field)
	}
	return s
}

func describeRemote(d *mcpsf.RemoteDetail) string {
	s := wording.Joined(string(d.Check), d.Method)
	if d.Sent != "" {
		s += " with " + d.Sent
	}
	return s + ": " + d.Got
}

func describePrivilege(d *mcpsf.PrivilegeDetail) string {
	s := d.What
	if d.Syscall != "" {
		s += " (" + wording.Joined(d.Syscall, d.Detail) + ")"
	}
	if d.Error == "" {
		return s + ", allowed"
	}
	return s + ", refused with " + d.Error
}

// Text returns the text of a JSON string, or the JSON itself.
func Text(body json.RawMessage) string {
	var s string
	if len(body) <= 4*safetext.MaxText && json.Unmarshal(body, &s) == nil {
		return strings.TrimRight(s, "\r\n")
	}
	return string(body)
}

func failed(s, errno string) string {
	if errno == "" {
		return s
	}
	return s + ", " + errno
}
