package assess

import (
	"errors"
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
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// no gap: reaching it is a limit event, which the verdict counts
const (
	// maxOutput is how much the server may write to each of its streams. attackOutput
	// is the limit under attack, when much of the output repeats our input.
	maxOutput, attackOutput = 64 << 20, 512 << 20
	// attackTimeout is how long the answer to an attack is waited for.
	attackTimeout = 3 * time.Second
	// attackLinger is how long the server is observed after the last attack.
	attackLinger = time.Second
	// attackGrace is how long each step of stopping the server may take after
	// attacks, and fuzzGrace after malformed messages.
	attackGrace, fuzzGrace = 500 * time.Millisecond, time.Second
)

// maxKept bounds the files that a server may leave for its next start.
// gap: state-not-kept
const maxKept = 256 << 20

// sessionPlan is what one start of the server is for. The zero value only lists
// what it offers.
type sessionPlan struct {
	// first says that this is the first session with the server.
	first bool
	// rounds is how often each tool is called. words returns the words that its
	// code compares texts with.
	rounds int
	words  func() []string
	// known is the earlier session to compare with, and since what happened
	// after it. client is the client to imitate, if another.
	known  *mcpsf.Session
	since  mcpsf.ChangeCause
	client session.Client
	// environment is where the server is made to believe that it runs.
	environment plan.Environment
	// attacks are made instead of ordinary calls, until a time.
	attacks []attackplan.AttackCall
	until   time.Time
	// fuzzing, shrinking, probe or agent is done instead.
	fuzzing   *session.Fuzzing
	start     time.Duration // the limit of the handshake for fuzzing
	shrinking *session.Shrinking
	probe     *session.HTTPProbe
	agent     session.Agent
	// headers are sent with every request; headerAttack is the attack that they make.
	headers      http.Header
	headerAttack *mcpsf.AttackDetail
	// code records which code of the server runs.
	code *box.Own
	// files are planted in addition.
	files []box.File
	// kept is an archive of the files that an earlier start left; keep is where
	// this start's files are archived.
	kept, keep string
}

// options returns the options of a session with any server, here or elsewhere.
func (s *sessionPlan) options(opts *Options, inputs meaning.Values, tell progress.Reporter, firstCall int) *session.Options {
	answers := planted.NewAnswers(opts.Seed)
	o := &session.Options{
		Inputs:    session.Inputs{Seed: opts.Seed, Values: inputs, Rounds: s.rounds, Words: s.words},
		Client:    s.client,
		Answers:   session.Answers{Roots: []string{inputs.Dir}, Sampling: answers.Sampling, Typed: answers.Typed},
		Limits:    transport.Limits{MaxOutput: maxOutput},
		Timing:    session.Timing{Linger: opts.Sandbox.Linger, Lost: opts.Caller.Fair.Lost},
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

// restrict sets what a session in the sandbox does instead of ordinary calls,
// and its time limits.
func (s *sessionPlan) restrict(o *session.Options) {
	t := &o.Timing
	if s.known != nil {
		t.Patience, t.StopGrace = 0, attackGrace // the first session waited for its timers and its exit
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

// firstSession calls everything, and keeps the files that the server leaves for the next start.
func (p *parallelRun) firstSession() *sessionPlan {
	s := &sessionPlan{first: true, rounds: p.server.opts.Profile.Rounds(), words: p.words()}
	if s.rounds > 1 {
		s.keep = p.server.keptFile(0)
	}
	return s
}

// words returns a function that reads the words of the source for the calls of a
// session, nil if each tool is called once.
func (p *parallelRun) words() func() []string {
	if p.server.opts.Profile.Rounds() <= 1 {
		return nil
	}
	return func() []string { return p.server.reading.ComparedWords(p.server.artifact.Dir) }
}

// keptFile is where the files that the server leaves are kept, for the n-th start.
func (s *sandboxedServer) keptFile(n int) string {
	return filepath.Join(s.run.Path, fmt.Sprintf("kept-%d.tar", n))
}

// notKept says that the next start will not find what this one left. It is our
// bound only if the sandbox handed out what it could.
func notKept(err error) []mcpsf.Gap {
	if err == nil || errors.Is(err, box.ErrEnded) {
		return nil
	}
	return []mcpsf.Gap{gap.New(gap.StateNotKept, maxKept, 0)}
}

// export begins to archive the files that the server leaves; the function ends it.
func (s *sessionPlan) export() (*box.Export, func(), error) {
	if s.keep == "" {
		return nil, func() {}, nil
	}
	file, err := os.Create(s.keep)
	if err != nil {
		return nil, nil, fmt.Errorf("keeping what the server leaves behind: %w", err)
	}
	return &box.Export{Dirs: box.StateDirs(), Changed: true, Max: maxKept, To: file}, func() { _ = file.Close() }, nil
}
