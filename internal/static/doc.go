// Package static examines the server without running it: what it is made of,
// what its source can do, what is published about it.
//
// In: the files of an artifact and of what was installed for it.
//
// Out: facts and an inspection for the report: packages, advisories,
// capabilities of the source, lookalike names, differences from the repository.
//
// Never: execute a file of the target; read without a bound on size, depth or
// time; decide: a fact is no finding.
package static
