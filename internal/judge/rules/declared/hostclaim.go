package declared

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// By is who named a host.
type By int

// Who can name a host, the least trusted first.
const (
	ByNobody By = iota
	ByServer
	ByDocument
	ByName
	ByConfiguration
	ByArgument
)

// HostReason is the answer for a host.
type HostReason struct {
	By     By
	Reason string
}

// HostClaim is a host that somebody named.
type HostClaim struct {
	By     By
	Source string
}

// HostClaims are the hosts that were named, each under its own name and under
// the domain it belongs to.
type HostClaims map[string]HostClaim

// Add takes in the hosts in a text.
func (c HostClaims) Add(text string, claim HostClaim) { c.Take(hostname.Find(text), claim) }

// Take takes in hosts.
func (c HostClaims) Take(hosts []string, claim HostClaim) {
	for _, h := range hosts {
		if len(c) >= lex.MaxListed {
			return
		}
		for _, key := range []string{h, hostname.Registrable(h)} {
			if old, ok := c[key]; !ok || old.By < claim.By {
				c[key] = claim
			}
		}
	}
}

// Find looks a host up, by its own name and by its domain.
func (c HostClaims) Find(host string) (HostClaim, bool) {
	if claim, ok := c[host]; ok {
		return claim, true
	}
	claim, ok := c[hostname.Registrable(host)]
	return claim, ok
}
