package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/attack"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
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

// Explanation is the answer and, for humans, its reason.
type Explanation struct {
	By     mcpsf.Explainer
	Reason string
}

// OK tells whether somebody explains it.
func (x Explanation) OK() bool { return x.By != mcpsf.ByNobody }

// Explainer answers whether somebody who is not the server asked for what it
// does.
type Explainer struct {
	declared *declared.Declaration
	run      *history.Run
	attacks  *attack.Outcomes
	// ownHost is set if the server spoke to a host that it is made for, once
	// that is known.
	ownHost, ownHostKnown bool
}

// New explains what happens in a run.
func New(r *history.Run, a *attack.Outcomes) *Explainer {
	return &Explainer{declared: r.Declared, run: r, attacks: a}
}

// Path answers for the subject of the event f describes.
func (x *Explainer) Path(f *event.Fields) Explanation {
	if f.Phase != string(mcpsf.PhaseInstall) && x.launcher(f) {
		return Explanation{mcpsf.ByConfiguration, "the configured command runs " + quote.Text(path.Base(x.declared.Scope.Command[0])) +
			", which reads its own settings"}
	}
	if x.lister(f) {
		return Explanation{mcpsf.ByNature, "a program of the system that lists processes looks at all of them"}
	}
	if f.Phase == string(mcpsf.PhaseInstall) {
		return Explanation{mcpsf.ByNobody, "an installation has no business with it"}
	}
	if x.attacks.Asked(f) {
		return Explanation{mcpsf.ByArgument, "the attack asked for it"}
	}
	if f.Decoy == event.KindVariable {
		return x.variable(f)
	}
	target := f.Subject
	if f.Target != "" {
		target = f.Target
	}
	target = path.Clean(target)
	sensitive := f.Decoy != "" || x.declared.Places.Persistent(target)
	reason := "no argument and no configuration names it"
	for _, c := range x.run.Calls.AllClaims(f.Call) {
		exact := c.Path == target || !sensitive && companion(target, c.Path) || x.asksForHook(f, c.Path, target)
		if !exact && (!paths.Under(target, c.Path) || !x.reaches(c.Path, target, f.Decoy, sensitive)) {
			continue
		}
		switch {
		case sensitive && c.ByServer:
			reason = c.Source + " names it, but with a value that the server itself proposed"
		case exact:
			return Explanation{c.By, c.Source + " names it"}
		default:
			return Explanation{c.By, c.Source + " names " + quote.Text(c.Path) + ", where it lies"}
		}
	}
	return Explanation{mcpsf.ByNobody, reason}
}

// variable answers for a variable, which an argument names by its name.
func (x *Explainer) variable(f *event.Fields) Explanation {
	c := x.run.Calls.ByID[f.Call]
	if c == nil || f.Variable == "" {
		return Explanation{mcpsf.ByNobody, "no argument names it"}
	}
	proposed := x.run.Calls.Proposals(c)
	for _, a := range c.Each() {
		if slices.Contains(strings.FieldsFunc(a.Value, notName), f.Variable) && !proposed(f.Variable) {
			return Explanation{mcpsf.ByArgument, "the argument " + quote.Text(a.Name) + " names it"}
		}
	}
	return Explanation{mcpsf.ByNobody, "no argument names it"}
}

func notName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// asksForHook tells whether a hook is put into the repository that was named,
// by a tool that says it does that.
func (x *Explainer) asksForHook(f *event.Fields, repository, target string) bool {
	return paths.Under(target, repository+"/.git/hooks") && (x.declared.Mentions(f.Tool, "hook") || x.declared.Mentions(f.Tool, "hooks"))
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
func (x *Explainer) reaches(dir, target, decoy string, sensitive bool) bool {
	if !sensitive {
		return strings.Count(dir, "/") >= 2
	}
	home := x.declared.Scope.Home
	if dir == home || paths.Under(home, dir) || strings.Count(dir, "/") < 2 {
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
	return dir == home+"/"+top || paths.Under(dir, home+"/"+top)
}

// launcher tells whether the event is the work of the package manager that
// the user configured as the command ("npx some-server"): it runs before any
// code of the target does, and reads its own settings. It is only ever the
// first process, and only while that runs what was configured.
func (x *Explainer) launcher(f *event.Fields) bool {
	if !f.Server || f.Decoy == "" || len(x.declared.Scope.Command) == 0 {
		return false
	}
	o := x.declared.Purpose.OwnerOf(f.Subject)
	name, ok := programs.NameOf(x.run.Processes.Programs[x.run.Processes.Server], o.Programs)
	return ok && name == path.Base(x.declared.Scope.Command[0])
}

// lister tells whether a program of the system that lists processes looks at
// one of them, as it does at all. What it prints is up to its arguments: "ps e"
// and "ps axe" print the variables of other processes.
func (x *Explainer) lister(f *event.Fields) bool {
	if f.Kind != string(mcpsf.KindPrivilegeAttempt) || f.Syscall != "open" || !paths.IsSystem(f.Program) {
		return false
	}
	if !strings.HasPrefix(f.Detail, "/proc/") || path.Base(f.Detail) == "mem" {
		return false
	}
	name := path.Base(f.Program)
	return programs.ListsProcesses(name) && (name != "ps" || !slices.ContainsFunc(x.run.Program(f).Args, programs.PrintsVariables))
}
