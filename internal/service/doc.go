// Package service is the room that runs assessments for others: an API, a page,
// a queue of jobs, workers on many machines.
//
// In: requests from clients that have an API key.
//
// Out: reports, files and live events over HTTP.
//
// Never: run an assessed server in the process that answers users; show one
// project what belongs to another; store the value of an environment variable
// unencrypted.
package service
