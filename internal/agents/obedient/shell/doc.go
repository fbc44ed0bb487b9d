// Package shell finds shell commands in texts, and tells which of them do harm.
package shell
