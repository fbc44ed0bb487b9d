package history

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// When DNS queries carry data: the minimum number of different random names
// below one domain, and the minimum number of characters in them.
// gap: rule-memory
const (
	tunnelNames   = 4
	tunnelLetters = 100
	// Names that are also connected to have another use, so more are needed.
	tunnelConnected = 24
	maxTunnels      = 500
	maxTunnelNames  = 1000
)

// tunnel holds the names that were resolved below one domain.
type tunnel struct {
	// names are the names with random labels, and how many random characters each has.
	names map[string]int
}

// lookup adds a DNS query.
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

// Tunnelled tells whether the names resolved below a domain carry data.
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
