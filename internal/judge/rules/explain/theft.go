package explain

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// Thefts are the calls of the current sandbox in which a secret was read that
// nobody asked for.
type Thefts struct {
	explainer *Explainer
	calls     map[string]bool
}

// NewThefts returns an empty set.
func NewThefts(x *Explainer) *Thefts { return &Thefts{x, map[string]bool{}} }

// Restart clears the state when a sandbox ends.
func (t *Thefts) Restart() { clear(t.calls) }

// See remembers that an event gave an install script, or the server in a call, a
// secret that is not its own.
func (t *Thefts) See(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindEnvRead {
		t.variable(e)
	}
	if e.Kind == mcpsf.KindFileOpen {
		t.file(e)
	}
	t.document(e)
	if e.Kind != mcpsf.KindCanaryRead {
		return
	}
	var f event.Fields
	x := t.explainer
	x.run.Describe(e, &f)
	if f.Script != nil && !x.UsedByOwner(&f) && !x.ByHabit(&f) {
		f.Script.Stole = true
	}
	if why := x.Path(&f); why.inFolder && !x.UsedByOwner(&f) {
		x.run.Held.InFolder(f.Subject, e.Seq)
	}
	if e.Phase == mcpsf.PhaseInstall || x.Path(&f).OK() || x.UsedByOwner(&f) || x.InGivenFolder(&f) {
		return
	}
	x.run.Held.File(f.Subject, e.Seq)
	if !x.declared.Purpose.Covers(f.Phase, f.Subject) && !x.ByHabit(&f) {
		t.calls[e.Call] = true
		x.run.Held.Other(e.Call)
	}
}

// variable remembers a planted variable that nothing of the user's, and not the
// name of the package, explains.
func (t *Thefts) variable(e *mcpsf.Event) {
	if e.Env == nil || e.Phase == mcpsf.PhaseInstall {
		return
	}
	if e.Env.All {
		t.explainer.run.Held.All(e.Seq)
	}
	if e.Env.Canary == "" || e.Env.All {
		return
	}
	var f event.Fields
	x := t.explainer
	x.run.Describe(e, &f)
	if by := x.Variable(&f); by < declared.ByName {
		x.run.Held.Variable(f.Variable, by == declared.ByDocument, e.Seq)
	}
}

// file remembers in which calls the server read a file of the user's that an
// argument or the configuration names.
func (t *Thefts) file(e *mcpsf.Event) {
	x := t.explainer
	if e.File != nil && e.File.Error == "" && strings.HasPrefix(e.File.Path, "/proc/") && e.Phase != mcpsf.PhaseInstall {
		var f event.Fields
		if x.run.Describe(e, &f); event.OwnVariables(&f) {
			x.run.Held.All(e.Seq)
		}
	}
	if e.Call == "" || e.File == nil || e.File.Error != "" || strings.ContainsAny(e.File.Flags, "wd") || x.declared.Places.Own(e.File.Path) ||
		!paths.Under(e.File.Path, x.declared.Scope.Home) && !paths.Under(e.File.Path, "/tmp") {
		return
	}
	var f event.Fields
	x.run.Describe(e, &f)
	if event.InCall(&f) && x.GivenByUser(&f) {
		x.run.Held.Given(e.Call)
	}
}

// document remembers a document of the user's that was read and that nobody
// named. Documents are no secrets, so no event of its own tells of the read.
func (t *Thefts) document(e *mcpsf.Event) {
	d := e.File
	if d == nil || d.CanaryKind != mcpsf.DecoyDocument || d.Error != "" || e.Phase == mcpsf.PhaseInstall {
		return
	}
	if e.Kind != mcpsf.KindFileRead && (e.Kind != mcpsf.KindFileOpen || !strings.Contains(d.Flags, "r")) {
		return
	}
	var f event.Fields
	x := t.explainer
	if x.run.Describe(e, &f); !x.Path(&f).OK() && !x.InGivenFolder(&f) {
		x.run.Held.Document(f.Subject, e.Call, e.Seq)
	}
}

// HoldsSecret tells whether the script or call of f has read such a secret.
func (t *Thefts) HoldsSecret(f *event.Fields) bool {
	return f.Script != nil && f.Script.Stole || f.Phase != string(mcpsf.PhaseInstall) && t.calls[f.Call]
}
