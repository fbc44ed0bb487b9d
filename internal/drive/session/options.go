// Package session drives an MCP server: it starts the conversation, lists
// what the server offers, uses each thing once, and ends the conversation in
// the order the protocol asks.
//
// A running server comes in as a [transport.Process] or a [transport.Wire].
// Every message of either side goes out through the [transport.Tap] as it
// happens, and what was learned goes out as an [mcpsf.Session]. Whatever the
// server does wrong is part of the session, not an error.
package session

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// Options of [Drive]. The zero value of each field means its default.
type Options struct {
	// Client is who we say we are.
	Client Client
	// Revision of the protocol to offer, one of [protocol.Revisions]. The
	// default is the newest that has sessions. What is spoken is for the
	// server to say.
	Revision string
	Endpoint Endpoint
	Timing   Timing
	Limits   transport.Limits
	Inputs   Inputs
	Answers  Answers
	Earlier  Earlier
	Instead  Instead
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

// Endpoint says where the server is, if not on its standard streams.
type Endpoint struct {
	// Wire leads to a server that listens at URL; nil is one that is spoken to
	// over its standard streams.
	Wire transport.Wire
	URL  string
	// Locate finds the URL once the server runs, if it is not known.
	Locate func(context.Context) (string, error)
	// Look is called at the end with the URL of a server that has answered
	// there, while it is still there.
	Look func(ctx context.Context, url string)
	// Elsewhere is closed when it turns out that the server does not speak
	// over its standard streams: its first answer is not waited for then.
	Elsewhere <-chan struct{}
	// Headers go with every request over a Wire, and HeaderAttack is what
	// tool calls are to find out by them.
	Headers      http.Header
	HeaderAttack *mcpsf.AttackDetail
}

// Timing says how long the server is waited for, and by which clock.
type Timing struct {
	// StartTimeout bounds initialize, CallTimeout every other request, and
	// StopGrace each step of the shutdown. Defaults: 60s, 20s, 2s.
	StartTimeout, CallTimeout, StopGrace time.Duration
	// Clock is the server's, by which it is waited for. The default is ours.
	Clock transport.Clock
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
}

// Inputs say what tools are called with.
type Inputs struct {
	// Seed decides the inputs where there is a choice.
	Seed uint64
	// Values are the domain values used as inputs.
	Values schema.Values
	// Rounds is how often each tool is called; 0 and 1 are once.
	Rounds int
	// Words gives the texts that the server's own code compares its input
	// with; nil for none. It is asked when everything else was called.
	Words func() []string
	// May tells which tools may be called, nil for all.
	May func(tool *mcpsf.Tool) bool
}

// Answers are what we say when the server asks the client something.
type Answers struct {
	// Roots are the directories we say the server may use, Sampling is what
	// the model says when the server asks it something, and Typed what the
	// user types where a form asks for a secret.
	Roots    []string
	Sampling string
	Typed    Typed
}

// Earlier is an earlier session with the same server to compare with, nil for
// none, and Since what has changed between the two.
type Earlier struct {
	Session *mcpsf.Session
	Since   mcpsf.ChangeCause
}

// Instead is done in place of listing and using what the server has. At most
// one of it is set.
type Instead struct {
	// AttackCalls are made until a time.
	AttackCalls []attackplan.AttackCall
	Until       time.Time
	// Fuzzing sends malformed messages.
	Fuzzing *Fuzzing
	// Shrinking shortens attack calls.
	Shrinking *Shrinking
	// Agent uses the server.
	Agent Agent
	// HTTPProbe makes requests that are none of the protocol. It needs a Wire.
	HTTPProbe *HTTPProbe
}

// withDefaults returns a copy with every unset field filled in. The default
// client is a common one, so that the server does not see an assessor.
func (o *Options) withDefaults() *Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Client == (Client{}) {
		out.Client = Client{Name: "claude-ai", Version: "0.1.0"}
	}
	if out.Revision == "" {
		out.Revision = protocol.Offered
	}
	out.Timing.fillIn()
	setDefault(&out.Limits.MaxFrame, 16<<20)
	setDefault(&out.Limits.MaxOutput, 64<<20)
	setDefault(&out.Limits.MaxMessages, 100_000)
	setDefault(&out.Limits.MaxBody, 64<<10)
	out.Limits.MaxBody = max(out.Limits.MaxBody, minBody)
	out.Limits.MaxFrame = max(out.Limits.MaxFrame, int64(out.Limits.MaxBody))
	if out.Inputs.May == nil {
		out.Inputs.May = func(*mcpsf.Tool) bool { return true }
	}
	if out.Progress == nil {
		out.Progress = func(string, int, int) {}
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	return &out
}

func (t *Timing) fillIn() {
	setDefault(&t.StartTimeout, 60*time.Second)
	setDefault(&t.CallTimeout, 20*time.Second)
	setDefault(&t.StopGrace, 2*time.Second)
	setDefault(&t.Endure, t.Patience)
	if t.Clock == nil {
		t.Clock = transport.NewRealClock()
	}
	if t.Busy == nil {
		t.Busy = func() bool { return false }
	}
	if t.Alarm == nil {
		t.Alarm = func(time.Duration) time.Duration { return 0 }
	}
}

// minBody keeps room for an error object and for a few words of junk.
const minBody = 256

func setDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
