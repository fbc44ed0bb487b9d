//go:build unix

package staging

import "syscall"

// OpenFlags keep an open from blocking: a FIFO in place of the file would wait
// for a writer.
const OpenFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
