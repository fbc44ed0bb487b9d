package meaning

import "github.com/mcpsf/mcpsf"

// Proof is a value with which a tool worked. From is empty if the server did not make
// it.
type Proof struct {
	Tool, Parameter string
	Value           any
	From            mcpsf.ValueOrigin
}

// Knowing returns the values with those with which other tools worked, the likeliest
// first.
func (v Values) Knowing(proven []Proof) Values {
	v.proven = proven
	return v
}

// Proven returns the values with which other tools worked.
func (v Values) Proven() []Proof { return v.proven }
