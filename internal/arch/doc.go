// Package arch holds no code, only the test that keeps the architecture: which
// folder may import which, and the conventions a compiler does not check. It
// reads the repository's source files and says what is wrong with them.
//
// A folder without a row in the table fails, so that a new one is a decision.
package arch
