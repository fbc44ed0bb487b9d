package server

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/netclass"
	"github.com/mcpsf/mcpsf/internal/service/job"
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

// isNear tells hosts that only this machine or its network have.
func isNear(host string) bool {
	host = hostOf(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Zone() != "" || netclass.Near(addr)
	}
	return netclass.Local(host)
}
