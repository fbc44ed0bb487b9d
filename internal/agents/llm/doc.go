// Package llm talks to language models.
//
// In: a conversation, with tools that the model may call. Out: its reply, with
// text, the calls that it wants, and what it took. Which model that is, is said
// by a name such as "anthropic/claude-sonnet-5-5" or "local" ([Parse], [New]);
// what it may cost is bounded by [WithBudget]; what was said is written down by
// [Record], and [Replay] answers from such a record without a model.
//
// Neither side is trusted. What a target says reaches a model as the caller put
// it, but names and schemas that a provider would refuse are made acceptable
// first. What a provider answers is bounded in size, time and depth, and never
// followed elsewhere. The environment is read through [Options] alone: the SDKs
// below are set up so that they read nothing by themselves. Nothing here runs
// before it is called.
package llm
