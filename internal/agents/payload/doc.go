// Package payload lets a language model propose inputs that attack the tools of
// a server.
//
// In: a model, the tools, facts about their source, and the world of a run with
// the programs, files and names that only an attack reaches. Out: calls, each
// with the sign that proves its success, the model's usage, and what was lost
// on the way. The calls are made and judged like those of [attack.Class]: the
// model says what to send, never what it means.
//
// The model's answer is not trusted. It is bounded, it must fit the tool's
// schema, it must contain a marker of ours by which its success is recognised,
// and it must be new. A model that refuses, rambles or lies costs the ask and
// nothing more. The same answers give the same calls.
package payload
