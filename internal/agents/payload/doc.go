// Package payload has a language model propose inputs that attack the tools of a
// server.
//
// In come a model, the tools, what their source was found to do, and the world
// of a run with the programs, files and names that only an attack reaches. Out
// come calls, each with the sign that proves it, what the model took, and what
// was lost on the way. The calls are made and judged like those of
// [attack.Class]: the model says what to send, never what it means.
//
// What the model answers is not trusted. It is bounded, it has to fit the schema of
// the tool, it has to hold a marker of ours by which its success is recognised,
// and it has to be new. A model that refuses, rambles or lies costs the ask and
// nothing more. The same answers give the same calls.
package payload
