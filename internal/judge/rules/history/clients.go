package history

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Clients records which processes connect: some network clients read a secret
// before they do.
type Clients struct {
	// connects are the times at which a process connected to anything but a local socket.
	connects map[InBox][]connection
	// NPM are the processes that read the variable npm_config_userconfig.
	NPM map[InBox]bool
}

// InBox identifies a process in one of the sandboxes.
type InBox struct{ Box, PID int }

type connection struct {
	call string
	t    float64
}

func newClients() *Clients {
	return &Clients{connects: map[InBox][]connection{}, NPM: map[InBox]bool{}}
}

// see adds an event of a sandbox.
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

// soon is the maximum number of seconds between a client's read of a secret and
// its connection. Resolving a name takes some time on a busy machine.
const soon = 10

// Connected reports whether the process of an event connects in the same call,
// or soon after. A thread of the library may get the label of the next call
// meanwhile.
func (c *Clients) Connected(box int, f *event.Fields) bool {
	return slices.ContainsFunc(c.connects[InBox{box, f.PID}], func(one connection) bool {
		return one.call == f.Call || one.t > f.T && one.t < f.T+soon
	})
}
