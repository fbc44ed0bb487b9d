package leak

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/canary"
	"github.com/mcpsf/mcpsf/internal/observe/opaque"
)

// Flow is one direction of a connection. Its methods are called one after
// another.
type Flow struct {
	f                    *Finder
	channel, destination string
	// streams are the parts of the flow that continue from one write to the next.
	streams map[string]*canary.Stream
	// told are the secrets that were found in each part.
	told map[[2]string]bool
	// domain is who owns the destination, and message what was sent since the last
	// call of Opaque.
	domain  string
	message *opaque.Message
}

// Flow begins a flow to a destination in a domain. It must be closed.
func (f *Finder) Flow(channel, destination, domain string) *Flow {
	return &Flow{
		f: f, channel: channel, destination: destination, streams: map[string]*canary.Stream{}, told: map[[2]string]bool{},
		domain: domain, message: f.meter.Message(domain),
	}
}

// maxStreams bounds the parts of a flow that are searched as streams.
// no gap: the search of everything sent goes on; this bounds what is told or remembered of it
const maxStreams = 8

// Write searches the next bytes of one part of the flow: the body of a request,
// the frames of a WebSocket, the bytes of an unknown protocol. A complete
// message, such as a header or an address, is searched by itself and as a piece.
func (fl *Flow) Write(part string, p []byte) []mcpsf.LeakDetail {
	fl.message.Write(part, p)
	return fl.once(fl.write(part, p))
}

// Opaque ends a message and measures what of it nobody can read; nil if nothing.
func (fl *Flow) Opaque() *mcpsf.OpaqueDetail {
	done := fl.message
	fl.message = fl.f.meter.Message(fl.domain)
	return done.End()
}

// once drops what was already reported for this flow.
func (fl *Flow) once(found []mcpsf.LeakDetail) []mcpsf.LeakDetail {
	return slices.DeleteFunc(found, func(d mcpsf.LeakDetail) bool {
		key := [2]string{d.ID, d.Part}
		before := fl.told[key]
		fl.told[key] = true
		return before && goesOn(d.Part)
	})
}

func (fl *Flow) write(part string, p []byte) []mcpsf.LeakDetail {
	if !goesOn(part) {
		return fl.f.Piece(fl.channel, fl.destination, part, p, 0)
	}
	st := fl.streams[part]
	if st == nil {
		if len(fl.streams) >= maxStreams {
			return fl.f.Message(fl.channel, fl.destination, part, p)
		}
		st = fl.f.set.Stream(nil)
		fl.streams[part] = st
	}
	var hits []canary.Hit
	fl.f.look(func() {
		if hits = st.WriteShort(p); len(hits) == 0 {
			hits = fl.f.gather(fl.channel+" "+fl.destination, p, 0)
		}
	})
	found := fl.f.details(fl.channel, fl.destination, part, hits)
	return append(found, fl.f.handedOn(fl.channel, fl.destination, part, p)...)
}

// goesOn distinguishes parts that arrive in portions from those that arrive
// whole.
func goesOn(part string) bool {
	switch part {
	case "", "body", "frame", "mail", "query", "login":
		return true
	}
	return false
}

// Close returns the leaks that were recognised only at the end.
func (fl *Flow) Close() []mcpsf.LeakDetail {
	var found []mcpsf.LeakDetail
	for part, st := range fl.streams {
		var hits []canary.Hit
		fl.f.look(func() { hits = st.Close() })
		fl.f.noteCut(fl.channel, st.Cut())
		found = append(found, fl.f.details(fl.channel, fl.destination, part, hits)...)
	}
	fl.streams = nil
	return fl.once(found)
}
