package fakenet

import (
	"context"
	"net/netip"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
)

// Options of a network. All functions are called from several goroutines, but
// those of one flow one after another; bytes are the callee's only until it
// returns.
type Options struct {
	// Names knows the names that exist. Serve lists those of them that the
	// caller answers for itself, through [Network.Listen]; only port 80 of them
	// is open.
	Names *names.Directory
	Serve []string
	// Host answers for everything else. Without it nothing else answers.
	Host Host
	// Real knows the names of the real Internet that may be reached; whether
	// others exist is decided by Names. nil: none may be.
	Real func(ctx context.Context, name string) (exists, decided bool)

	// Lookup is told every question that was asked of a resolver.
	Lookup func(Lookup)
	// Refused is told every connection that led nowhere.
	Refused func(Flow)
	// Told, Sent and Ended are told what a host saw, what was said to it in
	// clear, and the end of every flow that was not refused. They may be nil.
	Told  func(Flow, host.Observation)
	Sent  func(f Flow, part string, p []byte)
	Ended func(End)
	// Frame gets every IP packet; outbound are those of the sandbox. It may be
	// nil.
	Frame func(outbound bool, packet []byte)
}

// Host speaks with a client, see [host.Host.Serve].
type Host interface {
	Serve(ctx context.Context, v *host.Visit) (service string, first []byte, cut bool)
}

// Lookup is one question to a resolver.
type Lookup struct {
	Name string
	Type string
	// Server is the resolver that was asked, From the asking socket, and
	// Stream says that it was over TCP.
	Server, From netip.AddrPort
	Stream       bool
	// Found says that the name exists.
	Found bool
}

// Flow is a connection, or the first datagram of one.
type Flow struct {
	Protocol string // "tcp" or "udp"
	From, To netip.AddrPort
	// Name is what To's address was handed out for, "" if it was for nothing.
	Name string
}

// End tells of a flow that has ended.
type End struct {
	Flow
	// Service is what was spoken, First the beginning of what nobody
	// understood.
	Service string
	First   []byte
	// Sent and Received are counted from the sandbox's side.
	Sent, Received int64
	Began, Ended   time.Time
	// Cut is set when more was sent than was read.
	Cut bool
	// Reached is the real address a flow was led to, Failed why it was not led
	// there or not to the end.
	Reached netip.AddrPort
	Failed  string
}
