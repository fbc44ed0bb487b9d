// Package servicecmd has the commands that run a service: serve with its keys,
// and worker.
//
// In: flags and environment. Out: a process that answers HTTP, runs jobs in
// child processes, or both, until it is stopped. It never runs a server under
// test itself: each job is a process of its own.
package servicecmd
