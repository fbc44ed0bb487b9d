package history

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Claims returns the paths in the arguments of a call. A relative path is
// resolved from the work directory and from every configured directory.
func (l *Calls) Claims(c *Call) []declared.Claim {
	if c.claims != nil {
		return *c.claims
	}
	scope, config := &l.declared.Scope, l.declared.Config.Claims
	bases := []string{scope.WorkDir}
	for _, b := range config[:min(len(config), 16)] {
		bases = append(bases, b.Path)
	}
	proposed := l.Proposals(c)
	var out []declared.Claim
	for _, a := range c.Each() {
		if len(out) >= lex.MaxClaims {
			break
		}
		byServer := proposed(a.Value)
		for _, p := range paths.Find(a.Value, scope.Home, bases) {
			out = append(out, declared.Claim{Path: p, Source: "the argument " + quote.Text(a.Name), By: mcpsf.ByArgument, ByServer: byServer})
		}
	}
	out = out[:min(len(out), lex.MaxClaims)]
	c.claims = &out
	return out
}

// listed are the resource addresses that the server listed.
type listed struct {
	uris map[string]bool
	// cut is set when a listing was too long to be kept whole. Then any address
	// may have been in it.
	cut bool
}

func (l *listed) add(d *mcpsf.MCPDetail) {
	if l.uris == nil {
		l.uris = map[string]bool{}
	}
	l.cut = l.cut || d.Truncated || len(d.Body) > lex.MaxParams
	for s := range lex.Strings(d.Body) {
		if len(l.uris) >= lex.MaxListed {
			l.cut = true
			return
		}
		l.uris[s] = true
	}
}

func (l *listed) has(uri string) bool { return l.cut || l.uris[uri] }

// Proposals returns a test for values that the server proposed itself.
func (l *Calls) Proposals(c *Call) func(string) bool {
	if c.tool == "" {
		return l.listed.has
	}
	return l.declared.Tools.Proposes(c.tool)
}

// Hosts returns the hosts in the arguments of a call.
func (l *Calls) Hosts(c *Call) declared.HostClaims {
	if c.hosts != nil {
		return c.hosts
	}
	c.hosts = declared.HostClaims{}
	proposed := l.Proposals(c)
	for _, a := range c.Each() {
		if len(c.hosts) >= lex.MaxClaims {
			break
		}
		found := hostname.Find(a.Value)
		if len(found) == 0 {
			continue
		}
		claim := declared.HostClaim{By: declared.ByArgument, Source: "the argument " + quote.Text(a.Name)}
		if proposed(a.Value) {
			claim.By = declared.ByServer
		}
		c.hosts.Take(found, claim)
	}
	return c.hosts
}

// AllClaims returns the paths of the configuration and of the call.
func (l *Calls) AllClaims(id string) []declared.Claim {
	c, config := l.ByID[id], l.declared.Config.Claims
	switch {
	case c == nil:
		return config
	case len(config) == 0:
		return l.Claims(c)
	}
	return append(slices.Clip(config), l.Claims(c)...)
}
