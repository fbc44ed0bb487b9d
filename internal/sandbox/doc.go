// Package sandbox runs the server: in gVisor inside our own binary, with an
// observer in its kernel and planted secrets in its home.
//
// In: files, decoys, a command, limits.
//
// Out: byte streams of the server and a record of every action, in the kernel's
// order.
//
// Never: let the target reach the host's files, network or processes; drop a
// record; know of MCP, rules or reports.
package sandbox
