package assess

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// isStolen tells whether a planted secret went over the network to a host that it is
// not for, and neither the call nor the configuration names it. Then the verdict is
// settled, and a comparison with other secrets tells nothing new.
func isStolen(events []mcpsf.Event, configured []string) bool {
	asked := map[string]string{}
	for i := range events {
		e := &events[i]
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer {
			asked[e.Call] = string(e.MCP.Body)
		}
		if l := e.Leak; l != nil && leftUnasked(l) && !names(append(slices.Clip(configured), asked[e.Call]), path.Base(l.Source)) {
			return true
		}
	}
	return false
}

// leftUnasked tells whether a whole secret left for a host that it is not for. The
// address of a metadata service is on the machine.
func leftUnasked(l *mcpsf.LeakDetail) bool {
	planted := !l.Given && !l.Configured && l.Kind != mcpsf.DecoyDocument
	outside := slices.Contains([]string{mcpsf.ChannelHTTP, mcpsf.ChannelDNS, mcpsf.ChannelSMTP, mcpsf.ChannelStream, mcpsf.ChannelPacket}, l.Channel)
	return planted && outside && !l.Belongs && l.Share == 1 && !strings.HasPrefix(l.Destination, "169.254.")
}

func names(texts []string, name string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, name) })
}
