package llmtest

import (
	"net/http"
	"time"
)

// Fault is a way in which a provider fails.
type Fault struct {
	kind    kind
	after   int // events that are sent before the fault
	status  int
	failure failure
	header  http.Header
	pause   time.Duration
}

type kind int

const (
	refuse kind = iota
	hang
	cut
	end
	garbage
	page
	endless
	drip
	redirect
	within
	flood
	nested
)

// failure is an error in the provider's format.
type failure struct{ kind, message, param, code string }

func fault(f Fault) Answer { return Answer{Fault: &f} }

// Status answers with an HTTP error. header has names and values.
func Status(code int, message string, header ...string) Answer {
	f := Fault{status: code, failure: failure{message: message}, header: make(http.Header)}
	for i := 0; i+1 < len(header); i += 2 {
		f.header.Set(header[i], header[i+1])
	}
	return fault(f)
}

// Unsupported rejects a parameter.
func Unsupported(param, message string) Answer {
	return fault(Fault{status: http.StatusBadRequest, failure: failure{message: message, param: param, code: "unsupported_parameter"}})
}

// Hang stops sending after some events of the answer; with -1 before its first
// byte.
func (a Answer) Hang(after int) Answer { return a.with(Fault{kind: hang, after: after}) }

// Cut drops the connection in the middle of the event after so many.
func (a Answer) Cut(after int) Answer { return a.with(Fault{kind: cut, after: after}) }

// End ends the stream properly, but too early.
func (a Answer) End(after int) Answer { return a.with(Fault{kind: end, after: after}) }

// Within sends an error event within the stream, in the API's format.
func (a Answer) Within(after int, kind, message string) Answer {
	return a.with(Fault{kind: within, after: after, failure: failure{kind: kind, message: message}})
}

// Drip sends one byte at a time.
func (a Answer) Drip(pause time.Duration) Answer { return a.with(Fault{kind: drip, pause: pause}) }

// Garbage sends invalid data between the events.
func (a Answer) Garbage(after int) Answer { return a.with(Fault{kind: garbage, after: after}) }

func (a Answer) with(f Fault) Answer {
	a.Fault = &f
	return a
}

// HTML answers with an HTML page, as proxies and portals do.
func HTML() Answer { return fault(Fault{kind: page}) }

// Endless sends events forever.
func Endless() Answer { return fault(Fault{kind: endless}) }

// Flood sends an event that never ends.
func Flood() Answer { return fault(Fault{kind: flood}) }

// Nested sends an event that nests deeper than a decoder can handle.
func Nested() Answer { return fault(Fault{kind: nested}) }

// Redirect redirects the client, and its key, to another address.
func Redirect(to string) Answer {
	return fault(Fault{kind: redirect, status: http.StatusTemporaryRedirect, header: http.Header{"Location": {to}}})
}
