package declared

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// By is the source that named a host.
type By int

// The sources that can name a host, least trusted first.
const (
	ByNobody By = iota
	ByServer
	ByDocument
	ByName
	// ByVariable: the domain is called like a variable that the user set, which is
	// how credentials of a service are called.
	ByVariable
	ByConfiguration
	ByArgument
)

// HostReason says who explains a host, and why.
type HostReason struct {
	By     By
	Reason string
}

// HostClaim is the source of a host's name.
type HostClaim struct {
	By     By
	Source string
}

// HostClaims are the named hosts, each by its own name and by its registrable
// domain.
type HostClaims map[string]HostClaim

// Add adds the hosts in a text.
func (c HostClaims) Add(text string, claim HostClaim) { c.Take(hostname.Find(text), claim) }

// Take adds hosts.
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

// Find looks a host up by its own name and by its domain.
func (c HostClaims) Find(host string) (HostClaim, bool) {
	if claim, ok := c[host]; ok {
		return claim, true
	}
	claim, ok := c[hostname.Registrable(host)]
	return claim, ok
}
