// Package gap is the one table of what a run may not see.
//
// In: the code of a gap, the bound that was reached and how much lies beyond it.
//
// Out: the gap for the coverage of a report, with its sentence and whether a
// server could hide a theft there.
//
// Never: decide what a gap means for the verdict.
package gap
