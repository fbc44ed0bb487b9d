package egress

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/mcpsf/mcpsf/internal/network/netclass"
)

// List is the hosts that may be reached. The zero list means all.
type List struct {
	names     []string // each with its subdomains
	below     []string // only the subdomains
	addresses []netip.Addr
	hosts     []string // all entries as written
}

// ParseList parses names and addresses. A name stands for itself and its
// subdomains, *.name for the subdomains only.
func ParseList(hosts []string) (List, error) {
	var l List
	for _, host := range hosts {
		host = canonical(strings.TrimSpace(host))
		l.hosts = append(l.hosts, host)
		if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
			if kind := netclass.Forbidden(a); kind != "" {
				return List{}, fmt.Errorf("%s is %s, which is never reachable", host, kind)
			}
			l.addresses = append(l.addresses, a)
			continue
		}
		name, wild := strings.CutPrefix(host, "*.")
		if !isName(name) {
			return List{}, fmt.Errorf("it takes names of hosts and addresses, not %q", host)
		}
		if suffix, icann := publicsuffix.PublicSuffix(name); suffix == name && icann {
			return List{}, fmt.Errorf("anybody may have names below %q; name a host", name)
		}
		if wild {
			l.below = append(l.below, name)
		} else {
			l.names = append(l.names, name)
		}
	}
	return l, nil
}

// String is the list as written, "" for all.
func (l *List) String() string { return strings.Join(l.hosts, ",") }

func (l *List) all() bool { return len(l.hosts) == 0 }

// hasName says whether a name may be reached.
func (l *List) hasName(name string) bool {
	name = canonical(name)
	if l.all() {
		return isName(name) && !netclass.Local(name)
	}
	under := func(zone string) bool { return strings.HasSuffix(name, "."+zone) }
	return isName(name) && (slices.Contains(l.names, name) || slices.ContainsFunc(l.names, under) || slices.ContainsFunc(l.below, under))
}

// hasAddress says whether an address that belongs to no name may be reached.
func (l *List) hasAddress(a netip.Addr) bool { return l.all() || slices.Contains(l.addresses, a) }

func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// isName says whether name can be the full name of a host.
func isName(name string) bool {
	labels := strings.Split(name, ".")
	if len(labels) < 2 || len(name) > 253 {
		return false
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.ContainsFunc(l, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_'
		}) {
			return false
		}
	}
	// In the old notations of IP addresses the last label is a number.
	last := labels[len(labels)-1]
	return strings.Trim(last, "0123456789") != ""
}
