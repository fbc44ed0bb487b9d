// Package redact replaces secrets by fakes of the same shape.
//
// In come the files of a project, by [Mask], or single values of a
// configuration, by [Values]; out goes the same text with everything in it
// that is secret, or might be, made anew. What takes the place of a secret
// depends on names, on shapes and on the seed alone, so it tells nothing about
// the secret and is the same every time.
package redact
