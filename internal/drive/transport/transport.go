// Package transport carries MCP messages to a server and back: over the
// standard streams of a process, or over HTTP to a server that listens.
//
// A running server comes in as a [Process] or a [Wire], and our messages as
// [Outbound]. The server's output goes to the [Peer] as frames, and every
// message of ours is reported to the [Tap] right before its bytes are sent. The
// session interprets the messages.
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

// Tap receives every message. Its methods are called from several goroutines
// and must not block.
type Tap interface {
	// Observe reports one message: ours before its bytes are written, the
	// server's after they were read.
	Observe(m mcpsf.Message)
	// Consumed reports that all bytes of the stream up to offset were read and
	// every message known to end there was observed. Only output that later
	// turns out to be no message (half a message, a last line without its end)
	// is observed with an offset consumed before. The offset is [math.MaxInt64]
	// when the stream has ended.
	Consumed(stream mcpsf.Stream, offset int64)
	// Limit reports that an output limit was reached.
	Limit(d mcpsf.LimitDetail)
	// Changed reports that the server describes itself differently than before,
	// in its answer to that call.
	Changed(call string, d mcpsf.ChangeDetail)
}

// Peer is the session that a link works for. Its methods are called from the
// link's goroutines.
type Peer interface {
	// Receive handles one frame of the server's output. The frame's data is
	// valid until it returns.
	Receive(f jsonrpc.Frame)
	// Note records an irregularity of the server.
	Note(text string)
	// Phase returns the current phase of the session.
	Phase() mcpsf.Phase
}

// Link carries messages to a server and passes its output to the [Peer].
type Link interface {
	// Start begins to read and write. The caller must call Stop.
	Start(ctx context.Context)
	// Locate finds the server; an error says that there is none.
	Locate(ctx context.Context) error
	// Stream is the stream that the server's messages come from.
	Stream() mcpsf.Stream
	// Send queues a message and returns at once. The link reports it to the tap
	// right before the bytes are sent.
	Send(m *Outbound) error
	// Busy reports whether a message is still unsent, and how many were queued.
	Busy() (bool, int)
	// Agree sets the revision that is used from now on.
	Agree(revision string)
	// Gone is closed when no more answers can come; Why returns the reason.
	Gone() <-chan struct{}
	Why() string
	// Stop ends the server and waits for every goroutine of the link. It
	// returns how the session ended and, where needed, why.
	Stop(ctx context.Context) (closed, ending string)
}

// Outbound is a message of ours. The link adds its position in the stream.
type Outbound struct {
	Message mcpsf.Message
	Wire    []byte
	// Cuts are the offsets at which the bytes are split into several writes, if
	// the link can.
	Cuts []int
	// Written is closed once the bytes were sent.
	Written chan struct{}
	// Request is set if the message needs an answer; Cancels is the id of the
	// request that a notification cancels.
	Request Request
	Cancels string
	// Headers are sent with the message if the link has headers.
	Headers map[string]string
}

// Request is a request of ours that can also end without an answer message.
type Request interface {
	// Waits reports whether it has not been answered yet.
	Waits() bool
	// Refuse ends it because the server refused it, and Garble because the
	// answer is malformed. Neither has an effect after the answer.
	Refuse(why string)
	Garble(why string)
}

// Limits bound a server's output.
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
	// Wire connects to a server that listens at URL. Locate finds the URL of a
	// running server, if it is not known. Headers go with every request.
	Wire    Wire
	URL     string
	Locate  func(context.Context) (string, error)
	Headers http.Header
	// CallTimeout bounds a message that needs no answer, and StopGrace each
	// step of the shutdown.
	CallTimeout, StopGrace time.Duration
	// Clock is the server's clock, used for timeouts.
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

// Closed reports whether a channel is closed.
func Closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
