// Package rules turns what a run observed into findings.
//
// In: the ordered events of a run, the facts of static inspection, and a
// [Scope] with what the package, its tools and the user declare. Out:
// [mcpsf.Finding], grouped, each with the events that prove it.
//
// A rule is one YAML file: a condition over one event at a time, over the steps
// of a sequence, or over a fact; the text of the finding, and tests that run
// against it. The built-in ones are in builtin/; any folder of the same shape can
// be loaded beside them. Files are compiled once, at [Load]. [Set.Evaluate] makes
// one pass over the events and evaluates each rule only on those that it can
// match; track.go follows sequences; [Set.Trace] shows how one rule judged a run;
// cover.go leaves out findings whose root cause another rule reports. Rules are
// pure: no I/O, no clock, no randomness, and bounded memory.
//
// The folders below, each importing only those above it:
//
//	quote, lex, hostname, paths, programs, mail   knowledge of texts and names
//	declared    what is known before the first event
//	lineage     which process of an installation belongs to a script
//	event       one event, as conditions see it
//	history     what has happened so far
//	attack      whether the attacks succeeded
//	explain     who asked for an access: what makes it innocent
//	condition   the language: fields, predicates, compilation
//	message     the sentence of a finding
//	rulefile    reads and checks rule files
package rules
