// Package explain decides whether an access is innocent: who named the path, the
// host, the program or the variable.
//
// In: an event and the history up to it. Out: who explains the access, with the
// reason in words; and the list of all accesses of a run.
package explain
