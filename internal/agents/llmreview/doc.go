// Package llmreview asks a model for a second opinion on a finished run.
//
// In: a [mcpsf.Report] with its findings, the events behind it, and a
// [llm.Model]. Out: the same report with the model's opinion of findings
// (Finding.Opinion), its further suspicions (SecondOpinion), and what could not
// be reviewed (Coverage.Gaps). Nothing else of the report changes: not a
// severity, a grade, a score or the verdict.
//
// Neither side is trusted. The target's text reaches the model only as quoted
// data, between delimiters that the target cannot know, with everything escaped
// that could be taken for one (escape.go). Among the quoted texts are probes:
// our own texts that give orders (probe.go). A model that obeys one is open to
// prompt injection by the target, and its answer to that ask is discarded. The
// rest is reduced to plain words (plain.go), and a suspicion counts only if the
// words that it quotes are where it says they are (suspicion.go).
//
// The same report, events and replies give the same result.
package llmreview
