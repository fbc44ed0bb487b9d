package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// GitProgram returns the setting of git by which f makes git run a program, ""
// if there is none or the caller asked for exactly that: a folder that the caller
// names explains work in it, and not what runs there later.
func (x *Explainer) GitProgram(f *event.Fields) string {
	isGit := path.Base(f.Program) == "git" && paths.IsSystem(f.Program)
	if f.Kind == string(mcpsf.KindProcessExec) {
		if name := programs.RunByGit(programs.GitSets(f.Args)); path.Base(f.Path) == "git" && name != "" && !x.asksForSetting(f.Call, name) {
			return name
		}
		return ""
	}
	// git writes its files in pieces; its command line says what it sets.
	if isGit || len(f.Sets) == 0 || f.Error != "" || !x.declared.Places.GitSettings(f.Subject) || paths.Temporary(f.Subject) ||
		f.Phase == string(mcpsf.PhaseInstall) && paths.Under(f.Subject, x.declared.Scope.WorkDir) {
		return ""
	}
	exact := func(c declared.Claim) bool { return c.Path == f.Subject && !c.ByServer }
	if slices.ContainsFunc(x.run.Calls.ClaimsAbout(f.Call, f.Subject), exact) || x.attacks.Asked(f) {
		return ""
	}
	for _, setting := range f.Sets {
		if name := programs.RunByGit(setting); name != "" && !x.asksForSetting(f.Call, name) {
			return name
		}
	}
	return ""
}

// asksForSetting tells whether an argument of the call has the name of a setting.
func (x *Explainer) asksForSetting(call, name string) bool {
	c := x.run.Calls.ByID[call]
	if c == nil {
		return false
	}
	for _, a := range c.Each() {
		if !a.ByServer() && strings.Contains(strings.ToLower(a.Value), name) {
			return true
		}
	}
	return false
}
