// Package assesscmd has the commands that assess a server: assess runs it, scan
// only reads it. It is used by diff and by the jobs of a service, too.
//
// In: a command line. Out: the report on stdout, the files of the run in a
// directory, and the exit code that --fail-on asks for.
//
// A command line is parsed into assessFlags, checked and opened into a setup,
// which all servers of the command line share; each of them is one assessment,
// on this machine (local.go) or by another executor (executor.go).
package assesscmd
