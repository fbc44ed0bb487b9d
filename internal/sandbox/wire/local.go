//go:build linux

package wire

import "sync/atomic"

// localHeader is the part of the ring's header about services at localhost. The
// orchestrator writes it.
type localHeader struct {
	// secret begins the addresses to which the kernel carries connections.
	secret atomic.Uint64
	// ports are those that are served, 0 for none.
	ports [MaxLocal]atomic.Uint32
}

// Carrier returns what makes the addresses, invalid if nothing is carried.
func (w *Writer) Carrier() Carrier { return Carrier{w.ring.h.local.secret.Load()} }

// ServesLocal reports whether the network serves a port of the machine itself.
func (w *Writer) ServesLocal(port uint16) bool {
	for i := range w.ring.h.local.ports {
		if port != 0 && w.ring.h.local.ports[i].Load() == uint32(port) {
			return true
		}
	}
	return false
}

// Carry sets what makes the addresses.
func (r *Reader) Carry(c Carrier) { r.ring.h.local.secret.Store(c.secret) }

// ServeLocal sets the ports that the network serves, [MaxLocal] at most.
func (r *Reader) ServeLocal(ports []uint16) {
	for i := range r.ring.h.local.ports {
		port := uint16(0)
		if i < len(ports) {
			port = ports[i]
		}
		r.ring.h.local.ports[i].Store(uint32(port))
	}
}
