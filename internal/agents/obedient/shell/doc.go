// Package shell finds shell commands in texts, and decides which do harm.
package shell
