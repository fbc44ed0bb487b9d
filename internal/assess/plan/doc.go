// Package plan decides what is done with a server and in which order: the
// budgets of each profile, the environments, which sandbox makes which attack
// calls, which calls are retried, what is fuzzed and which calls are shrunk. It
// decides by the results so far and starts nothing itself.
package plan
