package transport

import (
	"sync"

	"github.com/mcpsf/mcpsf"
)

// Departures report to the tap what is sent to the server, in the order of the
// bytes. They report nothing after the close.
type Departures struct {
	tap *Meter

	mu   sync.Mutex
	shut bool
	sent int64 // offset after the last reported byte
}

// next reports a message that follows the bytes before it. It returns false
// after the close.
func (d *Departures) next(m *Outbound, size int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return false
	}
	d.sent += size
	d.tell(m.Message, d.sent, size)
	return true
}

// at reports a message with a known offset. It returns false after the close.
func (d *Departures) at(m *Outbound, offset, size int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return false
	}
	d.sent = max(d.sent, offset)
	d.tell(m.Message, offset, size)
	return true
}

// Other reports a request outside the protocol.
func (d *Departures) Other(msg mcpsf.Message, offset, size int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent = max(d.sent, offset)
	d.tell(msg, offset, size)
}

func (d *Departures) tell(msg mcpsf.Message, offset, size int64) {
	msg.Stream, msg.Offset, msg.Size = mcpsf.Stdin, offset, size
	d.tap.Observe(msg)
}

// close ends the reports. It returns whether this was the first call.
func (d *Departures) close() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return false
	}
	d.shut = true
	d.tap.Observe(mcpsf.Message{
		Stream: mcpsf.Stdin, Offset: d.sent, Kind: mcpsf.MessageClose, Phase: mcpsf.PhaseStop,
	})
	return true
}
