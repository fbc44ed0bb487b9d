// Package localservice decides which ports of the machine itself the fake network serves.
//
// What the kernel recorded of a server's connections to localhost comes in; which ports
// are served from now on, in this sandbox and in all later ones of the run, goes out. It
// learns in the first session alone, and never trusts what the server says.
package localservice

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxAgain is how often the server is started again because of a service that it wanted
// when it started.
// no gap: it is then assessed as it was, and coverage says why a tool failed
const maxAgain = 2

// Services are the ports that are served in all sandboxes of a run. The zero value serves
// none, and learns.
type Services struct {
	mu     sync.Mutex
	ports  []uint16
	barred []uint16 // whose clients are not understood
	frozen bool
	again  int
}

// Ports returns the ports that are served, in the order in which they were learned.
func (s *Services) Ports() []uint16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ports)
}

// Freeze ends learning.
func (s *Services) Freeze() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = true
}

// learn adds ports, and reports whether there was room for one.
func (s *Services) learn(ports []uint16) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.ports)
	for _, port := range ports {
		if !s.frozen && len(s.ports) < wire.MaxLocal && !slices.Contains(s.ports, port) && !slices.Contains(s.barred, port) {
			s.ports = append(s.ports, port)
		}
	}
	return len(s.ports) > before
}

// drop gives up ports for good, and reports whether any of them was served.
func (s *Services) drop(ports []uint16) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.ports)
	if !s.frozen {
		s.barred = ports
		s.ports = slices.DeleteFunc(s.ports, func(port uint16) bool { return slices.Contains(ports, port) })
	}
	return len(s.ports) < before
}

// Sandbox is the sandbox of a start.
type Sandbox interface {
	ServeLocal(ports []uint16)
	Settled() bool
}

// Monitor is what was recorded of a start.
type Monitor interface {
	RefusedLocally() []uint16
	Listening() []netip.AddrPort
}

// Start is one start of the server from which is learned.
type Start struct {
	services *Services
	sandbox  Sandbox
	monitor  Monitor
	// silent returns the ports whose clients the network does not understand: they wait
	// for an answer, and are better off without one.
	silent func() []uint16

	called bool // a tool
	// started is how many connections were refused before the first call, from how many
	// before the last one.
	started, from int
}

// Of returns what is learned from a start. silent returns the ports whose clients the
// network does not understand.
func (s *Services) Of(sandbox Sandbox, monitor Monitor, silent func() []uint16) *Start {
	return &Start{services: s, sandbox: sandbox, monitor: monitor, silent: silent}
}

// Calling says that a tool is called next.
func (t *Start) Calling() {
	t.settle()
	t.drop()
	t.from = len(t.monitor.RefusedLocally())
	if !t.called {
		t.called, t.started = true, t.from
	}
}

// Unreached says that the call failed. It reports whether a port that was refused
// meanwhile, or before all calls, is served from now on, or that one is not any more of
// which the server got nothing.
func (t *Start) Unreached() bool {
	t.settle()
	if t.drop() {
		return true
	}
	refused := t.monitor.RefusedLocally()
	if !t.services.learn(t.servable(refused[t.from:])) && !t.services.learn(t.servable(refused[:t.started])) {
		return false
	}
	t.sandbox.ServeLocal(t.services.Ports())
	return true
}

// Again reports whether the server is to be started again: a port that was refused before
// the first call is served from now on. What it does then is what it does in all later
// starts. failed says that it did not start, or that little of it worked: only then are
// ports learned here.
func (t *Start) Again(failed bool) bool {
	if t == nil {
		return false
	}
	t.drop()
	refused := t.monitor.RefusedLocally()
	if t.called {
		refused = refused[:t.started]
	}
	wanted := t.servable(refused)
	if failed {
		t.services.learn(wanted)
	}
	t.services.mu.Lock()
	defer t.services.mu.Unlock()
	served := func(port uint16) bool { return slices.Contains(t.services.ports, port) }
	if t.services.again >= maxAgain || !slices.ContainsFunc(wanted, served) {
		return false
	}
	t.services.again++
	return true
}

// drop gives up the ports whose clients wait in vain.
func (t *Start) drop() bool {
	dropped := t.services.drop(t.silent())
	if dropped {
		t.sandbox.ServeLocal(t.services.Ports())
	}
	return dropped
}

// settle waits until the monitor has all that the kernel recorded.
func (t *Start) settle() {
	const patience, tick = time.Second, time.Millisecond
	for end := time.Now().Add(patience); !t.sandbox.Settled() && time.Now().Before(end); {
		time.Sleep(tick)
	}
}

// maxAtOnce is how many ports may be refused at once. Who tries more is looking for what
// is there, and gets nothing.
// no gap: on a user's machine these are refused, too
const maxAtOnce = wire.MaxLocal

// servable returns those of the refused ports that may be served, each once.
func (t *Start) servable(refused []uint16) []uint16 {
	var list []uint16
	for _, port := range refused {
		if !slices.Contains(list, port) {
			list = append(list, port)
		}
	}
	if len(list) > maxAtOnce {
		return nil
	}
	listening := t.monitor.Listening()
	return slices.DeleteFunc(list, func(port uint16) bool {
		own := func(at netip.AddrPort) bool { return at.Port() == port }
		return never(port) || slices.ContainsFunc(listening, own)
	})
}

// never tells which ports are not served, whoever wants them: those of resolvers, of
// debuggers and browsers that are controlled by them, of proxies, which lead elsewhere,
// and those that are given out by chance.
func never(port uint16) bool {
	const chance = 32768
	switch port {
	case 0, 53, 853, 1080, 3128, 9050, 9150:
		return true
	}
	return port >= 9222 && port <= 9229 || port >= chance
}
