// Package jobcmd has the hidden command job, which a worker of a service starts
// for each of its jobs.
//
// In: a task on standard input. Out: progress, events and the result on standard
// output, a line each; the files of the run in the directory that the task names.
package jobcmd
