package history

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Clients is what clients of the network do before they connect: some read
// secrets that are meant for that.
type Clients struct {
	// connects are the connections of a process to anything but a local socket.
	connects map[InBox][]connection
	// NPM are the processes that looked where npm has its settings.
	NPM map[InBox]bool
}

// InBox is a process of one of the sandboxes.
type InBox struct{ Box, PID int }

type connection struct {
	call string
	t    float64
}

func newClients() *Clients {
	return &Clients{connects: map[InBox][]connection{}, NPM: map[InBox]bool{}}
}

// see takes in an event of a sandbox.
func (c *Clients) see(box int, e *mcpsf.Event) {
	at := InBox{box, e.PID}
	if e.Env != nil && strings.EqualFold(e.Env.Name, "npm_config_userconfig") {
		c.NPM[at] = true
	}
	if connects(e) || e.Kind == mcpsf.KindNetHTTP && e.Net != nil && e.Net.Family != "unix" {
		c.connects[at] = append(c.connects[at], connection{e.Call, e.T})
	}
}

// connects tells whether a process connects to anything but a local socket.
func connects(e *mcpsf.Event) bool {
	return e.Kind == mcpsf.KindNetConnect && e.Net != nil && e.Net.Family != "unix"
}

// soon is how many seconds pass at most between what a client reads and the
// connection it reads it for: on a busy machine looking up a name takes some.
const soon = 10

// Connected reports whether a process connects, or speaks, in the same call as
// an event, or soon after it: a thread of the library may be caught by the next
// call on its way.
func (c *Clients) Connected(box int, f *event.Fields) bool {
	return slices.ContainsFunc(c.connects[InBox{box, f.PID}], func(one connection) bool {
		return one.call == f.Call || one.t > f.T && one.t < f.T+soon
	})
}
