package assess

import (
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/localservice"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// world is what is around the server: in its first session it learns what the tools lack
// (ADR 27).
type world struct {
	expected *shape.Expectations
	// source returns what the server's code expects of answers. It waits until the
	// code is read.
	source func() []mcpsf.ExpectedAnswer
	read   sync.Once
	// taught is how often the end of a start was taken as a complaint.
	taught int
	// local are the services at localhost.
	local localservice.Services
}

// learningWorld is the world around one start of the first session.
type learningWorld struct {
	*world

	start *localservice.Start
}

// maxTaughtStarts bounds how often a server is started again because an answer lacked what
// it reads while it starts.
// no gap: a server that does not start gets no PASS
const maxTaughtStarts = 3

// learnsFrom takes the last words of a server that did not start as a complaint about the
// answers that it got meanwhile. It reports whether the next answers differ.
func (w *world) learnsFrom(d *detonation) bool {
	if w.taught++; w.taught > maxTaughtStarts {
		return false
	}
	w.expectSource()
	return w.expected.Learn(refusal.Read(refusal.Logged(strings.Split(d.said, "\n"))))
}

// expectSource tells the answers what the server's code expects of them.
func (w *world) expectSource() {
	w.read.Do(func() {
		for _, a := range w.source() {
			w.expected.Expect(a)
		}
	})
}

// Calling implements [session.World].
func (w learningWorld) Calling(string) {
	w.expectSource()
	w.expected.Begin()
	if w.start != nil {
		w.start.Calling()
	}
}

// Lacking implements [session.World].
func (w learningWorld) Lacking(_ string, wishes []mcpsf.Wish, _ string) bool {
	return w.expected.Learn(wishes)
}

// Unreached implements [session.World].
func (w learningWorld) Unreached(string) bool { return w.start != nil && w.start.Unreached() }
