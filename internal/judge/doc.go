// Package judge draws the conclusions from a run.
//
// In: a [mcpsf.Report] that says what was run and how far the run got, and the events.
//
// Out: the same report with findings, accesses and verdict. Nothing else is used, so a
// stored run can be judged by today's rules like a fresh one.
//
// Never: read a file of the run, the clock or the network: the same run always gets
// the same verdict.
package judge
