// Package rules turns what a run observed into findings.
//
// In: the ordered events of a run, the facts of static inspection, and a
// [Scope] that says what the run declares about itself. Out: [mcpsf.Finding],
// grouped, each with the events that prove it.
//
// A rule is one YAML file: a condition in expr over one event at a time, the
// text of the finding, and tests that run against it. The built-in ones are
// in builtin/; any folder of the same shape can be loaded beside them. Files
// are compiled once, at [Load]; [Set.Evaluate] makes one pass over the events
// and shows each rule only the kinds it names. Rules are pure: no I/O, no
// clock, no randomness, and no condition can loop without bound.
//
// What makes an access innocent is decided in one place, explain.go.
package rules
