// Package assesscmd has the commands that assess a server: assess runs it, scan
// only reads it. diff and the jobs of a service use it, too.
//
// In: a command line. Out: the report on stdout, the files of the run in a
// directory, and the exit code that --fail-on asks for.
//
// A command line is parsed into assessFlags, checked and opened into a setup,
// which all servers of the command line share. Each server is one assessment,
// on this machine (local.go) or by another executor (executor.go).
package assesscmd
