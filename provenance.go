package mcpsf

import (
	"slices"
	"strings"
)

// ValueOrigin says where the server put a value that one of our requests
// repeats.
type ValueOrigin string

// The places from which a server can make us send a value. OriginRefusal is the
// error with which it refused an earlier call. OriginSource is a text that the
// server's own code compares its input with, or that a refusal wants in it, joined to a
// value of ours. OriginAgent is a value that an agent chose after it had read the
// server's texts, and that nothing of the user's contains. OriginUnknown is a
// request whose maker did not say who made its values.
const (
	OriginDefault     ValueOrigin = "default"
	OriginEnum        ValueOrigin = "enum"
	OriginConst       ValueOrigin = "const"
	OriginExample     ValueOrigin = "example"
	OriginPattern     ValueOrigin = "pattern"
	OriginDescription ValueOrigin = "description"
	OriginResult      ValueOrigin = "result"
	OriginListed      ValueOrigin = "listed"
	OriginRefusal     ValueOrigin = "refusal"
	OriginSource      ValueOrigin = "source"
	OriginAgent       ValueOrigin = "agent"
	OriginUnknown     ValueOrigin = "unknown"
)

// Repeats reports whether the value as a whole came from the server. The others
// are composed: a part of them can be ours.
func (o ValueOrigin) Repeats() bool {
	switch o {
	case "", OriginSource, OriginAgent, OriginUnknown:
		return false
	}
	return true
}

// Imposed reports whether callers use the value unless they object: it is the
// default, the only choice, or what a pattern leaves where no value of ours fits.
func (o ValueOrigin) Imposed() bool {
	return o == OriginDefault || o == OriginConst || o == OriginEnum || o == OriginPattern
}

// ServerValue is a value in one of our requests that the server made. What is
// not listed was made by the user or by us. Only that explains what the server
// does with it.
type ServerValue struct {
	// Pointer is its JSON pointer in the parameters; everything below belongs
	// to it, and "" is all of them.
	Pointer string      `json:"pointer"`
	From    ValueOrigin `json:"from"`
}

// ServerValues are the values of one request that the server made.
type ServerValues []ServerValue

// At returns where the value at a pointer came from, "" if it is ours.
func (v ServerValues) At(pointer string) ValueOrigin {
	for _, s := range v {
		if PointerWithin(pointer, s.Pointer) {
			return s.From
		}
	}
	return ""
}

// Has reports whether the value at a pointer, or a part of the text that it is in, came
// from there.
func (v ServerValues) Has(pointer string, from ValueOrigin) bool {
	return slices.ContainsFunc(v, func(s ServerValue) bool { return s.From == from && PointerWithin(pointer, s.Pointer) })
}

// Without returns the values that remain the server's after the value at a
// pointer was replaced by one of ours.
func (v ServerValues) Without(pointer string) ServerValues {
	out := ServerValues{}
	for _, s := range v {
		if !PointerWithin(s.Pointer, pointer) {
			out = append(out, s)
		}
	}
	return out
}

// Under returns the same values for a document in which they lie deeper.
func (v ServerValues) Under(prefix string) ServerValues {
	out := make(ServerValues, 0, len(v))
	for _, s := range v {
		out = append(out, ServerValue{prefix + s.Pointer, s.From})
	}
	return out
}

// Inside returns the values below a prefix, with pointers from there.
func (v ServerValues) Inside(prefix string) ServerValues {
	out := ServerValues{}
	for _, s := range v {
		switch {
		case PointerWithin(s.Pointer, prefix):
			out = append(out, ServerValue{strings.TrimPrefix(s.Pointer, prefix), s.From})
		case PointerWithin(prefix, s.Pointer):
			out = append(out, ServerValue{"", s.From})
		}
	}
	return out
}
