package leak

import "github.com/mcpsf/mcpsf"

// Opaque measures what of a complete message nobody can read; nil if nothing. The
// domain is that of its destination, "" for the client.
func (f *Finder) Opaque(domain, part string, p []byte) *mcpsf.OpaqueDetail {
	m := f.meter.Message(domain)
	m.Write(part, p)
	return m.End()
}

// Heard records what a host answered: the server may send it on.
func (f *Finder) Heard(p []byte) { f.meter.Know(p) }
