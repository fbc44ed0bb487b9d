package flows

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxEvidence bounds the reasons that are kept for a trait.
// no gap: what is larger is taken to allow anything
const maxEvidence = 3

// reader extracts the tools and their traits from one report.
type reader struct {
	report *mcpsf.Report
	tools  []*Tool
	index  map[string]*Tool
	// text says which argument of a tool accepts any text.
	text map[string]textArgument
	// credential is the first of the user's credentials that was used, "" for none.
	credential string
	// stores are folders in which calls stored something.
	stores map[string]bool
	// own are the folders with the server's own files.
	own []string
}

// toolsOf returns the tools of a server in listed order.
func toolsOf(report *mcpsf.Report) []*Tool {
	r := &reader{
		report: report, index: map[string]*Tool{}, text: map[string]textArgument{}, stores: storesOf(report.Accesses),
		credential: credentialOf(report), own: []string{mcpsf.WorkDir},
	}
	if dir := strings.TrimSuffix(report.Artifact.WorkDir, "/"); dir != "" {
		r.own = append(r.own, dir)
	}
	r.list()
	for _, planted := range []bool{true, false} { // decoys first: they are the best evidence and only the first few are kept
		for i := range report.Accesses {
			if a := &report.Accesses[i]; a.Phase != mcpsf.PhaseInstall && (a.Planted != "") == planted {
				r.access(a)
			}
		}
	}
	for i := range report.Findings {
		r.found(&report.Findings[i])
	}
	for i := range report.Waived { // a waived finding is still true
		r.found(&report.Waived[i].Finding)
	}
	r.claims()
	r.source()
	for _, t := range r.tools {
		slices.SortFunc(t.Traits, func(a, b Trait) int {
			return cmp.Or(cmp.Compare(slices.Index(Roles(), a.Role), slices.Index(Roles(), b.Role)),
				cmp.Compare(rank(b.Level), rank(a.Level)), cmp.Compare(a.Kind, b.Kind))
		})
	}
	return r.tools
}

// list adds the tools that the server lists, or that its source defines if it
// never listed any.
func (r *reader) list() {
	state := statesOf(r.report)
	add := func(t *mcpsf.Tool) {
		if t.Name == "" {
			return
		}
		if _, ok := r.text[t.Name]; !ok {
			r.text[t.Name] = takesText(t.InputSchema)
		}
		if r.index[t.Name] == nil {
			r.tool(t.Name).State = state(t.Name)
		}
	}
	for i := range r.report.Session.Tools {
		add(&r.report.Session.Tools[i])
	}
	if in := r.report.Inspection; in != nil && !r.report.Session.Initialized {
		for i := range in.Tools {
			add(&in.Tools[i].Tool)
		}
	}
}

// statesOf returns a function that tells the state of each tool.
func statesOf(report *mcpsf.Report) func(name string) State {
	states := map[string]State{}
	for _, c := range report.Session.Calls {
		switch {
		case c.Tool == "":
		case report.Coverage.Remote:
			states[c.Tool] = StateUnwatched
		case c.Status == mcpsf.CallOK:
			states[c.Tool] = StateSeen
		case states[c.Tool] == "":
			states[c.Tool] = StateRefused
		}
	}
	return func(name string) State {
		if s := states[name]; s != "" {
			return s
		}
		return StateNever
	}
}

// tool returns the tool with a name, and adds it if it is not listed.
func (r *reader) tool(name string) *Tool {
	t := r.index[name]
	if t == nil {
		t = &Tool{Name: name, State: StateSeen, Traits: []Trait{}}
		r.index[name] = t
		r.tools = append(r.tools, t)
	}
	return t
}

// trait adds a reason for a role.
func (r *reader) trait(tool string, role Role, kind Kind, level Level, e Evidence) {
	t := r.tool(tool)
	for i := range t.Traits {
		if tr := &t.Traits[i]; tr.Role == role && tr.Kind == kind {
			tr.Count++
			if rank(level) > rank(tr.Level) {
				tr.Level = level
			}
			if len(tr.Evidence) < maxEvidence {
				tr.Evidence = append(tr.Evidence, e)
			}
			return
		}
	}
	t.Traits = append(t.Traits, Trait{Role: role, Kind: kind, Level: level, Evidence: []Evidence{e}, Count: 1})
}

// access adds an access.
func (r *reader) access(a *mcpsf.Access) {
	switch a.Kind {
	case mcpsf.AccessHost:
		r.host(a)
	case mcpsf.AccessRead, mcpsf.AccessWrite:
		r.file(a)
	case mcpsf.AccessProgram:
		r.program(a)
	case mcpsf.AccessVariable:
		if a.Tool != "" && a.Explanation.By == mcpsf.ByNobody && a.Name != "*" {
			r.trait(a.Tool, Private, KindSecret, Seen, because(a, "it asked for the variable %s, which holds a secret", a.Name))
		}
	case mcpsf.AccessListen:
		if a.Tool != "" && a.Explanation.By == mcpsf.ByNobody {
			r.trait(a.Tool, Out, KindListener, Seen, because(a, "it listened on %s", a.Name))
		}
	}
}

// program adds a program that was run. A program that an argument chooses can do
// whatever the user can.
func (r *reader) program(a *mcpsf.Access) {
	if a.Tool == "" {
		return
	}
	arg := r.text[a.Tool]
	switch {
	case a.Explanation.By == mcpsf.ByArgument:
	case a.Explanation.By == mcpsf.ByPurpose && arg.any && obeys(path.Base(a.Name)):
	default:
		return
	}
	e := because(a, "it ran %s%s", a.Name, arg.with())
	r.trait(a.Tool, Untrusted, KindCommand, Open, e)
	r.trait(a.Tool, Private, KindCommand, Seen, e)
	r.trait(a.Tool, Out, KindCommand, Open, e)
}

// obeys tells whether a program executes commands given as text.
func obeys(name string) bool {
	switch strings.TrimRight(name, ".0123456789") {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox", "pwsh", "powershell", "cmd", "osascript",
		"python", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "lua", "Rscript":
		return true
	}
	return false
}

// because makes evidence from an access: what was observed, and what explains it.
func because(a *mcpsf.Access, format string, args ...any) Evidence {
	why := fmt.Sprintf(format, args...)
	if a.Explanation.Reason != "" {
		why += "; " + a.Explanation.Reason
	}
	return Evidence{Why: why, Event: a.Event, Access: a.Kind}
}
