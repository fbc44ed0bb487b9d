// Package host answers for every host of the fake Internet. An accepted
// connection goes in; what its client requested, and every byte it sent in
// clear, come out through callbacks.
//
// The client's first bytes decide which protocol is spoken, on any port: TLS
// (opened with a certificate of the run's authority, then decided again),
// HTTP/1 and HTTP/2, WebSocket, DNS over HTTPS and TLS, and the protocols of
// the package protocols. Replies are made from the seed, so that they look real
// and are the same each time. They never repeat what the client sent, unless it
// stored that in a database.
package host

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/kubernetes"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// Options apply to all visits of a run.
type Options struct {
	// Authority signs certificates; nil: TLS is not spoken.
	Authority *authority.Authority
	// Seed determines the replies.
	Seed uint64
	// Now is the time that the replies state; nil: time.Now.
	Now func() time.Time
	// KeyLog receives TLS secrets in NSS format; may be nil.
	KeyLog io.Writer
	// Metadata is what the metadata services of clouds return.
	Metadata services.Metadata
	// Cluster answers in place of clusters of Kubernetes; nil: none is known.
	Cluster *kubernetes.Cluster
	// Install is set for an installation: downloads, packages and repositories
	// do not exist. Uploads are accepted as usual.
	Install bool
	// Resolve answers DNS over HTTPS and TLS: nil means that the name does not
	// exist, an empty list that it has no such record. If Resolve is nil,
	// neither is spoken.
	Resolve func(name, kind string) []dnsmessage.Resource
	// Location is the URL that a host redirects all requests to, false if it
	// does not redirect; nil: no host redirects.
	Location func(name string) (string, bool)
	// Expected is what answers have to contain; nil: what the known services have.
	Expected *shape.Expectations
	Logger   *slog.Logger
}

// Visit is one TCP connection from the sandbox, already accepted.
type Visit struct {
	Conn     net.Conn
	From, To netip.AddrPort
	// Name is the name whose address is To, "" if the client used an IP
	// address.
	Name string
	// Databases are what databases contain, the same for all visits of one run of
	// the sandbox; nil: those of this visit alone.
	Databases *databases.Databases
	// Tell receives every observation of the visit, in order, and Sent what the
	// client sent in clear, in order. The part is "" (bytes of no known
	// protocol), "method" (an unusual one), "url", "header NAME", "chunk
	// extension", "body", "frame" (of a WebSocket), or a part that a protocol
	// names. Bodies come without chunking and Content-Encoding; a body that
	// cannot be decoded comes as sent. Calls never overlap. The bytes are valid
	// only until the call returns.
	Tell func(Observation)
	Sent func(part string, p []byte)
	// Digest receives at the end a digest of every byte that the client sent,
	// inside TLS: what belongs to the protocol, too.
	Digest func(digest string)
	// Led is called when the visit was relayed to a real host instead: with the
	// address that was reached, and why it failed, "" if it did not.
	Led func(to netip.AddrPort, failure string)
	// Unread is called when the client sent something that was not read: more
	// than a limit, not later than one.
	Unread func()
}

// Observation is one observation; one of its fields is set.
type Observation struct {
	TLS  *mcpsf.TLSDetail
	HTTP *mcpsf.HTTPDetail
	SMTP *mcpsf.SMTPDetail
	// Query is a statement for a database.
	Query *mcpsf.QueryDetail
	// ExecProof proves that the client executed what the host sent: a script,
	// or a command on a silent connection.
	ExecProof *mcpsf.ExecProofDetail
	Lookup    *Lookup
	// Answer is what the client was answered, with HTTP: headers and body.
	Answer []byte
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

// Host answers connections. It is safe for concurrent use.
type Host struct {
	o        Options
	log      *slog.Logger
	proofs   *execproof.Tracker
	services *services.Services

	mu     sync.Mutex // guards silent
	silent map[uint16]bool
}

// New makes a host; nil options work, without TLS.
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
		Seed: h.o.Seed, Now: h.o.Now, Metadata: h.o.Metadata, Cluster: h.o.Cluster, Install: h.o.Install, Location: h.o.Location, Proofs: h.proofs,
		Expected: h.o.Expected,
	})
	return h
}

// GaveTools reports whether the client was given the tools of a made-up MCP server, and
// lists them among its own.
func (h *Host) GaveTools(listed []string) bool { return h.services.GaveTools(listed) }

// Reported returns which script or program of this host reported that it was
// run by looking up a name; nil: none did. The caller passes every name that a
// resolver other than the host's own was asked for.
func (h *Host) Reported(name string) *mcpsf.ExecProofDetail { return h.proofs.Resolved(name) }
