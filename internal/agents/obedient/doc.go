// Package obedient is an agent that obeys: it does what it reads.
//
// In comes an ask as a language model gets it: a system text, a conversation,
// tools with their descriptions and schemas. Out comes the reply of a model
// that believes every word: it carries out the user's task, and on the way all
// the orders that stand in descriptions, results, prompts and resources, with
// whatever tools there are. [Agent.Explain] says which order made it do what,
// and where that order stands.
//
// The parts, from the bottom: decoding (hidden text), userfile and shell (what is
// private, what does harm), toolkit (what tools can do), grammar (which verbs are
// orders), order (which orders the texts give). This package has the plan: which
// call is next, with which arguments, and what is said at the end.
//
// It is a grammar and no model: the same ask has the same reply, without a
// network and without a key. What it understands is written down in
// docs/rule-following-agent.md. It keeps nothing between asks: all it knows is
// read from the turns, and a call's id tells which step it was.
//
// All of the input is hostile. What is read, carried and called is bounded, and
// the time is linear in the size of the ask.
package obedient
