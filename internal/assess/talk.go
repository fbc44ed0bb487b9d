package assess

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
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
	shots []session.Shot
	until time.Time
	// guise is where the server is made to believe that it runs.
	guise guise
	// barrage is sent instead, and start is how long the handshake may take.
	barrage *session.Barrage
	start   time.Duration
	// shrinking is done instead.
	shrinking *session.Shrinking
	// guest talks instead.
	guest session.Guest
	// headers go with everything, and bearing is what they are to find out.
	headers http.Header
	bearing *mcpsf.AttackDetail
	// visits are made instead.
	visits *session.Visits
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
		Seed: opts.Seed, Client: say.client, Values: inputs, Roots: []string{inputs.Dir}, Spoken: told.spoken, Typed: told.secrets, MaxOutput: maxOutput,
		Clock: clock, Linger: opts.Linger, Busy: func() bool { return mon.Working() > 0 }, Alarm: mon.Alarm,
		Rounds: say.rounds, Words: say.words, Known: say.known, Since: say.since, Shots: say.shots, FirstCall: st.calls,
		Progress: progressOf(opts.Progress), Logger: opts.Logger,
	}
	if o.Patience, o.Endure = opts.Profile.patience(); clock.still {
		o.Patience, o.Endure = opts.Profile.realPatience(), 0
	}
	if say.known != nil {
		o.Patience, o.StopGrace = 0, shotGrace // its alarms, and its end, were waited for the first time
	}
	if len(say.shots) > 0 {
		o.Linger = min(o.Linger, shotLinger)
		o.CallTimeout, o.Patience, o.Until, o.StopGrace, o.MaxOutput = shotTimeout, 0, say.until, shotGrace, shotOutput
	}
	if say.shrinking != nil {
		o.Shrinking, o.CallTimeout, o.Patience = say.shrinking, shotTimeout, 0
	}
	if say.guest != nil {
		o.Guest, o.Patience, o.Linger = say.guest, 0, 0
	}
	if say.barrage != nil {
		o.Barrage, o.StartTimeout, o.StopGrace, o.Patience = say.barrage, say.start, barrageGrace, 0
	}
	if say.bearing != nil {
		o.Headers, o.Bearing, o.CallTimeout, o.Patience, o.StopGrace = say.headers, say.bearing, shotTimeout, 0, shotGrace
	}
	if say.visits != nil {
		o.Visits, o.StopGrace, o.Patience = say.visits, shotGrace, 0
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
