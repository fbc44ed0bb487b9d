// Package order finds the orders in everything that an agent reads.
//
// In comes an ask as a model gets it. Out comes a [Reading]: the calls that the
// user wants ([Task]), and the orders that stand in descriptions, schemas,
// results, prompts and the user's own texts ([Ledger]), each with where it
// stands and what is needed to obey it.
//
// The way of a sentence: gather lists the texts, utterancesOf splits them into
// sentences, [Resolver] finds the tools that are named, finder the private data
// ([Asset]) and where it is to go (sink), conditions when the order holds.
// Then the rules look at it one after the other: each kind of order (ask,
// remember, write, pay, alter, run, transfer, link, erase, read, say, prefer)
// has a type of its own that holds what the rule needs and nothing else.
//
// It is pure, and bounded in all that it reads and finds. Nothing is obeyed
// here: that is done by the package above.
package order
