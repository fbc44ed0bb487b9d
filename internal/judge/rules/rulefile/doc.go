// Package rulefile reads rule files.
//
// In: the YAML of one rule. Out: a [Compiled] rule, or everything that is wrong
// with the file, each problem with its line.
package rulefile
