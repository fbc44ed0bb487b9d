// Package paths classifies paths in the sandbox: what belongs to the server, to
// the user, or to all programs, and what runs by itself later.
//
// In: a path, or a text with paths in it. Out: its owner.
package paths
