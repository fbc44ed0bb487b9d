package history

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Clients records which processes connect: some network clients read a secret
// before they do.
type Clients struct {
	// connects are the connections of a process to anything but a local socket.
	connects map[InBox]*connections
	// forks are the child processes that a process started.
	forks map[InBox]*connections
	// NPM are the processes that read the variable npm_config_userconfig.
	NPM map[InBox]bool
	// netrc are the first reads of ~/.netrc by each process in each call.
	netrc map[inCall]float64
	// habit caches whether such a read came before a connection, nil until computed.
	habit *bool
}

// InBox identifies a process in one of the sandboxes.
type InBox struct{ Box, PID int }

// inCall is what a process does for a call.
type inCall struct {
	InBox
	call string
}

// connections are those of one process, or its children: the calls it made them
// in, and when.
// mixed is set while the times are out of order.
type connections struct {
	calls map[string]bool
	times []float64
	mixed bool
}

func (l *connections) add(e *mcpsf.Event) {
	n := len(l.times)
	l.mixed = l.mixed || n > 0 && e.T < l.times[n-1] // the network reports some late
	l.times = append(l.times, e.T)
	l.calls[e.Call] = true
}

// within reports whether there is one after t and before t+[soon].
func (l *connections) within(t float64) bool {
	if l.mixed {
		slices.Sort(l.times)
		l.mixed = false
	}
	i, _ := slices.BinarySearch(l.times, math.Nextafter(t, math.Inf(1)))
	return i < len(l.times) && l.times[i] < t+soon
}

func newClients() *Clients {
	return &Clients{connects: map[InBox]*connections{}, forks: map[InBox]*connections{}, NPM: map[InBox]bool{}, netrc: map[inCall]float64{}}
}

// see adds an event of a sandbox.
func (c *Clients) see(box int, e *mcpsf.Event) {
	at := InBox{box, e.PID}
	switch {
	case e.Env != nil && strings.EqualFold(e.Env.Name, "npm_config_userconfig"):
		c.NPM[at] = true
	case e.Kind == mcpsf.KindCanaryRead && e.Canary != nil && path.Base(e.Canary.Source) == ".netrc":
		if _, known := c.netrc[inCall{at, e.Call}]; !known {
			c.netrc[inCall{at, e.Call}] = e.T
		}
	case connects(e) || e.Kind == mcpsf.KindNetHTTP && e.Net != nil && e.Net.Family != "unix":
		add(c.connects, at, e)
	case e.Kind == mcpsf.KindProcessFork && e.Process != nil && !e.Process.Thread:
		add(c.forks, at, e)
	}
}

func add(to map[InBox]*connections, at InBox, e *mcpsf.Event) {
	if to[at] == nil {
		to[at] = &connections{calls: map[string]bool{}}
	}
	to[at].add(e)
}

// PassedOn reports whether the process of an event starts a child soon after: a
// copy of all variables is how a child gets one more.
func (c *Clients) PassedOn(box int, f *event.Fields) bool {
	made := c.forks[InBox{box, f.PID}]
	return made != nil && (made.calls[f.Call] || f.Call == "") && made.within(f.T)
}

// connects tells whether a process connects to anything but a local socket.
func connects(e *mcpsf.Event) bool {
	return e.Kind == mcpsf.KindNetConnect && e.Net != nil && e.Net.Family != "unix"
}

// soon is the maximum number of seconds between a client's read of a secret and
// its connection. Resolving a name takes some time on a busy machine.
const soon = 10

// ReadsNetrc reports whether a read of ~/.netrc is that of a network client: the
// process connects in the same call or soon after, or did so for another call.
// Clients read the file before they refuse an address that is none.
func (c *Clients) ReadsNetrc(box int, f *event.Fields) bool {
	if c.connected(inCall{InBox{box, f.PID}, f.Call}, f.T) {
		return true
	}
	if c.habit == nil {
		habit := false
		for where, t := range c.netrc {
			habit = habit || where.call != "" && c.connected(where, t)
		}
		c.habit = &habit
	}
	return *c.habit && event.InCall(f)
}

// connected reports whether a process connects in a call, or soon after time t.
// A thread of the library may get the label of the next call meanwhile.
func (c *Clients) connected(where inCall, t float64) bool {
	made := c.connects[where.InBox]
	return made != nil && (made.calls[where.call] || made.within(t))
}
