// Package sarif writes findings for code scanning, as SARIF 2.1.0.
//
// In: a report. Out: a log within the limits of GitHub; what had to be left out is
// told in a notification.
package sarif
