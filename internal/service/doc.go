// Package service is the room that runs assessments for others: an API, a page,
// a queue of jobs, workers on many machines.
//
// In: requests of those who have a key; jobs.
//
// Out: reports, files and live events over HTTP.
//
// Never: run a server in the process that answers users; show one project what
// belongs to another; store a value of a variable unsealed.
package service
