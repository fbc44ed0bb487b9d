// Package session drives an MCP server: it starts the conversation, lists what
// the server offers, uses each item once, and ends the conversation in the
// order that the protocol specifies.
//
// A running server comes in as a [transport.Process] or a [transport.Wire].
// Every message of either side goes out through the [transport.Tap] as it
// happens, and the result goes out as an [mcpsf.Session]. A server's mistake is
// part of the session, not an error.
package session

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// Options of [Drive]. The zero value of each field means its default.
type Options struct {
	// Client is the name and version we give.
	Client Client
	// Revision of the protocol to offer, one of [protocol.Revisions]. The
	// default is the newest with sessions. The server chooses the revision that
	// is used.
	Revision string
	Endpoint Endpoint
	Timing   Timing
	Limits   transport.Limits
	Inputs   Inputs
	Answers  Answers
	Earlier  Earlier
	Instead  Instead
	// FirstCall is the number of calls in earlier sessions.
	FirstCall int
	// Progress is called for each step, for example ("call", 3, 12).
	Progress func(step string, done, total int)
	Logger   *slog.Logger
}

// Client is the clientInfo of initialize.
type Client struct {
	Name, Version string
}

// Endpoint says where the server is, if not on its standard streams.
type Endpoint struct {
	// Wire connects to a server that listens at URL; nil means standard input
	// and output.
	Wire transport.Wire
	URL  string
	// Locate finds the URL of a running server, if it is not known.
	Locate func(context.Context) (string, error)
	// Look is called at the end of the session with the URL of a server that
	// answered, while it still runs.
	Look func(ctx context.Context, url string)
	// Elsewhere is closed when the server turns out not to use its standard
	// streams: the session then stops waiting for its first answer.
	Elsewhere <-chan struct{}
	// Headers go with every request over a Wire; HeaderAttack is the attack
	// that they make on tool calls.
	Headers      http.Header
	HeaderAttack *mcpsf.AttackDetail
}

// Timing bounds the waits for the server, and chooses the clock.
type Timing struct {
	// StartTimeout bounds initialize, CallTimeout every other request, and
	// StopGrace each step of the shutdown. Defaults: 60s, 20s, 2s.
	StartTimeout, CallTimeout, StopGrace time.Duration
	// Clock is the server's clock, used for timeouts. The default is ours.
	Clock transport.Clock
	// Linger is how long to stay after the last call, and three times that
	// while Busy reports that work started by the calls still runs. 0 is not at
	// all.
	Linger time.Duration
	Busy   func() bool
	// Alarm returns the time until the server's next timer within a period, 0
	// if there is none. Patience is how long to wait for timers by the server's
	// clock, and Endure by ours; Endure defaults to Patience.
	Alarm    func(within time.Duration) time.Duration
	Patience time.Duration
	Endure   time.Duration
	// Lost returns how much time other programs have taken of the processors.
	// What decides what is tried or found is extended by it.
	Lost func() time.Duration
}

// Inputs control what tools are called with.
type Inputs struct {
	// Seed makes the random choices of inputs.
	Seed uint64
	// Values are the values used as inputs.
	Values meaning.Values
	// Rounds is how often each tool is called; 0 and 1 mean once.
	Rounds int
	// Words returns the texts that the server's own code compares its input
	// with; nil for none. It is called after all other calls.
	Words func() []string
	// World is asked for what inputs cannot give, nil for none.
	World World
	// May reports which tools may be called, nil for all.
	May func(tool *mcpsf.Tool) bool
}

// World is what is around the server, as far as it can be changed.
type World interface {
	// Calling says that a tool is called next.
	Calling(tool string)
	// Lacking gets what the tool asked for when it refused the call, and its input
	// cannot give. It returns true if the world was changed: the call is made again.
	Lacking(tool string, wishes []mcpsf.Wish, refusal string) bool
	// Unreached gets the tool whose call failed. It returns true if the server tried
	// to reach something meanwhile that is there from now on: the same call is made
	// again.
	Unreached(tool string) bool
}

// Answers are our answers to the server's requests.
type Answers struct {
	// Roots are the directories that the server may use, Sampling is the
	// model's answer to a sampling request, and Typed what the user types where
	// a form asks for a secret.
	Roots    []string
	Sampling string
	Typed    Typed
}

// Earlier is an earlier session with the same server to compare with, nil for
// none, and Since what changed between the two. Resume is what this session goes on
// with, and notes how far it came; nil for nothing.
type Earlier struct {
	Session *mcpsf.Session
	Since   mcpsf.ChangeCause
	Resume  *Resume
}

// Instead replaces listing and using what the server offers. At most one part
// of it is set.
type Instead struct {
	// AttackCalls are made until the time Until.
	AttackCalls []attackplan.AttackCall
	Until       time.Time
	// Fuzzing sends malformed messages.
	Fuzzing *Fuzzing
	// Shrinking shortens attack calls.
	Shrinking *Shrinking
	// Agent uses the server.
	Agent Agent
	// HTTPProbe makes requests outside the protocol. It needs a Wire.
	HTTPProbe *HTTPProbe
}

// withDefaults returns a copy with every unset field filled in. The default
// client is a common one, so that the server does not notice an assessment.
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
	if t.Lost == nil {
		t.Lost = func() time.Duration { return 0 }
	}
	if t.Busy == nil {
		t.Busy = func() bool { return false }
	}
	if t.Alarm == nil {
		t.Alarm = func(time.Duration) time.Duration { return 0 }
	}
}

// minBody leaves room for an error object and a few words of junk.
const minBody = 256

func setDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
