package attack

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Payloads of [mcpsf.SignDiffer] come in fours: two with a true condition, two
// with a false one. All have the same words equally often, so that only a
// server that evaluates them can distinguish them. A vulnerable server answers
// the first two alike and the others differently.

// conditional is the number of payloads that belong together.
const conditional = 4

// conditions appends the four payloads. In the form, § is the condition; and
// joins its two parts.
func conditions(all []Payload, class string, w *World, form, and, why string) []Payload {
	h := w.hash(class+" condition", len(all))
	a, b := 11+h%40, 51+h>>8%40
	name := w.Word(class, len(all))
	equal := func(a, b, c, d uint64) string { return fmt.Sprintf("%d=%d%s%d=%d", a, b, and, c, d) }
	for _, f := range [conditional][2]string{
		{"yes1", equal(a, a, b, b)},
		{"no1", equal(a, b, b, a)},
		{"yes2", equal(b, b, a, a)},
		{"no2", equal(b, a, a, b)},
	} {
		all = append(all, Payload{
			Value: strings.ReplaceAll(form, "§", f[1]), Sign: mcpsf.SignDiffer, Marker: name + "/" + f[0], Why: why,
		})
	}
	return all
}
