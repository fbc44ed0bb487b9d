package history

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// What makes questions for names a way out: that many different ones below one
// domain, whose labels say nothing and add up to that many characters.
const (
	tunnelNames   = 4
	tunnelLetters = 100
	// A name that is connected to has a use of its own; so it takes more of them.
	tunnelConnected = 24
	maxTunnels      = 500
	maxTunnelNames  = 1000
)

// tunnel is what was asked for below one domain.
type tunnel struct {
	// names are those that say nothing, with the number of their letters.
	names map[string]int
}

// lookup takes in a question for a name.
func (t *Traffic) lookup(e *mcpsf.Event) {
	if e.Net == nil || e.Net.Type == "PTR" {
		return
	}
	name := hostname.Canonical(e.Net.Name)
	domain := hostname.Registrable(name)
	before := strings.TrimSuffix(strings.TrimSuffix(name, domain), ".")
	letters := 0
	for label := range strings.SplitSeq(before, ".") {
		if lex.Meaningless(label) {
			letters += len(label)
		}
	}
	if letters == 0 || strings.HasSuffix(name, ".arpa") {
		return
	}
	n := t.tunnels[domain]
	if n == nil {
		if len(t.tunnels) >= maxTunnels {
			return
		}
		n = &tunnel{names: map[string]int{}}
		t.tunnels[domain] = n
	}
	if len(n.names) < maxTunnelNames {
		n.names[name] = letters
	}
}

// Tunnelled tells whether the names asked for below a domain carry something.
func (t *Traffic) Tunnelled(domain string) bool {
	n := t.tunnels[domain]
	if n == nil {
		return false
	}
	count, letters, all, total := 0, 0, 0, 0
	for name, size := range n.names {
		all++
		total += size
		if !t.Hosts[name] {
			count++
			letters += size
		}
	}
	return count >= tunnelNames && letters >= tunnelLetters || all >= tunnelConnected && total >= 3*tunnelLetters
}
