package attack

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Payloads of [mcpsf.SignCost] come in pairs: the same input in a smaller and
// in a larger size, sent one after the other. Their costs are compared.

// Size parses the marker of a paired payload: the input and its size.
func Size(marker string) (input string, size int, ok bool) {
	input, digits, ok := strings.Cut(marker, "/")
	size, err := strconv.Atoi(digits)
	return input, size, ok && err == nil
}

// pair appends an input in two sizes.
func pair(all []Payload, class string, w *World, small, large int, why string, input func(n int) any) []Payload {
	name := w.Word(class, len(all))
	for _, n := range []int{small, large} {
		all = append(all, Payload{Value: input(n), Sign: mcpsf.SignCost, Marker: fmt.Sprintf("%s/%d", name, n), Why: why})
	}
	return all
}
