package explain

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Variable returns who explains that the variable of f is read. An argument that
// the server did not propose can name it.
func (x *Explainer) Variable(f *event.Fields) declared.By {
	asked := *f
	asked.Decoy = event.KindVariable
	if x.attacks.Asked(&asked) || x.variable(&asked).OK() {
		return declared.ByArgument
	}
	return x.declared.Variable(f.Variable)
}
