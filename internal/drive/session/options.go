// Package session drives an MCP server: it starts the conversation, lists
// what the server offers, uses each thing once, and ends the conversation in
// the order the protocol asks.
//
// A running server comes in as a [Process]. Every message of either side goes
// out through the [Tap] as it happens, and what was learned goes out as an
// [mcpsf.Session]. Whatever the server does wrong is part of the session, not
// an error.
package session

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
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
	// Changed tells that the server says another thing of itself than before,
	// in its answer to that call.
	Changed(call string, d mcpsf.ChangeDetail)
}

// Options of [Drive]. The zero value of each field means its default.
type Options struct {
	// Seed decides the inputs where there is a choice.
	Seed uint64
	// Client is who we say we are.
	Client Client
	// Wire leads to a server that listens at URL; nil is one that is spoken to
	// over its standard streams.
	Wire Wire
	URL  string
	// Locate finds the URL once the server runs, if it is not known.
	Locate func(context.Context) (string, error)
	// Look is called at the end with the URL of a server that has answered
	// there, while it is still there.
	Look func(ctx context.Context, url string)
	// Elsewhere is closed when it turns out that the server does not speak
	// over its standard streams: its first answer is not waited for then.
	Elsewhere <-chan struct{}
	// Revision of the protocol to offer, one of [Revisions]. The default is
	// the newest that has sessions. What is spoken is for the server to say.
	Revision string
	// StartTimeout bounds initialize, CallTimeout every other request, and
	// StopGrace each step of the shutdown. Defaults: 60s, 20s, 2s.
	StartTimeout, CallTimeout, StopGrace time.Duration
	// Clock is the server's, by which it is waited for. The default is ours.
	Clock Clock
	// Linger is how long to stay after the last call, and three times that
	// while Busy says that something the calls started is still at work. 0
	// is not at all.
	Linger time.Duration
	Busy   func() bool
	// Alarm says how long it takes until the server wakes up by itself within
	// a time, 0 if it does not; Patience is how long to stay for that, and
	// Endure how long by our own clock. The default is the same.
	Alarm    func(within time.Duration) time.Duration
	Patience time.Duration
	Endure   time.Duration
	// MaxFrame is the longest message that is read whole; of a longer one
	// only the beginning is kept. Default 16 MiB.
	MaxFrame int64
	// MaxOutput (bytes) and MaxMessages bound each of stdout and stderr.
	// Beyond them the server is killed. Defaults 64 MiB and 100,000.
	MaxOutput, MaxMessages int64
	// MaxBody cuts the body of an observed message. Default 64 KiB.
	MaxBody int
	// Values are the domain values used as inputs.
	Values schema.Values
	// Roots are the directories we say the server may use, Spoken is what the
	// model says when the server asks it something, and Typed what the user
	// types where a form asks for a secret.
	Roots  []string
	Spoken string
	Typed  Typed
	// Rounds is how often each tool is called; 0 and 1 are once.
	Rounds int
	// Words gives what the server's own code compares texts with, which is said
	// to it; nil for nothing. It is asked when everything else was called.
	Words func() []string
	// May tells which tools may be called, nil for all.
	May func(tool *mcpsf.Tool) bool
	// Known is what an earlier session was told, nil for nothing, and Since
	// what has changed between the two.
	Known *mcpsf.Session
	Since mcpsf.ChangeCause
	// Shots are made instead of listing and using what the server has, until
	// a time.
	Shots []Shot
	Until time.Time
	// Barrage is sent instead, if there is one.
	Barrage *Barrage
	// Shrinking is done instead, if there is any.
	Shrinking *Shrinking
	// Guest talks to the server instead, if there is one.
	Guest Guest
	// Visits are made instead of speaking the protocol, if there are any; they
	// need a Wire.
	Visits *Visits
	// Headers go with every request over a Wire, and Bearing is what calls of
	// tools are to find out by them.
	Headers http.Header
	Bearing *mcpsf.AttackDetail
	// FirstCall is how many calls were numbered in earlier sessions.
	FirstCall int
	// Progress is told of each step, for example ("call", 3, 12).
	Progress func(step string, done, total int)
	Logger   *slog.Logger
}

// Client is the clientInfo of initialize.
type Client struct {
	Name, Version string
}

// withDefaults returns a copy with every unset field filled in. The default
// client is a common one, so that the server does not see an assessor.
func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Client == (Client{}) {
		out.Client = Client{Name: "claude-ai", Version: "0.1.0"}
	}
	if out.Revision == "" {
		out.Revision = protocolVersion
	}
	setDefault(&out.StartTimeout, 60*time.Second)
	setDefault(&out.CallTimeout, 20*time.Second)
	setDefault(&out.StopGrace, 2*time.Second)
	setDefault(&out.Endure, out.Patience)
	setDefault(&out.MaxFrame, 16<<20)
	setDefault(&out.MaxOutput, 64<<20)
	setDefault(&out.MaxMessages, 100_000)
	setDefault(&out.MaxBody, 64<<10)
	out.MaxBody = max(out.MaxBody, minBody)
	out.MaxFrame = max(out.MaxFrame, int64(out.MaxBody))
	if out.May == nil {
		out.May = func(*mcpsf.Tool) bool { return true }
	}
	if out.Clock == nil {
		out.Clock = ourClock{time.Now()}
	}
	if out.Busy == nil {
		out.Busy = func() bool { return false }
	}
	if out.Alarm == nil {
		out.Alarm = func(time.Duration) time.Duration { return 0 }
	}
	if out.Progress == nil {
		out.Progress = func(string, int, int) {}
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	return out
}

// minBody keeps room for an error object and for a few words of junk.
const minBody = 256

func setDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
