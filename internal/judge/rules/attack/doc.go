// Package attack finds out what became of the attacks of a run.
//
// In: all events of a run. Out: whether an event proves that the attack of its
// call succeeded, and how the tool withstood others like it.
package attack
