package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// This file decides who wants that a file is written which runs by itself later
// or which an agent obeys.
//
// Who names a folder wants something done in it, and no such file: the file has
// to be named, or the folder has to be one in which everything acts. The name of
// the package, by which its user chose it, may say that it is for such files. A
// tool that says so in a text of its own is reported with a lower grade.

// ToChange tells whether somebody names the subject and wants it changed: an
// argument of a tool that does not say that it writes asks for a look.
func (x *Explainer) ToChange(f *event.Fields) bool {
	why := x.Path(f)
	if !why.OK() || why.inFolder {
		if why = x.inFolder(f, x.wants); !why.OK() {
			return false
		}
	}
	if why.By != mcpsf.ByArgument || f.Attack != "" {
		return true
	}
	return x.changes(f)
}

// AnnouncedInFolder tells whether somebody names a folder above the subject, and
// the tool says that it writes files such as the subject there, or that it fills
// folders with whatever belongs to a project.
func (x *Explainer) AnnouncedInFolder(f *event.Fields) bool {
	if !event.InCall(f) || !x.changes(f) {
		return false
	}
	said := paths.Announcement(targetOf(f))
	if said == nil || !all(said, func(words string) bool { return x.declared.Tools.Says(f.Tool, words) || x.declared.NameHas(words) }) &&
		!x.declared.Tools.Says(f.Tool, paths.Filling()) {
		return false
	}
	return x.inFolder(f, func(*event.Fields, string, string) bool { return true }).OK()
}

// changes tells whether the tool of f says that it writes or runs commands.
func (x *Explainer) changes(f *event.Fields) bool {
	return x.declared.Tools.SaysWrites(f.Tool) || x.declared.Executes(f.Tool, f.Prompt) || x.run.RanCommand(f.Tool)
}

// inFolder explains the subject of f by a folder above it that somebody other
// than the server names, if the folder is enough.
func (x *Explainer) inFolder(f *event.Fields, enough func(f *event.Fields, folder, target string) bool) Explanation {
	target, home := targetOf(f), x.declared.Scope.Home
	if f.Phase == string(mcpsf.PhaseInstall) {
		return Explanation{By: mcpsf.ByNobody}
	}
	claims := x.run.Calls.ClaimsAbout(f.Call, target)
	i := slices.IndexFunc(claims, func(c declared.Claim) bool {
		general := c.Path == home || paths.Under(home, c.Path) || strings.Count(c.Path, "/") < 2
		return !c.ByServer && !general && paths.Under(target, c.Path) && enough(f, c.Path, target)
	})
	if i < 0 {
		return Explanation{By: mcpsf.ByNobody}
	}
	return Explanation{By: claims[i].By, inFolder: true}
}

// wants tells whether who names the folder wants the target in it.
func (x *Explainer) wants(f *event.Fields, folder, target string) bool {
	return x.declared.Places.Persistent(folder+"/any") || x.givesRest(f, strings.TrimPrefix(target, folder+"/")) ||
		x.namedForIt(target) || x.gitPutsIt(f, target) || x.installs(f, target) || x.changes(f) && x.run.RunsForCaller(f)
}

// givesRest tells whether another argument of the caller's names the file as it is
// called below the folder, alone or as a word of a command.
func (x *Explainer) givesRest(f *event.Fields, rest string) bool {
	c := x.run.Calls.ByID[f.Call]
	if c == nil {
		return false
	}
	for _, a := range c.Each() {
		if !a.ByServer() && (path.Clean(a.Value) == rest || slices.ContainsFunc(strings.FieldsFunc(a.Value, lex.BetweenWords), func(w string) bool {
			return path.Clean(strings.Trim(w, `"'`)) == rest
		})) {
			return true
		}
	}
	return false
}

// namedForIt tells whether the name of the package says that it writes such files.
func (x *Explainer) namedForIt(target string) bool {
	said := paths.Announcement(target)
	return said != nil && all(said, x.declared.NameHas)
}

// gitPutsIt tells whether git itself checks out the target, for a tool that speaks
// of git. What lies in its own folder is no file of the repository.
func (x *Explainer) gitPutsIt(f *event.Fields, target string) bool {
	const words = "git clone clones checkout branch branches pull merge stash worktree repository repo"
	return path.Base(f.Program) == "git" && paths.IsSystem(f.Program) && !strings.Contains(target, "/.git/") &&
		(x.declared.Tools.Says(f.Tool, words) || x.declared.NameHas(words))
}

// installs tells whether a package manager makes an environment of Python, or
// puts a package into it that the caller names.
func (x *Explainer) installs(f *event.Fields, target string) bool {
	prog := x.run.Program(f)
	return prog.Installer && paths.StartsAnyPython(target) && (paths.UsualInPython(target) || x.run.AskedInstall(f, prog))
}

func all(list []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !ok(s) })
}
