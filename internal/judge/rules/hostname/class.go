package hostname

import (
	"slices"
	"strings"
)

// Class is the purpose of a well-known host that is not a service a server may
// be made for.
type Class string

const (
	// ClassNone is the class of unknown hosts.
	ClassNone Class = ""
	// classTelemetry counts users and collects crash reports.
	classTelemetry Class = "telemetry"
	// classRegistry distributes packages.
	classRegistry Class = "registry"
	// classCatcher shows every request it receives to whoever created the
	// address, who needs no machine and no domain for that.
	classCatcher Class = "request catcher"
	// classTunnel forwards to a machine behind a router.
	classTunnel Class = "tunnel"
	// classPaste publishes a text or file.
	classPaste Class = "paste or file drop"
	// classChat posts a message to a chat room.
	classChat Class = "chat room"
	// classOnion is an address in the Tor network.
	classOnion Class = "onion service"
	// ClassResolver resolves names.
	ClassResolver Class = "public resolver"
)

// Directory maps well-known hosts, and the names below them, to their class.
type Directory map[string]Class

func newDirectory() Directory {
	d := Directory{}
	for c, domains := range known().Classes {
		for _, name := range domains {
			d[name] = c
		}
	}
	return d
}

// Of returns the class of a host.
func (d Directory) Of(host string) Class {
	for {
		if c, ok := d[host]; ok {
			return c
		}
		_, rest, more := strings.Cut(host, ".")
		if !more || IsAddress(host) {
			return ClassNone
		}
		host = rest
	}
}

// domain holds the registrable domain and class of a host.
type domain struct {
	Name  string
	Class Class
}

// MaxHosts bounds the hosts that are remembered.
// gap: rule-memory
const MaxHosts = 2000

// Domains caches the domain and class of each host.
type Domains struct {
	Directory Directory
	known     map[string]domain
}

// NewDomains returns a cache that knows the well-known hosts.
func NewDomains() *Domains { return &Domains{newDirectory(), map[string]domain{}} }

// Of returns the domain and class of a host.
func (d *Domains) Of(host string) domain {
	found, known := d.known[host]
	if !known {
		found = domain{Registrable(host), d.Directory.Of(host)}
		if len(d.known) < MaxHosts {
			d.known[host] = found
		}
	}
	return found
}

// Collects tells whether data sent to a host of that class can be received
// without owning a machine or a domain.
func (c Class) Collects() bool {
	switch c {
	case classCatcher, classTunnel, classPaste, classChat:
		return true
	}
	return false
}

// IsMetadata tells whether a host is the metadata service of a cloud, which hands out keys.
func IsMetadata(host string) bool {
	// 169.254.169.254.SUFFIX is a name that resolves to that address.
	return strings.HasPrefix(host, "169.254.169.254.") || known().Metadata[host]
}

// CheapEnding tells whether a domain has one of the top-level domains that cost
// almost nothing and that many networks block.
func CheapEnding(domain string) bool {
	return known().AbusedTLDs[domain[strings.LastIndexByte(domain, '.')+1:]]
}

// IsSignIn tells whether a host is a sign-in page that other services use.
func IsSignIn(host string) bool {
	return known().SignIn[host] || slices.ContainsFunc(known().SignInProviders, func(provider string) bool { return strings.HasSuffix(host, provider) })
}

// IsPackageSource tells whether everybody takes packages or installers from a
// host, or from a host above it.
func IsPackageSource(host string) bool {
	below := func(domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }
	return slices.ContainsFunc(known().PackageSources, below) || slices.ContainsFunc(known().Classes[classRegistry], below)
}
