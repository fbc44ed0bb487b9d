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
	var out []declared.Claim
	for _, a := range c.Each() {
		if len(out) >= lex.MaxClaims {
			break
		}
		for _, p := range paths.Find(a.Value, scope.Home, bases) {
			out = append(out, declared.Claim{Path: p, Source: "the argument " + quote.Text(a.Name), By: mcpsf.ByArgument, ByServer: a.ByServer()})
		}
	}
	out = out[:min(len(out), lex.MaxClaims)]
	c.claims = &out
	return out
}

// Hosts returns the hosts in the arguments of a call.
func (l *Calls) Hosts(c *Call) declared.HostClaims {
	if c.hosts != nil {
		return c.hosts
	}
	c.hosts = declared.HostClaims{}
	for _, a := range c.Each() {
		if len(c.hosts) >= lex.MaxClaims {
			break
		}
		found := hostname.Find(a.Value)
		if len(found) == 0 {
			continue
		}
		claim := declared.HostClaim{By: declared.ByArgument, Source: "the argument " + quote.Text(a.Name)}
		if a.ByServer() {
			claim.By = declared.ByServer
		}
		c.hosts.Take(found, claim)
	}
	return c.hosts
}

// AllClaims returns the paths of the configuration and those given to the call.
func (l *Calls) AllClaims(id string) []declared.Claim {
	c, config := l.ByID[id], l.declared.Config.Claims
	switch {
	case c == nil:
		return config
	case len(config) == 0:
		return l.Given(c)
	}
	return append(slices.Clip(config), l.Given(c)...)
}
