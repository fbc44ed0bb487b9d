// Package attack makes payloads. It takes a place in the arguments of a tool,
// prompt or resource and the world of a run, and returns payloads, each with
// the sign that only its success brings about.
//
// Everything here is pure: the same seed gives the same payloads. A payload
// does nothing but bring about its sign. A server that treats the value as data
// never shows the sign, even if it repeats the value.
package attack

import (
	"github.com/mcpsf/mcpsf"
)

// Class is one class of attack.
type Class struct {
	// ID is its name in reports: "command-injection".
	ID string
	// Title is the server's weakness if an attack succeeds.
	Title string
	// Yield is the expected success at a place: 0 means the class does not
	// apply, 100 that many servers are vulnerable there.
	Yield func(p Place) int
	// Payloads are the values to put there, best first.
	Payloads func(w *World, p Place) []Payload
	// Balanced is how many payloads the balanced profile sends.
	Balanced int
	// Paired says that every two payloads belong together: the second is sent
	// after the first and proves nothing without it.
	Paired bool
}

// Worth is the expected success of the ith payload at a place. When the first
// payloads fail, later ones mostly fail too.
func (c Class) Worth(p Place, i int) int {
	if c.Paired {
		i -= i % 2
	}
	return 2 * c.Yield(p) / (i + 2)
}

// Payload is one value and the sign it is meant to cause.
type Payload struct {
	// Value is put at the place; it can be encoded as JSON.
	Value any
	Sign  mcpsf.AttackSign
	// Marker identifies the sign; it is "" for [mcpsf.SignCrash] and where
	// another check sees the effect. For [mcpsf.SignOpen] it also matches paths
	// below it and the same name with an extension, because servers append one:
	// see [Reached]. For [mcpsf.SignCost] see [Size].
	Marker string
	// Why is the technique in a few words.
	Why string
	// Plain says that a tool without access limits shows the sign, too. The
	// sign counts only if the server promises a limit, or enforced one for
	// another payload.
	Plain bool
}

// All lists the classes, those with the highest expected success first.
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
