// Package canary recognises planted secrets in bytes that leave the sandbox, in
// whatever encoding.
//
// It takes the marks of one run, compiled once into a [Set], and then bytes:
// the two directions of a flow, stderr, a tool's result. It returns hits: which
// mark, through which chain of encodings, how much of it and where.
//
// A set is an index of windows of eight bytes of every mark and of its texts in
// base64, base32 and hexadecimal. A window is looked up in a normal form that
// does not change with letter case, XOR with one byte, or reversal, so those
// need no extra search. Other encodings (escapes, compressed data, separators,
// base64 of something else) are decoded where they seem to occur, and the
// result is searched the same way, [maxDepth] deep.
//
// Only distinctive bytes count: each byte of a mark has a weight, which is low
// for ordinary text and zero for parts that all files of the kind share. A hit
// needs a certain sum.
//
// # Limits
//
// All input is hostile. The work is bounded: decoded bytes use up an allowance
// that grows with the input ([allowPerByte]). Data beyond the allowance is not
// searched, which [Stream.Cut] reports. The memory of a stream is bounded, too:
// see [Stream].
package canary
