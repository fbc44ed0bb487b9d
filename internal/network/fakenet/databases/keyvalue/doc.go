// Package keyvalue is what a Redis server keeps: strings, hashes, lists, sets, sorted
// sets, streams and JSON documents, in memory.
//
// In: commands of a hostile client. Out: replies, without their form on the wire.
// Never: run a script, touch the clock or keep more than a few megabytes. A key that
// was given a time to live keeps it and does not end: the same run twice has the same
// answers.
package keyvalue
