// Package inflate unpacks DEFLATE data (RFC 1951) that is in memory as a
// whole.
//
// In go packed bytes, which are hostile, and room for what must come out. Out
// comes that, or an error; never more than there is room for. The library's
// readers are made for streams: for each of the quarter of a million small
// files of an export they prepare a window, and hand out bytes one by one.
// With both ends in memory this takes less than half of the time. What it
// does is compared with the library's by a fuzz test.
package inflate
