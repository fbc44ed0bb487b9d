package assess

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const (
	// maxOutput is how much the server may write to each of its streams, and
	// attackOutput how much when it is attacked: much of it only repeats what it was sent.
	maxOutput, attackOutput = 64 << 20, 512 << 20
	// attackTimeout is how long the answer to an attack is waited for.
	attackTimeout = 3 * time.Second
	// attackLinger is how long to stay after the last attack.
	attackLinger = time.Second
	// attackGrace is how long each step of the end may take then, and fuzzGrace how long
	// for a server that was sent malformed messages.
	attackGrace, fuzzGrace = 500 * time.Millisecond, time.Second
	// maxKept bounds what a server may leave behind for its next start.
	maxKept = 64 << 20
)

// sessionPlan is what one start of the server is for. The zero value only lists what it
// offers.
type sessionPlan struct {
	// first says that nothing is known of the server yet.
	first bool
	// rounds is how often each tool is called, and words what its own code compares texts
	// with.
	rounds int
	words  func() []string
	// known is what the server said of itself before, and since what has changed; client
	// is who asks, if somebody else.
	known  *mcpsf.Session
	since  mcpsf.ChangeCause
	client session.Client
	// environment is where the server is made to believe that it runs.
	environment plan.Environment
	// attacks are made instead of using what it offers, until a time.
	attacks []attackplan.AttackCall
	until   time.Time
	// fuzzing, shrinking, probe or an agent's work is done instead.
	fuzzing   *session.Fuzzing
	start     time.Duration // how long the handshake may take for fuzzing
	shrinking *session.Shrinking
	probe     *session.HTTPProbe
	agent     session.Agent
	// headers go with every request, and headerAttack is what they are to find out.
	headers      http.Header
	headerAttack *mcpsf.AttackDetail
	// files are planted beside the others.
	files []box.File
	// kept is an archive of what it had left behind, and keep is where one is made of what
	// it leaves behind now.
	kept, keep string
}

// options are those of a session with any server, here or elsewhere.
func (s *sessionPlan) options(opts *Options, inputs schema.Values, tell progress.Reporter, firstCall int) *session.Options {
	answers := planted.NewAnswers(opts.Seed)
	o := &session.Options{
		Inputs:    session.Inputs{Seed: opts.Seed, Values: inputs, Rounds: s.rounds, Words: s.words},
		Client:    s.client,
		Answers:   session.Answers{Roots: []string{inputs.Dir}, Sampling: answers.Sampling, Typed: answers.Typed},
		Limits:    transport.Limits{MaxOutput: maxOutput},
		Timing:    session.Timing{Linger: opts.Sandbox.Linger},
		Earlier:   session.Earlier{Session: s.known, Since: s.since},
		Instead:   session.Instead{AttackCalls: s.attacks, Until: s.until},
		FirstCall: firstCall,
		Progress:  driverProgress(tell),
		Logger:    opts.Caller.Logger,
	}
	if len(s.attacks) > 0 {
		o.Timing.CallTimeout = attackTimeout
	}
	return o
}

// restrict sets what a session in the sandbox does instead of using what the server offers,
// and with that how long it may take.
func (s *sessionPlan) restrict(o *session.Options) {
	t := &o.Timing
	if s.known != nil {
		t.Patience, t.StopGrace = 0, attackGrace // its timers, and its end, were waited for the first time
	}
	if len(s.attacks) > 0 {
		t.Linger = min(t.Linger, attackLinger)
		t.Patience, t.StopGrace = 0, attackGrace
		o.Limits.MaxOutput = attackOutput
	}
	if s.shrinking != nil {
		o.Instead.Shrinking, t.CallTimeout, t.Patience = s.shrinking, attackTimeout, 0
	}
	if s.agent != nil {
		o.Instead.Agent, t.Patience, t.Linger = s.agent, 0, 0
	}
	if s.fuzzing != nil {
		o.Instead.Fuzzing, t.StartTimeout, t.StopGrace, t.Patience = s.fuzzing, s.start, fuzzGrace, 0
	}
	if s.headerAttack != nil {
		o.Endpoint.Headers, o.Endpoint.HeaderAttack = s.headers, s.headerAttack
		t.CallTimeout, t.Patience, t.StopGrace = attackTimeout, 0, attackGrace
	}
	if s.probe != nil {
		o.Instead.HTTPProbe, t.StopGrace, t.Patience = s.probe, attackGrace, 0
	}
}

// firstSession uses everything, and keeps what the server leaves behind for the next one.
func (p *parallelRun) firstSession() *sessionPlan {
	s := &sessionPlan{first: true, rounds: p.server.opts.Profile.Rounds()}
	if s.rounds > 1 {
		s.words = func() []string { return p.server.reading.ComparedWords(p.server.artifact.Dir) }
		s.keep = p.server.keptFile(0)
	}
	return s
}

// keptFile is where what the server leaves behind is kept, the n-th time.
func (s *sandboxedServer) keptFile(n int) string {
	return filepath.Join(s.run.Path, fmt.Sprintf("kept-%d.tar", n))
}

// export begins to take what the server leaves behind; the function ends it.
func (s *sessionPlan) export() (*box.Export, func(), error) {
	if s.keep == "" {
		return nil, func() {}, nil
	}
	file, err := os.Create(s.keep)
	if err != nil {
		return nil, nil, fmt.Errorf("keeping what the server leaves behind: %w", err)
	}
	return &box.Export{Dirs: []string{mcpsf.Home}, Changed: true, Max: maxKept, To: file}, func() { _ = file.Close() }, nil
}
