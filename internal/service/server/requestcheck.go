package server

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/network/netclass"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxPriority bounds how far a job can be moved ahead of or behind other jobs of
// its project.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxPriority = 100

// requestCheck refuses requests that must not be queued.
type requestCheck struct {
	rules        *rules.Set
	allowPrivate bool
}

// submitted checks what a client sent as JSON, before anything of it is stored.
func (c *requestCheck) submitted(a *submitted) error {
	if a.Priority < -maxPriority || a.Priority > maxPriority {
		return badRequest("priority must be -%d to %d, not %d", maxPriority, maxPriority, a.Priority)
	}
	// A client that could name an archive by its digest could assess what
	// somebody else uploaded.
	if a.Archive != "" || a.ArchiveName != "" {
		return badRequest("upload the archive as multipart/form-data with the parts request and archive")
	}
	return c.request(&a.Request)
}

func (c *requestCheck) request(r *job.Request) error {
	if err := r.Check(); err != nil {
		return err
	}
	if len(r.Detectors) > 0 {
		if _, err := c.rules.Only(r.Detectors); err != nil {
			return err
		}
	}
	return c.refusePrivate(r)
}

// refusePrivate refuses sources in the private network of the service (SSRF). A host name
// does not show where it leads: the worker checks again when it is resolved.
func (c *requestCheck) refusePrivate(r *job.Request) error {
	if c.allowPrivate {
		return nil
	}
	for _, host := range []string{sourceHost(r.Source), imageHost(strings.TrimPrefix(r.Options.Image, "oci:"))} {
		if host != "" && isPrivate(host) {
			return badRequest("%s is in a private network, which the service does not fetch from; its operator can allow it with --allow-private", host)
		}
	}
	return nil
}

// sourceHost is the host in a source, "" if there is none.
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

// imageHost is the registry in the name of an image, "" if there is none.
func imageHost(image string) string {
	first, _, more := strings.Cut(image, "/")
	if !more || !strings.ContainsAny(first, ".:") && first != "localhost" {
		return ""
	}
	return hostOf(first)
}

// isPrivate tells whether a host is this machine or in a private network.
func isPrivate(host string) bool {
	host = hostOf(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Zone() != "" || netclass.Near(addr)
	}
	return netclass.Local(host)
}
