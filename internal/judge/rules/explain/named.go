package explain

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// Exactly tells whether somebody other than the server names the subject itself,
// and not only a folder that it lies in: who has a folder audited does not ask
// for the keys in it to be sent anywhere.
func (x *Explainer) Exactly(f *event.Fields) bool {
	why := x.Path(f)
	return why.OK() && !why.inFolder
}

// GivenToRead tells whether the caller of f gave its tool the subject, or a
// folder that it lies in, and the tool does not say that it changes anything.
func (x *Explainer) GivenToRead(f *event.Fields) bool {
	if !event.InCall(f) || x.declared.Tools.SaysWrites(f.Tool) || x.declared.Executes(f.Tool, f.Prompt) {
		return false
	}
	c := x.run.Calls.ByID[f.Call]
	return c != nil && slices.ContainsFunc(x.run.Calls.Given(c), func(c declared.Claim) bool {
		if c.ByServer || c.By != mcpsf.ByArgument {
			return false
		}
		below := paths.Under(f.Subject, c.Path) && !x.declared.Places.Own(f.Subject)
		return c.Path == f.Subject || below && (f.Decoy == mcpsf.DecoyDocument || paths.Under(c.Path, x.declared.Scope.Home)) && x.reaches(c.Path, f.Subject, f.Decoy, f.Decoy != "")
	})
}
