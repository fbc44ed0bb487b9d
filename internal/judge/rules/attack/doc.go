// Package attack finds out whether the attacks of a run succeeded.
//
// In: all events of a run. Out: whether an event proves that the attack of its
// call succeeded, and whether the tool resisted similar attacks.
package attack
