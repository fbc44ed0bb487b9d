// Package assess is one assessment from beginning to end. It is the only room that
// knows all others: what one needs of another passes through here as a value of the
// root package.
//
// In: a [mcpsf.Target] and [Options].
//
// Out: a [mcpsf.Report] and its events.
//
// Never: print, exit, read the environment; decide anything that a stored run could not
// be judged by again.
package assess
