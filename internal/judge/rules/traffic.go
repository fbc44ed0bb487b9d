package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Bounds on what is remembered of the network.
const (
	maxHosts   = 2000
	maxSpread  = 16
	maxTexts   = 16
	maxLookups = 64
)

// traffic is what the whole run said to the network, collected before the
// rules look at the first event: the copy of what is sent to an honest host
// may go out before the original.
type traffic struct {
	// names are those that addresses were handed out for: the addresses are
	// made up and others in the next run.
	names map[string]string
	// sunk are the sandboxes whose connections are told by the network itself:
	// there a connection of the kernel's says nothing that the flow does not.
	sunk map[int]bool
	// hosts are all that were spoken to.
	hosts map[string]bool
	// sent is where each thing that was recognised went.
	sent map[sentKey][]string
	// carried are the texts of the caller's that a request carried.
	carried map[int64][]string
	tunnels map[string]*tunnel
	beacons map[string]*beat
}

// sentKey is a thing that was recognised. Words of the caller's are told apart
// by call, because they may be the same in the next. What has a mark of its
// own is the same wherever it turns up, and a copy may be kept for later.
type sentKey struct {
	box   int
	call  string
	thing string
}

func newTraffic() *traffic {
	return &traffic{
		names: map[string]string{}, sunk: map[int]bool{}, hosts: map[string]bool{}, sent: map[sentKey][]string{},
		carried: map[int64][]string{}, tunnels: map[string]*tunnel{}, beacons: map[string]*beat{},
	}
}

// foresee takes in all events.
func (t *traffic) foresee(tools *toolTexts) func(*mcpsf.Event) {
	box := 0
	requests := map[string]*mcpsf.MCPDetail{}
	calls := map[string]*caller{} // those that a request was made for
	return func(e *mcpsf.Event) {
		switch e.Kind {
		case mcpsf.KindSandboxStart:
			box++
			clear(requests)
			clear(calls)
		case mcpsf.KindMCPRequest:
			if e.MCP != nil && !e.MCP.FromServer && e.Call != "" && requests[e.Call] == nil {
				requests[e.Call] = e.MCP
			}
		case mcpsf.KindNetDNS:
			t.lookup(e)
		case mcpsf.KindNetHTTP, mcpsf.KindNetTLS, mcpsf.KindNetSMTP, mcpsf.KindNetFlow, mcpsf.KindCanaryLeak:
			t.contact(e, box)
		}
		if d := requests[e.Call]; e.HTTP != nil && d != nil {
			if calls[e.Call] == nil {
				calls[e.Call] = newCaller(d, tools)
			}
			t.texts(e, box, calls[e.Call])
		}
	}
}

// contact takes in what was said to a host.
func (t *traffic) contact(e *mcpsf.Event, box int) {
	d := e.Net
	if d == nil || d.Family == "http" {
		return
	}
	t.sunk[box] = t.sunk[box] || e.Kind == mcpsf.KindNetFlow || e.HTTP != nil || e.TLS != nil
	host := canonical(d.Name)
	if host == "" {
		host = canonical(d.Address)
	} else if len(t.names) < maxListed {
		t.names[d.Address] = d.Name
	}
	if len(t.hosts) < maxHosts {
		t.hosts[host] = true
	}
	if e.Leak != nil && e.Leak.Channel != mcpsf.ChannelDNS {
		t.note(leakKey(box, e), host)
	}
	if e.Kind == mcpsf.KindNetFlow || e.Kind == mcpsf.KindNetHTTP {
		t.beat(host, e)
	}
}

// leakKey is what a leak is a leak of.
func leakKey(box int, e *mcpsf.Event) sentKey {
	if e.Leak.Given {
		return sentKey{box, "", "given " + e.Leak.ID}
	}
	return sentKey{thing: "configured " + e.Leak.ID}
}

func (t *traffic) note(key sentKey, host string) {
	list := t.sent[key]
	if len(list) >= maxSpread || len(t.sent) >= maxListed {
		return
	}
	if !slices.Contains(list, host) {
		t.sent[key] = append(list, host)
	}
}
