// Package explain decides what makes an access innocent: who named the path, the
// host, the program or the variable.
//
// In: an event and what is known at the time. Out: who explains it, and the reason
// in words; and the list of all accesses of a run.
package explain
