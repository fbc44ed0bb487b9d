// Package transport carries MCP messages to a server and back: over the
// standard streams of a process, or over HTTP to one that listens.
//
// A running server comes in as a [Process] or a [Wire], and our messages as
// [Outbound]. What the server says goes out to the [Peer] as frames, and every
// message of ours goes out through the [Tap] right before its bytes leave. What
// the messages mean is the session's business.
package transport

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Process is the server as the sandbox runs it.
//
// Closing Stdin must unblock a write to it. If Stdout and Stderr are
// [io.Closer]s, closing them must unblock a read; they are closed when the
// context ends before the server does.
type Process interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Stderr() io.Reader
	// Signal sends SIGTERM or SIGKILL. An error for a process that has
	// already ended is fine.
	Signal(ctx context.Context, sig syscall.Signal) error
	// Done is closed once the server's first process has ended.
	Done() <-chan struct{}
}

// Tap receives everything that is said. Its methods are called from several
// goroutines and must not block.
type Tap interface {
	// Observe tells of one message: of ours before its bytes are written, of
	// the server's after they were read.
	Observe(m mcpsf.Message)
	// Consumed says that all bytes of the stream up to offset were read and
	// every message known to end there was observed. Only what turned out
	// later to be no message (half a message, a last line without its end) is
	// observed with an offset that was consumed before. It is
	// [math.MaxInt64] when the stream has ended.
	Consumed(stream mcpsf.Stream, offset int64)
	// Limit tells that an output limit was reached.
	Limit(d mcpsf.LimitDetail)
	// Changed tells that the server describes itself differently than before,
	// in its answer to that call.
	Changed(call string, d mcpsf.ChangeDetail)
}

// Peer is the session that a link works for. Its methods are called from the
// link's goroutines.
type Peer interface {
	// Receive takes one frame of the server's output. The frame's data is
	// valid until it returns.
	Receive(f jsonrpc.Frame)
	// Note remembers an irregularity of the server.
	Note(text string)
	// Phase is the phase the session is in.
	Phase() mcpsf.Phase
}

// Link carries messages to a server and hands what comes back to its [Peer].
type Link interface {
	// Start begins to read and write. The caller must call Stop.
	Start(ctx context.Context)
	// Locate finds out where the server is; an error says that it is nowhere.
	Locate(ctx context.Context) error
	// Stream is where the server's messages come from.
	Stream() mcpsf.Stream
	// Send queues a message and returns at once. The link tells the tap of
	// it right before the bytes leave.
	Send(m *Outbound) error
	// Busy tells whether something has yet to leave, and how much was queued.
	Busy() (bool, int)
	// Agree says which revision is spoken from now on.
	Agree(revision string)
	// Gone is closed when no answer can come any more; Why says the reason.
	Gone() <-chan struct{}
	Why() string
	// Stop ends the server and waits for every goroutine of the link. It
	// returns how the session ended and, where that needs words, why.
	Stop(ctx context.Context) (closed, ending string)
}

// Outbound is a message of ours. The link fills in where on the wire it is.
type Outbound struct {
	Message mcpsf.Message
	Wire    []byte
	// Cuts are where the bytes are cut into several writes, if the link can.
	Cuts []int
	// Written is closed once the bytes have left.
	Written chan struct{}
	// Request is set if the message wants an answer, and Cancels is the id of
	// the request that a notification cancels.
	Request Request
	Cancels string
	// Headers go with the message where the link has headers.
	Headers map[string]string
}

// Request is a request of ours whose answer may be something else than a
// message of the server.
type Request interface {
	// Waits tells whether it has not been answered yet.
	Waits() bool
	// Refuse ends it because the server would not have it, and Garble because
	// what came back makes no sense. Neither does anything after the answer.
	Refuse(why string)
	Garble(why string)
}

// Limits bound what a server can make us remember.
type Limits struct {
	// MaxFrame is the longest message that is read whole; of a longer one
	// only the beginning is kept. Default 16 MiB.
	MaxFrame int64
	// MaxOutput (bytes) and MaxMessages bound each of the server's streams.
	// Beyond them the server is killed. Defaults 64 MiB and 100,000.
	MaxOutput, MaxMessages int64
	// MaxBody cuts the body of an observed message. Default 64 KiB.
	MaxBody int
}

// Options of a link. All fields but the first four are required.
type Options struct {
	// Wire leads to a server that listens at URL. Locate finds the URL once
	// the server runs, if it is not known. Headers go with every request.
	Wire    Wire
	URL     string
	Locate  func(context.Context) (string, error)
	Headers http.Header
	// CallTimeout bounds a message that needs no answer, and StopGrace each
	// step of the shutdown.
	CallTimeout, StopGrace time.Duration
	// Clock is the server's, by which it is waited for.
	Clock  Clock
	Limits Limits
	Logger *slog.Logger
}

// queueLength bounds how many messages wait for a server that does not read.
const queueLength = 256

var errQueueFull = errors.New("the server does not read its input")

// How a session can end: the values of [mcpsf.Session.Closed].
const (
	closedOrderly    = "orderly"
	closedTerminated = "terminated"
	closedKilled     = "killed"
	closedCrashed    = "crashed"
	closedLimit      = "limit"
)

// Closed tells whether a channel is closed.
func Closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
