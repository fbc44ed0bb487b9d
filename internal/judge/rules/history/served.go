package history

import (
	"net/netip"

	"github.com/mcpsf/mcpsf"
)

// Reachability tells who can connect to the server as it was started.
type Reachability struct {
	// listens is set if the server listens for other machines, open if a check
	// found that it requires no credentials.
	listens, open bool
}

func (s *Reachability) see(e *mcpsf.Event) {
	switch {
	case e.Kind == mcpsf.KindNetListen && e.Net != nil && e.Net.Error == "":
		at, err := netip.ParseAddr(e.Net.Address)
		s.listens = s.listens || err == nil && !at.Unmap().IsLoopback()
	case e.Remote != nil:
		s.open = s.open || e.Remote.Open
	}
}

// ToAll tells whether other machines can use the server without credentials.
func (s *Reachability) ToAll() bool { return s.listens && s.open }
