// Package trace is the append-only log of a run's events: in go
// [mcpsf.Event] values in order, out comes JSON Lines, and the other way
// round. What is read back may have been stored by anybody: lines are bounded
// and the numbering is checked.
package trace

import "errors"

// MaxLine is the longest line, in bytes, that is written or read.
const MaxLine = 4 << 20

// ErrBroken is what reading a damaged trace returns: a line that is too long,
// not an event, cut off, or out of order.
var ErrBroken = errors.New("trace is damaged")
