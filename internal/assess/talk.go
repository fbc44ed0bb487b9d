package assess

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const (
	// shotTimeout is how long the answer to an attack is waited for.
	shotTimeout = 3 * time.Second
	// shotOutput is how much a server may write that is attacked: much of it only
	// repeats what it was sent.
	shotOutput = 512 << 20
	// shotLinger is how long to stay after the last attack.
	shotLinger = time.Second
	// shotGrace is how long each step of the end may take then.
	shotGrace = 500 * time.Millisecond
	// barrageGrace is how long a server that was sent odd messages has to end.
	barrageGrace = time.Second
	// maxKept bounds what a server may leave behind for its next start.
	maxKept = 64 << 20
)

// talk is what one start of the server is for.
type talk struct {
	// first says that nothing is known of the server yet.
	first bool
	// words gives what its own code compares texts with.
	words func() []string
	// rounds is how often each tool is called.
	rounds int
	// known is what the server said of itself before, and since what has
	// changed; client is who asks, if somebody else.
	known  *mcpsf.Session
	since  mcpsf.ChangeCause
	client session.Client
	// shots are made instead of using what it offers, until a time.
	shots []attackplan.AttackCall
	until time.Time
	// guise is where the server is made to believe that it runs.
	guise guise
	// barrage is sent instead, and start is how long the handshake may take.
	barrage *session.Fuzzing
	start   time.Duration
	// shrinking is done instead.
	shrinking *session.Shrinking
	// guest talks instead.
	guest session.Agent
	// headers go with everything, and bearing is what they are to find out.
	headers http.Header
	bearing *mcpsf.AttackDetail
	// visits are made instead.
	visits *session.HTTPProbe
	// files are planted beside the others.
	files []box.File
	// kept is an archive of what it had left behind, and keep is where one is
	// made of what it leaves behind now.
	kept, keep string
}

// conversation is what is said to the server.
func (st *stage) conversation(mon *monitor.Monitor, clock *boxTime, try *launch, say *talk) *session.Options {
	opts := st.opts
	inputs := values(st.artifact, try.given, st.home)
	told := newTyped(opts.Seed)
	o := &session.Options{
		Inputs:    session.Inputs{Seed: opts.Seed, Values: inputs, Rounds: say.rounds, Words: say.words},
		Client:    say.client,
		Answers:   session.Answers{Roots: []string{inputs.Dir}, Sampling: told.spoken, Typed: told.secrets},
		Limits:    transport.Limits{MaxOutput: maxOutput},
		Timing:    session.Timing{Clock: clock, Linger: opts.Linger, Busy: func() bool { return mon.Working() > 0 }, Alarm: mon.Alarm},
		Earlier:   session.Earlier{Session: say.known, Since: say.since},
		Instead:   session.Instead{AttackCalls: say.shots},
		FirstCall: st.calls,
		Progress:  progressOf(opts.Progress),
		Logger:    opts.Logger,
	}
	t := &o.Timing
	if t.Patience, t.Endure = opts.Profile.patience(); clock.still {
		t.Patience, t.Endure = opts.Profile.realPatience(), 0
	}
	if say.known != nil {
		t.Patience, t.StopGrace = 0, shotGrace // its alarms, and its end, were waited for the first time
	}
	if len(say.shots) > 0 {
		t.Linger = min(t.Linger, shotLinger)
		t.CallTimeout, t.Patience, t.StopGrace = shotTimeout, 0, shotGrace
		o.Instead.Until, o.Limits.MaxOutput = say.until, shotOutput
	}
	if say.shrinking != nil {
		o.Instead.Shrinking, t.CallTimeout, t.Patience = say.shrinking, shotTimeout, 0
	}
	if say.guest != nil {
		o.Instead.Agent, t.Patience, t.Linger = say.guest, 0, 0
	}
	if say.barrage != nil {
		o.Instead.Fuzzing, t.StartTimeout, t.StopGrace, t.Patience = say.barrage, say.start, barrageGrace, 0
	}
	if say.bearing != nil {
		o.Endpoint.Headers, o.Endpoint.HeaderAttack = say.headers, say.bearing
		t.CallTimeout, t.Patience, t.StopGrace = shotTimeout, 0, shotGrace
	}
	if say.visits != nil {
		o.Instead.HTTPProbe, t.StopGrace, t.Patience = say.visits, shotGrace, 0
	}
	return o
}

// firstTalk is that of the first start: everything is used, and what the server
// leaves behind is kept for the next one.
func (st *stage) firstTalk() *talk {
	say := &talk{first: true, rounds: st.opts.Profile.rounds()}
	if say.rounds > 1 {
		say.words = st.compared
		say.keep = st.keptFile(0)
	}
	return say
}

// keptFile is where what the server leaves behind is kept, the n-th time.
func (st *stage) keptFile(n int) string {
	return filepath.Join(st.run.Path, fmt.Sprintf("kept-%d.tar", n))
}

// keeping begins to take what the server leaves behind; the function ends it.
func (say *talk) keeping() (*box.Export, func(), error) {
	if say.keep == "" {
		return nil, func() {}, nil
	}
	file, err := os.Create(say.keep)
	if err != nil {
		return nil, nil, fmt.Errorf("keeping what the server leaves behind: %w", err)
	}
	return &box.Export{Dirs: []string{mcpsf.Home}, Changed: true, Max: maxKept, To: file}, func() { _ = file.Close() }, nil
}
