// Package payload has a language model propose inputs that attack the tools of a
// server.
//
// In come a model, the tools, what their source was found to do, and the world
// of a run with the programs, files and names that only an attack reaches. Out
// come calls, each with the sign that proves it, what the model took, and what
// was lost on the way. The calls are made and judged like those of
// [attack.Class]: the model says what to send, never what it means.
//
// What the model answers is junk until it is shown to be something else. It is
// bounded, it has to fit the schema of the tool, it has to hold something of
// ours that its success is told by, and it has to be new. Whoever refuses,
// rambles or lies costs the ask and nothing more. The same answers give the
// same calls.
package payload
