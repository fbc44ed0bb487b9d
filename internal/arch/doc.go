// Package arch holds no code, only the test that keeps the architecture: which
// room may import which, and the conventions a compiler does not check.
//
// In: the repository's source files.
//
// Out: what is wrong with them.
//
// Never: run a command, or pass a folder that stands in no room.
package arch
