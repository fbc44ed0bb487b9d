// Package decoding finds texts that are hidden in others: in invisible
// characters, in base64, base32, hex, escapes, character codes, rot13, or
// written backwards.
//
// In: a text. Out: the texts that it decodes to, with the encoding. How much is
// decoded, and how often again, is bounded.
package decoding
