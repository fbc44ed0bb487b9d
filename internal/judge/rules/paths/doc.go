// Package paths knows the file system of the sandbox: what belongs to the server,
// what to its user and to everybody, and what runs by itself later.
//
// In: a path, or a text with paths in it. Out: whose it is.
package paths
