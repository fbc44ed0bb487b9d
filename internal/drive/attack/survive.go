package attack

import (
	"github.com/mcpsf/mcpsf"
)

// survive makes the payloads of the classes that test whether the server
// crashes. Other checks see their other effects.
func survive(why string, values []any) []Payload {
	var all []Payload
	for _, v := range values {
		all = append(all, Payload{Value: v, Sign: mcpsf.SignCrash, Why: why})
	}
	return all
}
