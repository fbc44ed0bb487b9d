// Package programs recognises programs by name and command line: shells,
// interpreters, build tools, and what they are run for.
//
// In: a program and its arguments. Out: whether it is, or does, something that
// rules ask about.
package programs
