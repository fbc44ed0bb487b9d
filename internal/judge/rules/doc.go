// Package rules turns what a run observed into findings.
//
// In: the ordered events of a run, the facts of static inspection, and a
// [Scope] that says what the run declares about itself. Out: [mcpsf.Finding],
// grouped, each with the events that prove it.
//
// A rule is one YAML file: a condition in expr over one event at a time, over
// the steps of a sequence, or over a fact; the text of the finding, and tests
// that run against it. The built-in ones are in builtin/; any folder of the same
// shape can be loaded beside them. Files are compiled once, at [Load]: expr
// parses and checks the conditions, translate.go makes functions of them.
// [Set.Evaluate] makes one pass over the events and shows each rule only those
// it can have something to say about (sieve.go); track.go follows sequences.
// Rules are pure: no I/O, no clock, no randomness, no condition can loop without
// bound, and what they remember is bounded.
//
// What makes an access innocent is decided in one place, explain.go.
package rules
