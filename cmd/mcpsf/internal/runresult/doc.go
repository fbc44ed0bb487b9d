// Package runresult is what commands do with the report of a run: read it back,
// print it, apply waivers, and choose the exit code.
//
// In: a report, or its directory, and the flags that assess, scan and report
// share. Out: the report with waivers applied, and an exit code.
package runresult
