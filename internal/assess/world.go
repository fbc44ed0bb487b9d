package assess

import (
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// world is what is around the server in its first session: it learns what the tools
// lack (ADR 27).
type world struct {
	expected *shape.Expectations
	// source returns what the server's code expects of answers. It waits until the
	// code is read.
	source func() []mcpsf.ExpectedAnswer
	read   sync.Once
}

// Calling implements [session.World].
func (w *world) Calling(string) {
	w.read.Do(func() {
		for _, a := range w.source() {
			w.expected.Expect(a)
		}
	})
	w.expected.Begin()
}

// Lacking implements [session.World].
func (w *world) Lacking(_ string, wishes []mcpsf.Wish, _ string) bool {
	return w.expected.Learn(wishes)
}
