// Package redact replaces secrets by fakes of the same shape.
//
// In come the files of a project, by [Mask], or single values of a
// configuration, by [Values]; out goes the same text, in which everything that
// is or might be a secret is replaced. The replacement depends only on names,
// on the shape of the secret and on the seed, so it reveals nothing about the
// secret and is the same every time.
package redact
