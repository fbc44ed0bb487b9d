package rules

import (
	"strings"

	"github.com/mcpsf/mcpsf"
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
func (t *traffic) lookup(e *mcpsf.Event) {
	if e.Net == nil || e.Net.Type == "PTR" {
		return
	}
	name := canonical(e.Net.Name)
	domain := registrable(name)
	before := strings.TrimSuffix(strings.TrimSuffix(name, domain), ".")
	letters := 0
	for label := range strings.SplitSeq(before, ".") {
		if meaningless(label) {
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

// tunnelled tells whether the names asked for below a domain carry something.
func (t *traffic) tunnelled(domain string) bool {
	n := t.tunnels[domain]
	if n == nil {
		return false
	}
	count, letters, all, total := 0, 0, 0, 0
	for name, size := range n.names {
		all++
		total += size
		if !t.hosts[name] {
			count++
			letters += size
		}
	}
	return count >= tunnelNames && letters >= tunnelLetters || all >= tunnelConnected && total >= 3*tunnelLetters
}

// meaningless tells a label that holds data from one that somebody chose to
// be read: a long run of letters and digits that take turns, or hardly a vowel.
// A number counts nothing, and neither does the form in which names of other
// alphabets are written.
func meaningless(label string) bool {
	if len(label) < 6 || strings.HasPrefix(label, "xn--") {
		return false
	}
	digits, vowels, letters, turns := 0, 0, 0, 0
	var last byte
	for i := range len(label) {
		c := label[i] | 0x20
		kind := byte('l')
		switch {
		case label[i] >= '0' && label[i] <= '9':
			kind = 'd'
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			if strings.IndexByte("aeiouy", c) >= 0 {
				vowels++
			}
		default:
			continue // hyphens separate words and groups alike
		}
		if last != 0 && kind != last {
			turns++
		}
		last = kind
	}
	switch {
	case len(label) >= 40:
		return true
	case letters == 0:
		return len(label) >= 16
	case digits >= 2 && turns >= 3: // hexadecimal and base32 of anything
		return true
	}
	return letters >= 12 && vowels*5 < letters
}
