// Package sentry is the observer inside gVisor's kernel. It receives the
// target's system calls, writes [wire.Record]s to the ring in shared memory,
// and refuses a few calls that only an escape needs.
//
// The observer replaces entries of gVisor's system call table. A path is copied
// from the target's memory once, and that copy is both used and recorded. An
// opened file is recorded before its descriptor exists. So another thread
// cannot make the record differ from the action. The files behind the server's
// standard streams count their own bytes.
//
// Of the target's data, only fixed fields are read and nothing is parsed. A
// record that cannot be delivered blocks the task instead of being dropped.
package sentry
