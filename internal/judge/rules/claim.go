package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Bounds on what is taken from arguments and listings.
const (
	maxClaims = 256
	maxParams = 1 << 20
	maxValue  = 64 << 10
	maxDepth  = 64
	maxPath   = 4096
	maxListed = 10_000
)

// claims are the paths in the arguments of a call. A relative one counts
// from the work directory and from every directory of the configuration.
func (l *callLog) claims(c *call) []claim {
	if c.claims != nil {
		return *c.claims
	}
	scope, config := &l.declared.scope, l.declared.config.claims
	bases := []string{scope.WorkDir}
	for _, b := range config[:min(len(config), 16)] {
		bases = append(bases, b.path)
	}
	proposed := l.proposals(c)
	var out []claim
	for _, a := range c.each() {
		if len(out) >= maxClaims {
			break
		}
		byServer := proposed(a.value)
		for _, p := range pathsIn(a.value, scope.Home, bases) {
			out = append(out, claim{path: p, source: "the argument " + quote(a.name), by: mcpsf.ByArgument, byServer: byServer})
		}
	}
	out = out[:min(len(out), maxClaims)]
	c.claims = &out
	return out
}

// listed are the resource addresses the server offered.
type listed struct {
	uris map[string]bool
	// cut is set when a listing was too long to be kept whole: then any
	// address may have been in it.
	cut bool
}

func (l *listed) add(d *mcpsf.MCPDetail) {
	if l.uris == nil {
		l.uris = map[string]bool{}
	}
	l.cut = l.cut || d.Truncated || len(d.Body) > maxParams
	for s := range stringsIn(d.Body) {
		if len(l.uris) >= maxListed {
			l.cut = true
			return
		}
		l.uris[s] = true
	}
}

func (l *listed) has(uri string) bool { return l.cut || l.uris[uri] }

// proposals returns a test for values that the server put into our mouth.
func (l *callLog) proposals(c *call) func(string) bool {
	if c.tool == "" {
		return l.listed.has
	}
	return l.declared.tools.proposes(c.tool)
}

// hosts are those in the arguments of a call.
func (l *callLog) hosts(c *call) hostClaims {
	if c.hosts != nil {
		return c.hosts
	}
	c.hosts = hostClaims{}
	proposed := l.proposals(c)
	for _, a := range c.each() {
		if len(c.hosts) >= maxClaims {
			break
		}
		found := hostsIn(a.value)
		if len(found) == 0 {
			continue
		}
		claim := hostClaim{byArgument, "the argument " + quote(a.name)}
		if proposed(a.value) {
			claim.by = byServer
		}
		c.hosts.take(found, claim)
	}
	return c.hosts
}

// allClaims are those of the configuration and of the call.
func (l *callLog) allClaims(id string) []claim {
	c, config := l.calls[id], l.declared.config.claims
	switch {
	case c == nil:
		return config
	case len(config) == 0:
		return l.claims(c)
	}
	return append(slices.Clip(config), l.claims(c)...)
}
