// Package agents is the room of language models and of what stands in for one:
// what a server's texts make an agent do.
//
// In: what a server says, a model or the obedient agent, decoy tools.
//
// Out: actions that a text caused, with the text to blame; payloads that a model
// proposes; a second opinion.
//
// Never: call a model that the user did not name; let a model's word change a
// verdict.
package agents
