// Package atomicfile writes files that are there as a whole or not at all.
//
// In: a name and bytes, or a function that writes them.
//
// Out: the file. Whoever reads it meanwhile sees the old one or the new one.
//
// Never: leave half a file, or a temporary one, behind after an error.
package atomicfile
