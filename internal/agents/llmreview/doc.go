// Package llmreview asks a model for a second opinion on a finished run.
//
// In: a [mcpsf.Report] with its findings, the events behind it, and a
// [llm.Model]. Out: the same report with what the model says of findings
// (Finding.Opinion), what it suspects beyond them (SecondOpinion), and what of
// all that was lost (Coverage.Gaps). Nothing else of the report changes: not a
// severity, a grade, a score or the verdict.
//
// Neither side is trusted. What the target wrote reaches the model only as
// quoted data, between delimiters that the target cannot know and with nothing
// in it that could be taken for one (escape.go). Among the quoted texts are
// probes: texts of ours that give orders (probe.go). A model that obeys one is
// open to prompt injection by the target, and what it said to that ask is thrown
// away. What is left is cut to plain words (plain.go), and a suspicion counts as one
// only if the words that it quotes are where it says they are (suspicion.go).
//
// The same report, events and replies give the same result.
package llmreview
