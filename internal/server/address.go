package server

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/job"
)

// checkReach refuses what would have the service ask its own network. A name
// says nothing about where it leads: the worker looks again once it is resolved.
func (s *Server) checkReach(r *job.Request) error {
	if s.o.AllowPrivate {
		return nil
	}
	for _, host := range []string{sourceHost(r.Source), imageHost(strings.TrimPrefix(r.Options.Image, "oci:"))} {
		if host != "" && isNear(host) {
			return badRequest("%s is in the service's own network, which it does not fetch from; its operator can allow that", host)
		}
	}
	return nil
}

// sourceHost is the host that a source names itself, "" if it names none.
func sourceHost(source string) string {
	if image, ok := strings.CutPrefix(source, "oci:"); ok {
		return imageHost(image)
	}
	u, err := url.Parse(source)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Hostname()
}

// imageHost is the registry that the name of an image begins with, if it does.
func imageHost(image string) string {
	first, _, more := strings.Cut(image, "/")
	if !more || !strings.ContainsAny(first, ".:") && first != "localhost" {
		return ""
	}
	return hostOf(first)
}

// number is the last part of what some resolvers take for an address: 127.1,
// 0x7f000001, 2130706433.
var number = regexp.MustCompile(`^(0x[0-9a-f]*|[0-9]+)$`)

// isNear tells hosts that only this machine or its network have.
func isNear(host string) bool {
	host = hostOf(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		return !isPublic(addr)
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	return len(labels) == 1 || number.MatchString(last) ||
		slices.Contains([]string{"localhost", "local", "internal", "lan", "localdomain"}, last) || strings.HasSuffix(host, ".home.arpa")
}

// isPublic tells an address of the Internet, where it leads in the end.
func isPublic(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	b := a.As16()
	switch { // what is translated to IPv4 on its way
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a):
		a = netip.AddrFrom4([4]byte(b[12:16]))
	case netip.MustParsePrefix("2002::/16").Contains(a):
		a = netip.AddrFrom4([4]byte(b[2:6]))
	}
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "168.63.129.16/32", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4",
		"64:ff9b:1::/48", "100::/64", "2001::/32", "fec0::/10",
	} {
		if netip.MustParsePrefix(p).Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate()
}
