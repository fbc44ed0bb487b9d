// Package objects is what object storage keeps: buckets, objects in them, and
// uploads in parts, in memory.
//
// In: names and bytes of a hostile client. Out: objects, pages of lists, and errors
// by the names that S3 gives them, without their form on the wire.
// Never: touch a file, whatever a name looks like; look at the clock or keep more than a
// few megabytes. The time of a change is the caller's, and ids are counted: the same
// run twice has the same answers.
package objects
