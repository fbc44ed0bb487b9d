// Package trace is the append-only log of a run's events. It writes
// [mcpsf.Event] values as JSON Lines and reads them back. A stored trace is not
// trusted: lines are bounded and the numbering is checked.
package trace

import "errors"

// MaxLine is the longest line, in bytes, that is written or read.
// no gap: bounds one line; longer ones are cut and say so
const MaxLine = 4 << 20

// ErrBroken is the error for a damaged trace: a line that is too long, not an
// event, cut off, or out of order.
var ErrBroken = errors.New("trace is damaged")
