// Package plan decides what a server is put to and in which order: the budgets of each
// profile, the environments, who gets which attack calls, which calls are tried again, what
// is fuzzed and which proofs are shortened. It decides by what was seen so far and starts
// nothing itself.
package plan
