// Package obedient is an agent that does what it reads.
//
// In: a request as a language model gets it: a system prompt, a conversation,
// tools with their descriptions and schemas. Out: the reply of a model that
// believes every word. It carries out the user's task, and on the way all
// orders that stand in descriptions, results, prompts and resources, with all
// available tools. [Agent.Explain] says which order caused what, and where that
// order stands.
//
// The parts, from the bottom: decoding (hidden text), userfile and shell (which
// files are private, which commands do harm), toolkit (what tools can do),
// grammar (which verbs are orders), order (which orders the texts give). This
// package decides which call is next, with which arguments, and what the final
// answer says.
//
// It is a grammar and no model: the same request has the same reply, without a
// network and without a key. docs/rule-following-agent.md says what it
// understands. It keeps no state between requests: it reads everything from the
// turns, and a call's id says which step it was.
//
// All of the input is hostile. What is read, carried and called is bounded, and
// the time is linear in the size of the request.
package obedient
