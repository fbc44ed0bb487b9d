// Package code reads the source of an untrusted package and tells what stands
// in it.
//
// In comes the package as a file system, out go facts about its code, the
// places where it uses powers, the tools it defines, the words it compares its
// input with and the machines it names. Nothing of it is run. Files are parsed
// in short-lived children of this program (package child), which hostile input
// may kill; names are resolved there (package meaning), and the analyses
// (package analysis) see only the flat form (package ir) of what was read. What
// could not be read is told in Result.Gaps.
package code
