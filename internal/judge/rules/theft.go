package rules

import "github.com/mcpsf/mcpsf"

// thefts are the calls of the present sandbox in which a secret was read that
// nobody asked for.
type thefts struct {
	explainer *explainer
	calls     map[string]bool
}

func newThefts(x *explainer) *thefts { return &thefts{x, map[string]bool{}} }

// restart forgets what ended with a sandbox.
func (t *thefts) restart() { clear(t.calls) }

// see takes in an event, and remembers if by it a script, or the server in a
// call, has a secret that is not its own.
func (t *thefts) see(e *mcpsf.Event) {
	if e.Kind != mcpsf.KindCanaryRead {
		return
	}
	var f fields
	x := t.explainer
	x.run.describe(e, &f)
	if f.script != nil && !x.usedByOwner(&f) && !x.byHabit(&f) {
		f.script.stole = true
	}
	if e.Phase != mcpsf.PhaseInstall && f.Decoy != mcpsf.DecoyDocument && !x.explain(&f).ok() &&
		!x.usedByOwner(&f) && !x.declared.purpose.covers(f.Phase, f.Subject) && !x.byHabit(&f) && !x.inGivenFolder(&f) {
		t.calls[e.Call] = true
	}
}

// holdsSecret tells whether who did what f describes has one.
func (t *thefts) holdsSecret(f *fields) bool {
	return f.script != nil && f.script.stole || f.Phase != string(mcpsf.PhaseInstall) && t.calls[f.Call]
}
