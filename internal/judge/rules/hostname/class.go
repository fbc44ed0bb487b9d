package hostname

import (
	"slices"
	"strings"
)

// Class is what a well-known host is there for, apart from the services a
// server may be made for.
type Class string

const (
	// ClassNone is that of a host of which nothing is known.
	ClassNone Class = ""
	// classTelemetry counts users and collects crashes.
	classTelemetry Class = "telemetry"
	// classRegistry hands out packages and tells which is the newest.
	classRegistry Class = "registry"
	// classCatcher shows whatever is sent to it to the one who made the
	// address, who needs no machine and no name for that.
	classCatcher Class = "request catcher"
	// classTunnel leads to a machine behind a router.
	classTunnel Class = "tunnel"
	// classPaste keeps a text or file for everybody.
	classPaste Class = "paste or file drop"
	// classChat puts a message into somebody's chat room.
	classChat Class = "chat room"
	// classOnion leads into the Tor network.
	classOnion Class = "onion service"
	// ClassResolver answers questions for names.
	ClassResolver Class = "public resolver"
)

// Directory finds what is known of a host: its own name and those above it.
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

// Of is the class of a host.
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

// domain is what is known of a host by its name.
type domain struct {
	Name  string
	Class Class
}

// MaxHosts bounds the hosts that are remembered.
const MaxHosts = 2000

// Domains looks hosts up, each once.
type Domains struct {
	Directory Directory
	known     map[string]domain
}

// NewDomains knows the well-known hosts.
func NewDomains() *Domains { return &Domains{newDirectory(), map[string]domain{}} }

// Of is what is known of a host.
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

// Collects tells whether whoever receives something through a host of that
// class can do without a machine and a name of his own.
func (c Class) Collects() bool {
	switch c {
	case classCatcher, classTunnel, classPaste, classChat:
		return true
	}
	return false
}

// IsMetadata knows where the machines of a cloud get their keys.
func IsMetadata(host string) bool {
	// The first is a name for any address.
	return strings.HasPrefix(host, "169.254.169.254.") || known().Metadata[host]
}

// CheapEnding knows the endings of domains that cost next to nothing and are blocked
// by many networks for it.
func CheapEnding(domain string) bool {
	return known().AbusedTLDs[domain[strings.LastIndexByte(domain, '.')+1:]]
}

// IsSignIn knows the hosts where people sign in for others.
func IsSignIn(host string) bool {
	return known().SignIn[host] || slices.ContainsFunc(known().SignInProviders, func(provider string) bool { return strings.HasSuffix(host, provider) })
}
