// Package report turns a finished run into what people and programs read: the
// terminal, a page for a browser, Markdown, SARIF, JUnit, OCSF, CycloneDX, SPDX, JSON,
// and the evidence bundle.
//
// In: a [mcpsf.Report] and the events behind it.
//
// Out: text. Most strings in a report were chosen by the target, so every format
// escapes all of them; see safetext.
//
// Each format is a package: terminal, html, markdown, sarif, junit, ocsf. They share
// digest, which selects and groups what is shown, phrase, which has the wording, and
// encode, which writes JSON. This package lists the formats, saves and loads.
//
// Never: decide anything about the target; write a string of the target unescaped.
package report
