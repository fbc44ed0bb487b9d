// Package sentry is what runs inside gVisor's kernel: the observer. System
// calls of the target come in, [wire.Record]s go out on the ring in shared
// memory, and a few calls that only an escape needs are refused.
//
// The observer replaces entries of gVisor's system call table. A path is
// copied from the target's memory once and that copy is both acted on and
// recorded, and an opened file is recorded before its descriptor exists, so
// another thread cannot make the record differ from the act. The files behind
// the server's standard streams count what passes through them themselves.
//
// Of what the target wrote, fixed fields are looked at and nothing is parsed. A
// record that cannot be delivered blocks the task instead of being dropped.
package sentry
