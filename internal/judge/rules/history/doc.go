// Package history is what has happened in a run so far, as far as it decides about
// later events, each part of it in a type of its own: calls, processes, files,
// what the network was told and answered.
//
// In: events, in their order; what is judged by what comes later is collected in
// a walk before. Out: a [Run] that describes an event and answers about the past.
package history
