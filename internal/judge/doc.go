// Package judge draws the conclusions from a run.
//
// In: a [mcpsf.Report] that says what was run and how far that got, and the events.
//
// Out: the same report with findings, accesses and verdict. All it goes by is in
// those two, so a stored run is judged by today's rules as a fresh one is.
//
// Never: read a file of the run, look at the clock, or ask anybody: the same run always
// gets the same verdict.
package judge
