// Package attack knows how a value becomes an attack. A place in the arguments
// of a tool, or of what else takes some, and the world of a run go in; payloads
// come out, each with the sign that only its success brings about.
//
// Everything here is pure: the same seed gives the same payloads. A payload
// does nothing but bring its sign about, and a server that treats the value as
// a value never shows the sign, however loudly it repeats what it was sent.
package attack

import (
	"github.com/mcpsf/mcpsf"
)

// Class is one kind of attack.
type Class struct {
	// ID is what reports call it: "command-injection".
	ID string
	// Title says what the server did wrong if it succeeds.
	Title string
	// Yield is what to expect of the class at a place: 0 that it does not
	// apply, 100 that many servers fall to it there.
	Yield func(p Place) int
	// Payloads are the values to put there, best first.
	Payloads func(w *World, p Place) []Payload
	// Balanced is how many of them a balanced run sends.
	Balanced int
	// Paired says that each two of them belong together: the second is sent
	// after the first, and means something only then.
	Paired bool
}

// Worth is what to expect of the ith payload at a place. What the first ones
// do not find, the next ones mostly do not find either.
func (c Class) Worth(p Place, i int) int {
	if c.Paired {
		i -= i % 2
	}
	return 2 * c.Yield(p) / (i + 2)
}

// Payload is one value and what it is to bring about.
type Payload struct {
	// Value stands at the place; it can be encoded as JSON.
	Value any
	Sign  mcpsf.AttackSign
	// Marker is what the sign is told by; "" for [mcpsf.SignCrash], and where
	// others look at what the value provokes. For [mcpsf.SignOpen] it also
	// stands for what is below it, and for the same name with an ending,
	// because servers append one: see [Reached].
	// For [mcpsf.SignCost] see [Size].
	Marker string
	// Why is the technique in a few words.
	Why string
	// Plain says that a tool with no limit to what it works on shows the
	// sign, too. It means something only if the server promises a limit, or
	// kept one when it was asked in another way.
	Plain bool
}

// All lists the classes, those first of which most is to be expected.
func All() []Class {
	classes := []Class{
		commandInjection(),
		pathTraversal(),
		argumentInjection(),
		codeEvaluation(),
		ssrf(),
		sqlInjection(),
		templateInjection(),
		deserialisation(),
		xxe(),
		archiveTraversal(),
		nosqlInjection(),
		graphqlInjection(),
		ldapInjection(),
		xpathInjection(),
		prototypePollution(),
		secretInError(),
		redos(),
		amplification(),
		logInjection(),
		markupInjection(),
		typeConfusion(),
		numericEdge(),
		unicodeEdge(),
		overlongInput(),
	}
	for i, c := range classes {
		classes[i].Payloads = func(w *World, p Place) []Payload { return fit(p, c.Payloads(w, p), c.Paired) }
	}
	return classes
}
