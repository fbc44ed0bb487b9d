// Package assess does one assessment from beginning to end. It is the only
// package that imports all other rooms: it passes data between them as values of
// the root package.
//
// In: a [mcpsf.Target] and [Options].
//
// Out: a [mcpsf.Report] and its events.
//
// Never: print, exit, read the environment; decide anything that cannot be
// decided again from a stored run.
package assess
