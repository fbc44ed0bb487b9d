// Package egress relays connections of the sandbox to the real Internet, where
// the user allowed it. An accepted connection goes in; it is relayed to its
// host, and what the client sends comes out through the same callbacks as with
// a fake host.
//
// This process resolves the names itself and dials exactly the address that it
// checked. This machine, its network and every other address that is not public
// are never reached, whatever a name resolves to and whatever is allowed. The
// fake host answers connections that are not allowed.
package egress

import (
	"cmp"
	"context"
	"crypto/x509"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"sync/atomic"
	"syscall"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/netclass"
)

// Options of an [Egress].
type Options struct {
	// Allow lists the hosts that may be reached.
	Allow List
	// Untouched relays TLS without decrypting it; otherwise it is intercepted
	// with a certificate of ours.
	Untouched bool
	Logger    *slog.Logger
}

// Egress relays allowed connections to the real Internet. It is safe for
// concurrent use.
type Egress struct {
	o    Options
	log  *slog.Logger
	rest *host.Host

	lookup func(ctx context.Context, network, name string) ([]netip.Addr, error)
	// Only tests change check and roots.
	check func(netip.Addr) error
	roots *x509.CertPool

	open  chan struct{} // one slot for each connection
	made  atomic.Int64
	spent atomic.Int64 // bytes sent
	asked atomic.Int64 // DNS lookups
}

// New makes an egress. rest answers connections that are not allowed.
func New(rest *host.Host, o *Options) *Egress {
	e := &Egress{
		rest: rest, open: make(chan struct{}, maxOpen), check: netclass.Check,
		lookup: (&net.Resolver{PreferGo: true}).LookupNetIP,
	}
	if o != nil {
		e.o = *o
	}
	if e.log = e.o.Logger; e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	return e
}

// Real says whether a name is allowed, and then whether it exists. A name that
// has only forbidden addresses does not exist.
func (e *Egress) Real(ctx context.Context, name string) (exists, decided bool) {
	name = canonical(name)
	if !e.o.Allow.hasName(name) {
		return false, false
	}
	if e.asked.Add(1) > maxAsked {
		return false, true
	}
	addresses, err := e.resolve(ctx, name)
	return err == nil && len(addresses) > 0, true
}

// Serve relays a visit to the real host if that is allowed, until one side
// ends, ctx is done or a limit is reached, and closes the connection. Its
// results are those of [host.Host.Serve].
func (e *Egress) Serve(ctx context.Context, v *host.Visit) (service string, first []byte, cut bool) {
	if !e.allows(v) {
		return e.rest.Serve(ctx, v)
	}
	within, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	r := &relay{e: e, v: v, observer: e.rest.Observe(v)}
	defer func() {
		// A panic in one visit must not end the run.
		if p := recover(); p != nil {
			e.log.Error("a relayed visit failed", "service", service, "panic", p, "stack", string(debug.Stack()))
			cut = true
		}
	}()
	service, stays := r.run(within)
	if stays {
		inside := *v
		inside.Conn = r.observer.Conn()
		return e.rest.Serve(ctx, &inside)
	}
	if v.Led != nil {
		v.Led(r.reached, r.failure)
	}
	return service, r.first, r.isCut() || within.Err() != nil
}

// allows says whether the visit is to a host that may be reached.
func (e *Egress) allows(v *host.Visit) bool {
	if v.Name != "" {
		return e.o.Allow.hasName(v.Name) && e.check(v.To.Addr()) == nil
	}
	return e.o.Allow.hasAddress(v.To.Addr()) && e.check(v.To.Addr()) == nil
}

// guard checks an address again at the moment it is used, against DNS rebinding.
func (e *Egress) guard(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return e.check(to.Addr())
}

func placeOf(v *host.Visit) string { return cmp.Or(v.Name, v.To.Addr().String()) }
