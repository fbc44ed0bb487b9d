// Package event describes one event or fact as conditions see it.
//
// In: the details of a [mcpsf.Event]. Out: [Fields], flat and never nil. What
// takes more than the event itself to say is filled in by package history.
package event
