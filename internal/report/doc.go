// Package report turns a finished run into what people and programs read: the
// terminal, a page for a browser, Markdown, SARIF, JUnit, OCSF, CycloneDX, SPDX,
// JSON, and the evidence bundle.
//
// In: a [mcpsf.Report] and the events behind it.
//
// Out: text. Most strings in a report were chosen by the target, so every format
// escapes all of them; see safetext.
//
// Never: decide anything about the target; write a string of the target unescaped.
package report
