// Package order finds the orders in everything that an agent reads.
//
// In: a request as a model gets it. Out: a [Reading]: the calls that the user
// wants ([Task]), and the orders in descriptions, schemas, results, prompts and
// the user's own texts ([Ledger]), each with its place and what is needed to
// obey it.
//
// How a sentence is processed: gather lists the texts, utterancesOf splits them
// into sentences, [Resolver] finds the tools that are named, finder the private
// data ([Asset]) and where it is to go (sink), conditions when the order holds.
// Then the rules are applied in turn: each kind of order (ask, remember, write,
// pay, alter, run, transfer, link, erase, read, say, prefer) has a type of its
// own with the data that its rule needs.
//
// The package is pure, and bounded in all that it reads and finds. The package
// above carries the orders out.
package order
