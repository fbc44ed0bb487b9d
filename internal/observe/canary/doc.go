// Package canary recognises planted secrets in bytes that leave the sandbox,
// whatever they were encoded with.
//
// In come the marks of one run, compiled once into a [Set], and then bytes:
// the two directions of a flow, stderr, a tool's result. Out go hits: which
// mark, through which chain of encodings, how much of it and where.
//
// A set is an index of windows of eight bytes of every mark and of its texts
// in base64, base32 and hexadecimal. A window is looked up in a normal form
// that neither a case change, nor an exclusive or with one byte, nor reversal
// alters, so those cost nothing. What a window cannot see (escapes, compressed
// data, separators, base64 of something else) is decoded where it looks as if
// it were there, and the result is searched the same way, [maxDepth] deep.
//
// Only what is distinctive counts: a byte of a mark has a weight, which is low
// for ordinary text and nought for what every such file has, and a hit needs a
// certain sum.
//
// # Limits
//
// All input is hostile. The work is bounded: decoded bytes are paid for from
// an allowance that grows with the input ([allowPerByte]), and what cannot be
// paid for is not looked at, which [Stream.Cut] reports. The memory of a
// stream is bounded, too: see [Stream].
package canary
