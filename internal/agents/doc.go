// Package agents has language models and their replacement, the obedient agent:
// it finds out what a server's texts make an agent do.
//
// In: what a server says, a model or the obedient agent, decoy tools.
//
// Out: actions that a text caused, with that text; payloads that a model
// proposes; a second opinion.
//
// Never: call a model that the user did not name; let a model's word change a
// verdict.
package agents
