package attack

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Payloads of [mcpsf.SignDiffer] come four at a time: two bring in a condition
// that holds, two one that does not. All of them are made of the same words, as
// often, so that only a server that evaluates them tells them apart. It answers
// the first two alike and the others in another way.

// conditional is how many payloads belong together.
const conditional = 4

// conditions appends the four. In the form, § is the condition; and is how its
// two parts are joined.
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
