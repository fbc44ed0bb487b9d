// Package flows finds what makes an agent dangerous with the servers it has.
//
// In: reports of finished runs, those of the servers that one agent uses. Out: a
// [Graph] of their tools, each with the roles it was seen to have: it brings in
// what strangers can write, it reaches private data, it is a way out. Where all
// three come together, in one server or over several, whoever writes the first
// can have the second sent to where the third leads: that is a [Flow].
//
// Roles come from what was observed, not from words. What a tool or its source
// only says is a role as well, of a lower [Level]; what was never seen to run
// is told as not known. A flow is a property of powerful servers, honest ones
// among them, and so it is no finding and no part of a verdict.
package flows
