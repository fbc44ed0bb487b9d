package fakenet

import (
	"context"
	"net/netip"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
)

// Options of a network. All functions are called from several goroutines, but
// one after another for each flow. Bytes are valid only until the function
// returns.
type Options struct {
	// Names decides which names exist. Serve lists the names that the caller
	// serves through [Network.Listen]; they have only port 80 open.
	Names *names.Directory
	Serve []string
	// Host answers for all other hosts. nil: nothing else answers.
	Host Host
	// Real decides for names of the real Internet that may be reached; Names
	// decides for others. nil: none may be reached.
	Real func(ctx context.Context, name string) (exists, decided bool)

	// Lookup receives every DNS question.
	Lookup func(Lookup)
	// Refused receives every refused connection.
	Refused func(Flow)
	// Told, Sent and Ended receive what a host observed, what was sent to it in
	// clear, and the end of every flow that was not refused. They may be nil.
	Told  func(Flow, host.Observation)
	Sent  func(f Flow, part string, p []byte)
	Ended func(End)
	// Frame receives every IP packet; outbound means sent by the sandbox. It
	// may be nil.
	Frame func(outbound bool, packet []byte)
}

// Host serves a client, see [host.Host.Serve].
type Host interface {
	Serve(ctx context.Context, v *host.Visit) (service string, first []byte, cut bool)
}

// Lookup is one DNS question.
type Lookup struct {
	Name string
	Type string
	// Server is the resolver that was asked, From the asking socket, and Stream
	// says that TCP was used.
	Server, From netip.AddrPort
	Stream       bool
	// Found says that the name exists.
	Found bool
	// Rest is what the question has beside the name: flags and further records.
	Rest []byte
}

// Flow is a TCP connection or an exchange of UDP datagrams.
type Flow struct {
	Protocol string // "tcp" or "udp"
	From, To netip.AddrPort
	// Name is the name that To's address belongs to, "" if none.
	Name string
}

// End describes a flow that has ended.
type End struct {
	Flow
	// Service is the protocol, First the first bytes if it is unknown.
	Service string
	First   []byte
	// Sent and Received are bytes from the sandbox's side.
	Sent, Received int64
	Began, Ended   time.Time
	// Cut is set when the client sent more than was read.
	Cut bool
	// Digest is one of everything that was sent, inside TLS.
	Digest string
	// Reached is the real address that a flow was relayed to, Failed why the
	// relay failed.
	Reached netip.AddrPort
	Failed  string
}
