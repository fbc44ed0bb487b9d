package explain

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/attack"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// This file decides why an access to a path is innocent.
//
// An access is explained when the path, or a directory above it, is named by
// somebody other than the server: in the arguments of the call, or in the
// configuration. Before the first call only the configuration can name it.
//
// Ordinary files: any named directory explains all files below it, except the
// root and its children ("/", "/home", "/etc"), which are too general.
//
// Sensitive files (decoys, and files that run by themselves later): a request to
// search the home directory does not ask for the keys in it, and would excuse
// every theft. So the argument has to name the file, its directory, or a
// directory no shallower than the file's top-level dot directory: ~/.aws
// explains ~/.aws/sso/cache/token.json, ~ and /home do not. A document is
// explained by its top-level directory, dot or not: ~/Documents. Who wants a file
// changed that runs by itself later has to say more (wanted.go).
//
// A value that the server proposed explains nothing sensitive. Schemas contain
// defaults, examples, constants and patterns, and resources have addresses.
// Callers fill these in, so a malicious server would put the path of a key
// there. If a user chooses the same value, the access is reported too: a tool
// that proposes keys as input deserves that.

// Explanation says who explains an access, and why, for people.
type Explanation struct {
	By     mcpsf.Explainer
	Reason string
	// inFolder is set if only a folder above the subject is named.
	inFolder bool
}

// OK tells whether the access is explained.
func (x Explanation) OK() bool { return x.By != mcpsf.ByNobody }

// Explainer answers whether somebody other than the server asked for an access.
type Explainer struct {
	declared *declared.Declaration
	run      *history.Run
	attacks  *attack.Outcomes
	// ownHost caches whether the server contacted a host that it is made for;
	// ownHostKnown is set once that is computed.
	ownHost, ownHostKnown bool
}

// New returns an explainer for a run.
func New(r *history.Run, a *attack.Outcomes) *Explainer {
	return &Explainer{declared: r.Declared, run: r, attacks: a}
}

// Path explains the subject of the event f.
func (x *Explainer) Path(f *event.Fields) Explanation { return x.path(f, false) }

// GivenByUser tells whether the user or we named the subject of f: a value of the
// server's does not count, however ordinary the file is.
func (x *Explainer) GivenByUser(f *event.Fields) bool { return x.path(f, true).OK() }

// path explains the subject of f. With strict, values that the server proposed
// explain nothing.
func (x *Explainer) path(f *event.Fields, strict bool) Explanation {
	if f.Phase != string(mcpsf.PhaseInstall) && x.launcher(f) {
		return Explanation{By: mcpsf.ByConfiguration, Reason: "the configured command runs " + quote.Text(path.Base(x.declared.Scope.Command[0])) +
			", which reads its own settings"}
	}
	if x.lister(f) {
		return Explanation{By: mcpsf.ByNature, Reason: "a program of the system that lists processes looks at all of them"}
	}
	if f.Phase == string(mcpsf.PhaseInstall) {
		return Explanation{By: mcpsf.ByNobody, Reason: "an installation has no business with it"}
	}
	if x.attacks.Asked(f) {
		return Explanation{By: mcpsf.ByArgument, Reason: "the attack asked for it"}
	}
	if f.Decoy == event.KindVariable {
		return x.variable(f)
	}
	target := targetOf(f)
	sensitive := f.Decoy != "" || !onlyReads(f) && x.declared.Places.Persistent(target)
	none := Explanation{By: mcpsf.ByNobody, Reason: "no argument and no configuration names it"}
	for _, c := range x.run.Calls.ClaimsAbout(f.Call, target) {
		exact := c.Path == target || !sensitive && companion(target, c.Path)
		if !exact && (!paths.Under(target, c.Path) || !x.reaches(c.Path, target, f.Decoy, sensitive)) {
			continue
		}
		switch {
		case (sensitive || strict) && c.ByServer:
			if !none.OK() {
				none.Reason = c.Source + " names it, but with a value that the server itself proposed"
			}
		case exact:
			return Explanation{By: c.By, Reason: c.Source + " names it"}
		case !none.OK():
			none = Explanation{c.By, c.Source + " names " + quote.Text(c.Path) + ", where it lies", true}
		}
	}
	return none
}

// targetOf returns the path that somebody has to name to explain f.
func targetOf(f *event.Fields) string {
	if f.Target != "" {
		return path.Clean(f.Target)
	}
	return path.Clean(f.Subject)
}

// onlyReads tells whether f opens a file and cannot change it.
func onlyReads(f *event.Fields) bool {
	return f.Kind == string(mcpsf.KindFileOpen) && !strings.ContainsAny(f.Flags, "wcta")
}

// variable explains a variable, which an argument can name.
func (x *Explainer) variable(f *event.Fields) Explanation {
	c := x.run.Calls.ByID[f.Call]
	if c == nil || f.Variable == "" {
		return Explanation{By: mcpsf.ByNobody, Reason: "no argument names it"}
	}
	for _, a := range c.Each() {
		if !a.ByServer() && mentions(a.Value, f.Variable) {
			return Explanation{By: mcpsf.ByArgument, Reason: "the argument " + quote.Text(a.Name) + " names it"}
		}
	}
	return Explanation{By: mcpsf.ByNobody, Reason: "no argument names it"}
}

// mentions tells whether a text has a name as a word. In a document the names of members
// do not count: which members there are is said by the server.
func mentions(text, name string) bool {
	document := strings.TrimSpace(text)
	if (strings.HasPrefix(document, "{") || strings.HasPrefix(document, "[")) && json.Valid([]byte(document)) {
		for p := range lex.Places(json.RawMessage(document), "") {
			if !p.Key && mentions(p.Value, name) {
				return true
			}
		}
		return false
	}
	return slices.Contains(strings.FieldsFunc(text, notName), name)
}

func notName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// companion reports whether a program made target beside the named file: the
// same name plus a suffix, as databases and editors do (x.db-journal, x.txt~,
// x.txt.docx), another extension (x.pdf for x.md), or both (x_copy.docx). Files
// that were there before are decoys, and those need more than this.
func companion(target, named string) bool {
	if path.Dir(target) != path.Dir(named) || strings.Count(named, "/") < 2 {
		return false
	}
	base, own := path.Base(target), path.Base(named)
	if rest, ok := strings.CutPrefix(base, own); ok && rest != "" {
		return strings.ContainsAny(rest[:1], ".-~_")
	}
	stem := strings.TrimSuffix(own, path.Ext(own))
	rest, ok := strings.CutPrefix(strings.TrimSuffix(base, path.Ext(base)), stem)
	return ok && stem != "" && (rest == "" || strings.ContainsAny(rest[:1], ".-~_ "))
}

// reaches tells whether naming dir explains target, which is below it.
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

// launcher tells whether the event belongs to the package manager that the user
// configured as the command ("npx some-server"). It runs before the target's
// code does, and reads its own settings. It is always the first process, and
// only while that process runs the configured command.
func (x *Explainer) launcher(f *event.Fields) bool {
	if !f.Server || f.Decoy == "" || len(x.declared.Scope.Command) == 0 {
		return false
	}
	o := x.declared.Purpose.OwnerOf(f.Subject)
	name, ok := programs.NameOf(x.run.Processes.Programs[x.run.Processes.Server], o.Programs)
	return ok && name == path.Base(x.declared.Scope.Command[0])
}

// lister tells whether a system program that lists processes reads about one of
// them. If its arguments make it print variables ("ps e", "ps axe"), it does not
// count.
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
