// Package rulefile reads rule files.
//
// In: the YAML of one rule. Out: a [Compiled] rule, or all errors in the file,
// each with its line.
package rulefile
