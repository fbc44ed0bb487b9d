// Package sarif writes findings for code scanning, as SARIF 2.1.0.
//
// In: a report. Out: a log within GitHub's limits; a notification says what had
// to be left out.
package sarif
