// Package ocsf writes a run for security data lakes, as OCSF 1.5.0.
//
// In: a report and its events. Out: a line for the run and one for each finding.
package ocsf
