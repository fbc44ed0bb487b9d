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
	// Local says between which ends of the machine itself a connection is that the
	// sandbox's kernel carries here, and LocalHost answers it as localhost. nil: none
	// is carried.
	Local     func(to netip.AddrPort) (from, at netip.AddrPort, ok bool)
	LocalHost Host
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
	// On is the connection on the link if it carries this one, of the machine with
	// itself.
	On Link
}

// Link are the ends of a connection on the link, none if it is invalid.
type Link struct{ From, To netip.AddrPort }

// End describes a flow that has ended.
type End struct {
	Flow
	// Service is the protocol, First the first bytes if it is unknown.
	Service string
	First   []byte
	// Sent and Received are bytes from the sandbox's side.
	Sent, Received int64
	Began, Ended   time.Time
	// Digest is one of everything that was sent, inside TLS.
	Digest string
	// Cut is set when a limit ended the visit, Unread when the client sent more
	// than was read.
	Cut, Unread bool
	// Reached is the real address that a flow was relayed to, Failed why the
	// relay failed.
	Reached netip.AddrPort
	Failed  string
}
