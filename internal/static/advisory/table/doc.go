// Package table keeps values by key in one file that is written once and then
// only read.
//
// It takes keys and values in any order and writes a file; from a file it
// returns the values of a key. Opening reads the end of the file, looking up a
// key reads one block, whatever the size of the file. Every part has a
// checksum, which is verified before the part is used.
//
// The file, numbers little-endian:
//
//	magic     8 bytes, the last one is the format's version
//	blocks    entries in the order of their keys, compressed with S2; an entry
//	          is key and value, each after its length
//	index     for each block: its first key, and where it is; compressed
//	note      a few bytes of the caller
//	footer    where index and note are, their checksums, magic; 64 bytes
package table
