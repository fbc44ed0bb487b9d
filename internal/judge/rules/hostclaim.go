package rules

// by is who named a host.
type by int

const (
	byNobody by = iota
	byServer
	byDocument
	byName
	byConfiguration
	byArgument
)

// hostReason is the answer for a host.
type hostReason struct {
	by     by
	reason string
}

// hostClaim is a host that somebody named.
type hostClaim struct {
	by     by
	source string
}

// hostClaims are the hosts that were named, each under its own name and under
// the domain it belongs to.
type hostClaims map[string]hostClaim

func (c hostClaims) add(text string, claim hostClaim) { c.take(hostsIn(text), claim) }

func (c hostClaims) take(hosts []string, claim hostClaim) {
	for _, h := range hosts {
		if len(c) >= maxListed {
			return
		}
		for _, key := range []string{h, registrable(h)} {
			if old, ok := c[key]; !ok || old.by < claim.by {
				c[key] = claim
			}
		}
	}
}

func (c hostClaims) find(host string) (hostClaim, bool) {
	if claim, ok := c[host]; ok {
		return claim, true
	}
	claim, ok := c[registrable(host)]
	return claim, ok
}
