package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Why an access is innocent.
//
// An access to a path is explained when somebody who is not the server named
// that path, or a directory it lies in: the arguments of the call it belongs
// to, or the configuration. Before the first call only the configuration can.
//
// How wide a named directory reaches depends on what is below it.
//
// Ordinary files: any directory explains all below it, except the root and
// its children ("/", "/home", "/etc"), which name nothing in particular.
//
// Sensitive files (decoys, and what runs by itself later): a tool that is
// told to search the home directory has been told nothing about the keys in
// it, and the same argument would excuse every thief. So the argument has to
// name the file, the directory it lies in, or one that is no shallower than
// the file's own top-level dot directory: ~/.aws explains
// ~/.aws/sso/cache/token.json, ~ and /home do not. A document is explained by
// its top-level directory, dot or not: ~/Documents.
//
// A value the server chose itself explains nothing sensitive. Its schemas
// have defaults, examples, constants and patterns, its resources addresses,
// and whoever calls it fills those in; a thief would write the path of the
// key there. The same value from a user is lost with that, which costs an
// alarm about a tool that proposes the keys as input: it deserves one.

// explanation is the answer and, for humans, its reason.
type explanation struct {
	By     mcpsf.Explainer
	Reason string
}

func (x explanation) ok() bool { return x.By != mcpsf.ByNobody }

// explainer answers whether somebody who is not the server asked for what it
// does.
type explainer struct {
	declared *declaration
	run      *run
	attacks  *attacks
	// ownHost is set if the server spoke to a host that it is made for, once
	// that is known.
	ownHost, ownHostKnown bool
}

func newExplainer(r *run, a *attacks) *explainer {
	return &explainer{declared: r.declared, run: r, attacks: a}
}

// explain answers for the subject of the event f describes.
func (x *explainer) explain(f *fields) explanation {
	if f.Phase != string(mcpsf.PhaseInstall) && x.launcher(f) {
		return explanation{mcpsf.ByConfiguration, "the configured command runs " + quote(path.Base(x.declared.scope.Command[0])) +
			", which reads its own settings"}
	}
	if x.lister(f) {
		return explanation{mcpsf.ByNature, "a program of the system that lists processes looks at all of them"}
	}
	if f.Phase == string(mcpsf.PhaseInstall) {
		return explanation{mcpsf.ByNobody, "an installation has no business with it"}
	}
	if x.attacks.asked(f) {
		return explanation{mcpsf.ByArgument, "the attack asked for it"}
	}
	if f.Decoy == kindVariable {
		return x.explainVariable(f)
	}
	target := f.Subject
	if f.target != "" {
		target = f.target
	}
	target = path.Clean(target)
	sensitive := f.Decoy != "" || x.declared.places.persistent(target)
	reason := "no argument and no configuration names it"
	for _, c := range x.run.calls.allClaims(f.Call) {
		exact := c.path == target || !sensitive && companion(target, c.path) || x.asksForHook(f, c.path, target)
		if !exact && (!under(target, c.path) || !x.reaches(c.path, target, f.Decoy, sensitive)) {
			continue
		}
		switch {
		case sensitive && c.byServer:
			reason = c.source + " names it, but with a value that the server itself proposed"
		case exact:
			return explanation{c.by, c.source + " names it"}
		default:
			return explanation{c.by, c.source + " names " + quote(c.path) + ", where it lies"}
		}
	}
	return explanation{mcpsf.ByNobody, reason}
}

// explainVariable answers for a variable, which an argument names by its name.
func (x *explainer) explainVariable(f *fields) explanation {
	c := x.run.calls.calls[f.Call]
	if c == nil || f.Variable == "" {
		return explanation{mcpsf.ByNobody, "no argument names it"}
	}
	proposed := x.run.calls.proposals(c)
	for _, a := range c.each() {
		if slices.Contains(strings.FieldsFunc(a.value, notName), f.Variable) && !proposed(f.Variable) {
			return explanation{mcpsf.ByArgument, "the argument " + quote(a.name) + " names it"}
		}
	}
	return explanation{mcpsf.ByNobody, "no argument names it"}
}

func notName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// asksForHook tells whether a hook is put into the repository that was named,
// by a tool that says it does that.
func (x *explainer) asksForHook(f *fields, repository, target string) bool {
	return under(target, repository+"/.git/hooks") && (x.declared.mentions(f.Tool, "hook") || x.declared.mentions(f.Tool, "hooks"))
}

// companion reports whether a file is one that a program makes beside the file
// it was told to work on: the same with an ending of its own, as databases and
// editors have it (x.db-journal, x.txt~, x.txt.docx), or another ending in the
// place of the old (x.pdf for x.md).
func companion(target, named string) bool {
	if path.Dir(target) != path.Dir(named) || strings.Count(named, "/") < 2 {
		return false
	}
	base, own := path.Base(target), path.Base(named)
	if rest, ok := strings.CutPrefix(base, own); ok && rest != "" {
		return strings.ContainsAny(rest[:1], ".-~_")
	}
	stem := strings.TrimSuffix(own, path.Ext(own))
	return stem != "" && strings.TrimSuffix(base, path.Ext(base)) == stem
}

// reaches tells whether naming dir is enough for target, which lies below it.
func (x *explainer) reaches(dir, target, decoy string, sensitive bool) bool {
	if !sensitive {
		return strings.Count(dir, "/") >= 2
	}
	home := x.declared.scope.Home
	if dir == home || under(home, dir) || strings.Count(dir, "/") < 2 {
		return false
	}
	if dir == path.Dir(target) {
		return true
	}
	below, ok := strings.CutPrefix(target, home+"/")
	if !ok {
		return false
	}
	top, _, _ := strings.Cut(below, "/")
	if decoy != mcpsf.DecoyDocument && !strings.HasPrefix(top, ".") {
		return false
	}
	return dir == home+"/"+top || under(dir, home+"/"+top)
}

// launcher tells whether the event is the work of the package manager that
// the user configured as the command ("npx some-server"): it runs before any
// code of the target does, and reads its own settings. It is only ever the
// first process, and only while that runs what was configured.
func (x *explainer) launcher(f *fields) bool {
	if !f.Server || f.Decoy == "" || len(x.declared.scope.Command) == 0 {
		return false
	}
	o := x.declared.purpose.ownerOf(f.Subject)
	name, ok := ownerName(x.run.processes.programs[x.run.processes.server], o.programs)
	return ok && name == path.Base(x.declared.scope.Command[0])
}

// lister tells whether a program of the system that lists processes looks at
// one of them, as it does at all. What it prints is up to its arguments: "ps e"
// and "ps axe" print the variables of other processes.
func (x *explainer) lister(f *fields) bool {
	if f.Kind != string(mcpsf.KindPrivilegeAttempt) || f.Syscall != "open" || !isSystem(f.Program) {
		return false
	}
	if !strings.HasPrefix(f.Detail, "/proc/") || path.Base(f.Detail) == "mem" {
		return false
	}
	name := path.Base(f.Program)
	return listsProcesses(name) && (name != "ps" || !slices.ContainsFunc(x.run.program(f).args, printsVariables))
}
