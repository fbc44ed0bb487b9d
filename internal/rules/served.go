package rules

import (
	"net/netip"

	"github.com/mcpsf/mcpsf"
)

// servedToAll tells whether other machines can use the server, as it was
// started: it listens for them, and a check found that it asks nobody for
// credentials.
func servedToAll(events []mcpsf.Event) bool {
	listens, open := false, false
	for i := range events {
		e := &events[i]
		switch {
		case e.Kind == mcpsf.KindNetListen && e.Net != nil && e.Net.Error == "":
			at, err := netip.ParseAddr(e.Net.Address)
			listens = listens || err == nil && !at.Unmap().IsLoopback()
		case e.Remote != nil:
			open = open || e.Remote.Open
		}
	}
	return listens && open
}
