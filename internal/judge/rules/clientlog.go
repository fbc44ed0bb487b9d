package rules

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// clientLog is what clients of the network do before they connect: some read
// secrets that are meant for that.
type clientLog struct {
	// connects are the connections of a process to anything but a local socket.
	connects map[inBox][]connection
	// npm are the processes that looked where npm has its settings.
	npm map[inBox]bool
}

type inBox struct{ box, pid int }

type connection struct {
	call string
	t    float64
}

func newClientLog() *clientLog {
	return &clientLog{connects: map[inBox][]connection{}, npm: map[inBox]bool{}}
}

// see takes in an event of a sandbox.
func (c *clientLog) see(box int, e *mcpsf.Event) {
	at := inBox{box, e.PID}
	if e.Env != nil && strings.EqualFold(e.Env.Name, "npm_config_userconfig") {
		c.npm[at] = true
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

// connected reports whether a process connects, or speaks, in the same call as
// an event, or soon after it: a thread of the library may be caught by the next
// call on its way.
func (c *clientLog) connected(box int, f *fields) bool {
	return slices.ContainsFunc(c.connects[inBox{box, f.pid}], func(one connection) bool {
		return one.call == f.Call || one.t > f.t && one.t < f.t+soon
	})
}
