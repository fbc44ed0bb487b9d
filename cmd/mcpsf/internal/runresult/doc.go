// Package runresult is what commands do with the report of a run: read it back,
// print it, leave out what the user decided about, and choose the exit code.
//
// In: a report, or the directory that holds one, and the flags that assess, scan
// and report share. Out: the report as it counts, and an exit code.
package runresult
