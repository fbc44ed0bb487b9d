// Package llm talks to language models.
//
// In: a conversation, with tools that the model may call. Out: its reply, with
// text, the calls that it requests, and its usage. A name such as
// "anthropic/claude-sonnet-5-5" or "local" selects the model ([Parse], [New]);
// [WithBudget] bounds the cost; [Record] writes down all asks and replies, and
// [Replay] answers from such a record without a model.
//
// Neither side is trusted. A target's text reaches a model unchanged, but names
// and schemas that a provider would reject are made valid first. A provider's
// answer is bounded in size, time and depth, and redirects are not followed.
// The environment is read through [Options] alone: the SDKs are set up so that
// they read nothing by themselves. Nothing here runs before it is called.
package llm
