package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The prefixes of pairs: a server with a weakness, and the same one without.
const (
	vulnPrefix  = "vuln-"
	fixedPrefix = "fixed-"
)

// profile is the profile of an example: pairs are attacked, and who tries to buy
// a verdict of high confidence can do so only in a run with attacks.
func (e *example) profile() string {
	switch {
	case e.Profile != "":
		return e.Profile
	case strings.HasPrefix(e.Name, vulnPrefix), strings.HasPrefix(e.Name, fixedPrefix), e.Class == integrity:
		return "balanced"
	}
	return "safe"
}

// attack is an attack that must be reported as successful. Empty fields match anything.
type attack struct {
	Class string `yaml:"class"`
	Tool  string `yaml:"tool"`
	// Place is the argument with the payload, as a JSON pointer.
	Place string `yaml:"place"`
	// Grade is the minimum grade of the finding.
	Grade mcpsf.Grade `yaml:"grade"`
}

// classes lists all classes.
func classes() []string {
	return []string{
		"command-injection", "argument-injection", "path-traversal", "ssrf", "sql-injection", "nosql-injection",
		"ldap-injection", "graphql-injection", "xpath-injection", "template-injection", "code-evaluation", "deserialisation", "xxe",
		"archive-traversal", "redos", "amplification", "markup-injection", "log-injection", "secret-in-error",
		"prototype-pollution", "type-confusion", "numeric-edge", "unicode-edge", "overlong-input",
		mcpsf.ClassEndpointCommand + mcpsf.FromPage, mcpsf.ClassProtocol,
	}
}

// trial is a harmless call, which a server answers: of a tool or a prompt with
// arguments, or of a resource.
type trial struct {
	Tool      string         `yaml:"tool"`
	Prompt    string         `yaml:"prompt"`
	Resource  string         `yaml:"resource"`
	Arguments map[string]any `yaml:"arguments"`
}

// request returns the method and params of the call.
func (t *trial) request() (method string, params map[string]any) {
	switch {
	case t.Resource != "":
		return "resources/read", map[string]any{"uri": t.Resource}
	case t.Prompt != "":
		return "prompts/get", map[string]any{"name": t.Prompt, "arguments": t.Arguments}
	}
	return "tools/call", map[string]any{"name": t.Tool, "arguments": t.Arguments}
}

func (a *attack) check() error {
	switch {
	case !slices.Contains(classes(), a.Class):
		return fmt.Errorf("%q is no class of attacks", a.Class)
	case a.Tool == "" && a.Class != mcpsf.ClassProtocol && !strings.HasPrefix(a.Class, mcpsf.ClassEndpoint):
		return errors.New("an attack has a tool")
	case a.Place != "" && !strings.HasPrefix(a.Place, "/"):
		return fmt.Errorf("a place is a JSON pointer, not %q", a.Place)
	case a.Grade != "" && sureness(a.Grade) < 0:
		return fmt.Errorf("%q is no grade", a.Grade)
	}
	return nil
}

// checkPair checks an example of a pair for errors.
func (e *example) checkPair() error {
	switch {
	case e.Vulnerable != strings.HasPrefix(e.Name, vulnPrefix):
		return errors.New("vulnerable examples, and no others, have a name with vuln- in front")
	case !e.Vulnerable:
		return nil
	case e.Malicious:
		return errors.New("what is vulnerable is not malicious")
	case len(e.Expect.Attacks) == 0:
		return errors.New("no attack is expected to work")
	case e.Twin != fixedPrefix+strings.TrimPrefix(e.Name, vulnPrefix):
		return errors.New("its twin is not called as it is, with fixed- in front")
	case e.Try.Tool+e.Try.Prompt+e.Try.Resource == "":
		return errors.New("there is no call to try")
	}
	return nil
}

// marry gives each fixed example the attacks of its twin, which must not be
// reported, and rejects pairs that differ in more than the fix.
func marry(list []*example) error {
	var problems []error
	for _, e := range list {
		i := slices.IndexFunc(list, func(other *example) bool { return other.Vulnerable && other.Twin == e.Name })
		switch {
		case i < 0 && strings.HasPrefix(e.Name, fixedPrefix):
			problems = append(problems, fmt.Errorf("%s: nothing is vulnerable without its fix", e.Name))
		case i < 0:
		case e.Server != list[i].Server || e.Package != list[i].Package || !slices.Equal(e.Args, list[i].Args) || !slices.Equal(e.Env, list[i].Env):
			problems = append(problems, fmt.Errorf("%s: is started in another way than its twin", e.Name))
		default:
			e.refutes, e.Try = list[i].Expect.Attacks, list[i].Try
		}
	}
	return errors.Join(problems...)
}

// attackedIn maps the attack calls to their requests.
func attackedIn(events []mcpsf.Event) map[string]*mcpsf.MCPDetail {
	calls := map[string]*mcpsf.MCPDetail{}
	for i := range events {
		if e := &events[i]; e.Kind == mcpsf.KindMCPRequest && e.Call != "" && e.MCP != nil && e.MCP.Attack != nil {
			calls[e.Call] = e.MCP
		}
	}
	return calls
}

// showing returns the findings whose evidence belongs to a call of that attack.
func (a *attack) showing(findings []mcpsf.Finding, events []mcpsf.Event) []mcpsf.Finding {
	attacked := attackedIn(events)
	ours := map[int64]bool{}
	for i := range events {
		if by := attacked[events[i].Call]; by != nil && a.is(by) {
			ours[events[i].Seq] = true
		}
	}
	var list []mcpsf.Finding
	for _, f := range findings {
		if slices.ContainsFunc(f.Evidence, func(seq int64) bool { return ours[seq] }) {
			list = append(list, f)
		}
	}
	return list
}

func (a *attack) is(by *mcpsf.MCPDetail) bool {
	return (by.Attack.Class == a.Class || a.provokes()) && (a.Tool == "" || by.Tool == a.Tool) && (a.Place == "" || by.Attack.Place == a.Place)
}

// provokes tells whether the class only provokes an error or a crash, which any
// other attack may cause just as well, and earlier.
func (a *attack) provokes() bool {
	return slices.Contains([]string{"secret-in-error", "type-confusion", "numeric-edge", "unicode-edge", "overlong-input"}, a.Class)
}

// sureness orders grades; an invalid one comes first.
func sureness(g mcpsf.Grade) int {
	return slices.Index([]mcpsf.Grade{mcpsf.GradeSuspected, mcpsf.GradeAttempted, mcpsf.GradeProved}, g)
}
