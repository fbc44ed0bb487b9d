// Package redact replaces secrets by fakes of the same shape.
//
// In: the files of a project ([Mask]) or single values of a configuration
// ([Values]). Out: the same text, in which everything that is or might be a
// secret is replaced. The replacement depends only on names, on the secret's
// shape and on the seed, so it reveals nothing about the secret and is the same
// every time.
package redact
