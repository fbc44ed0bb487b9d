// Package event describes one event or fact as conditions see it.
//
// In: the details of a [mcpsf.Event]. Out: [Fields], flat and never nil. Package
// history fills in the fields that depend on other events.
package event
