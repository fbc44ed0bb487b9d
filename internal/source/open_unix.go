//go:build unix

package source

import "syscall"

// openFlags keep an open from blocking: a FIFO that took the place of a file
// would wait for a writer.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
