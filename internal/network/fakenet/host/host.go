// Package host is what answers behind the names of the fake Internet. A
// connection that was accepted goes in; what its client said of itself and
// asked for, and every byte it sent in clear, come out through callbacks.
//
// The client's first bytes decide what is spoken, on any port: TLS (opened
// with a certificate of the run's authority, then decided again), HTTP/1 and
// HTTP/2, WebSocket, DNS over HTTPS and TLS, and whatever the package protocols
// knows. Replies are made up from the seed, so that they look alive and are
// the same each time; they never repeat what the client said.
package host

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// Options are the same for all visits of a run.
type Options struct {
	// Authority signs for the names; nil: no TLS is spoken.
	Authority *authority.Authority
	// Seed decides the replies.
	Seed uint64
	// Now is the time the replies tell; nil: time.Now.
	Now func() time.Time
	// KeyLog gets the secrets of TLS in the format of NSS; may be nil.
	KeyLog io.Writer
	// Metadata is what the metadata services of clouds hand out.
	Metadata services.Metadata
	// Install is set for an installation: files that are downloaded, packages
	// and repositories do not exist. What is sent is taken as ever.
	Install bool
	// Resolve answers DNS over HTTPS and TLS: nil is a name that does not
	// exist, none is one that has no such record. If it is not set, neither
	// is spoken.
	Resolve func(name, kind string) []dnsmessage.Resource
	// Location is where the host of that name sends everybody on to, false if
	// it does not; nil: none does.
	Location func(name string) (string, bool)
	Logger   *slog.Logger
}

// Visit is one TCP connection from the sandbox, already accepted.
type Visit struct {
	Conn     net.Conn
	From, To netip.AddrPort
	// Name is what To was handed out for, "" if it was addressed by number.
	Name string
	// Tell is called for every observation of the visit, in order, and Sent
	// with what the client sent in clear, in order. The part is "" (bytes of
	// no protocol that is known), "method" (an unusual one), "url", "header NAME", "chunk extension", "body", "frame" (of
	// a WebSocket), or what a protocol calls it. Bodies come without their
	// chunking and Content-Encoding; one whose encoding could not be undone
	// comes as it was. Neither is called by two goroutines at once. The bytes
	// are the callee's only until it returns.
	Tell func(Observation)
	Sent func(part string, p []byte)
	// Led is called when the visit was led to a real host instead: with the
	// address that was reached, and why it failed, "" if it did not.
	Led func(to netip.AddrPort, failure string)
}

// Observation is one of these.
type Observation struct {
	TLS  *mcpsf.TLSDetail
	HTTP *mcpsf.HTTPDetail
	SMTP *mcpsf.SMTPDetail
	// Query is what a database was asked.
	Query *mcpsf.QueryDetail
	// ExecProof is proof that something the host said was obeyed: a script it
	// served was run, or a command down a silent connection was.
	ExecProof *mcpsf.ExecProofDetail
	Lookup    *Lookup
}

// Lookup is one question to a resolver inside HTTPS or TLS.
type Lookup struct {
	Name string
	Type string
	// Over is "https" or "tls".
	Over string
	// Found says that the name exists.
	Found bool
}

// Host answers. It is safe for use by several goroutines.
type Host struct {
	o        Options
	log      *slog.Logger
	proofs   *execproof.Tracker
	services *services.Services
}

// New makes a host; nil options work and speak no TLS.
func New(o *Options) *Host {
	h := &Host{}
	if o != nil {
		h.o = *o
	}
	if h.o.Now == nil {
		h.o.Now = time.Now
	}
	if h.log = h.o.Logger; h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	h.proofs = execproof.New(h.o.Seed)
	h.services = services.New(&services.Options{
		Seed: h.o.Seed, Now: h.o.Now, Metadata: h.o.Metadata, Install: h.o.Install, Location: h.o.Location, Proofs: h.proofs,
	})
	return h
}

// Reported tells which script or program of this host reported that it was run
// by looking up a name; nil: none did. The caller passes every name that a
// resolver other than the host's own was asked for.
func (h *Host) Reported(name string) *mcpsf.ExecProofDetail { return h.proofs.Resolved(name) }
