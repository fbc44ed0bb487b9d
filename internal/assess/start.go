package assess

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// start tries the ways to start the server until one answers. If none does, the
// result is that of the first way.
func (p *parallelRun) start(ctx context.Context) (*detonation, *launch.Launch, error) {
	s := p.server
	planner := s.launches()
	wanted := planner.Wanted()
	queue := planner.First(wanted)
	session := p.firstSession()
	var made plan.Starts
	var best *detonation
	var chosen *launch.Launch
	var unheard []string
	asked := false                        // for variables, by tools
	for again := false; len(queue) > 0; { // again: what it wanted is there now
		try := queue[0]
		queue = queue[1:]
		if !again && !made.Another(try.Key(), try.Candidate) {
			continue
		}
		s.world.expected.Begin()
		d, err := p.detonate(ctx, try, session)
		if err != nil {
			return nil, nil, err
		}
		s.noteOutcome(try, d)
		if best == nil || isBetter(d, best, asked) {
			best, chosen = d, try
		}
		if again = p.startsAgain(d); again {
			queue = append([]*launch.Launch{try}, queue...)
			continue
		}
		if d.session.Initialized {
			more := planner.Asked(try, refusals(d.session))
			if asked || more == nil || len(s.opts.Target.Command) > 0 {
				break
			}
			asked, queue = true, []*launch.Launch{more}
			continue
		}
		if try.Via == launch.HTTP {
			unheard = append(unheard, "what it says where it listens: "+strings.Join(d.session.Irregularities, "; "))
		}
		if ways := try.WhereItListens(); len(ways) > 0 && len(d.listening) > 0 {
			queue = append(ways, queue...)
			continue
		}
		if len(s.opts.Target.Command) > 0 {
			continue
		}
		made.Failed(try.Candidate, d.session.Closed != "crashed")
		queue = append(planner.Repaired(try, d.said, d.exitCode(), wanted), queue...)
		if again = len(queue) == 0 && s.world.learnsFrom(d); again {
			queue = []*launch.Launch{try}
		}
	}
	if best == nil {
		return nil, nil, fmt.Errorf("there is no way to start %s", s.artifact.Name)
	}
	if !best.session.Initialized {
		p.ledger.gaps = append(p.ledger.gaps, gap.All(gap.Unanswered, unheard)...)
	}
	staysWith(best, chosen)
	s.artifact.Command, s.artifact.Env = chosen.Command, chosen.Env
	return best, chosen, nil
}

// staysWith makes later starts use the streams alone, if the server answered there, even if
// slowly.
func staysWith(best *detonation, chosen *launch.Launch) {
	if best.session.Initialized && chosen.Via == launch.Streams {
		chosen.Via = launch.StreamsOnly
	}
}

// startsAgain tells whether the first session is repeated, because what the server wanted
// at localhost when it started is there now.
func (p *parallelRun) startsAgain(d *detonation) bool {
	if !d.local.Again(!worksMostly(d.session)) {
		return false
	}
	p.ledger.takeBackAll(d.session.Gaps)
	return true
}

// isBetter tells whether a start goes further than the best one before. One with the
// variables that tools asked for must not cost other tools.
func isBetter(now, best *detonation, asked bool) bool {
	return now.session.Initialized && (!asked || toolsThatWorked(now.session) >= toolsThatWorked(best.session))
}

// refusals returns what the calls of the tools said that never worked.
func refusals(s *mcpsf.Session) string {
	worked := working(s)
	var said []string
	for i := range s.Calls {
		if c := &s.Calls[i]; c.Status != mcpsf.CallOK && c.Tool != "" && c.Note != "" && !worked[c.Tool] {
			said = append(said, c.Note)
		}
	}
	slices.Sort(said)
	return strings.Join(slices.Compact(said), "\n")
}

// worksMostly tells whether most tools of a server worked.
func worksMostly(s *mcpsf.Session) bool { return 2*toolsThatWorked(s) > len(s.Tools) }

func toolsThatWorked(s *mcpsf.Session) int { return len(working(s)) }

// working returns the tools of which a call worked.
func working(s *mcpsf.Session) map[string]bool {
	worked := map[string]bool{}
	for i := range s.Calls {
		if c := &s.Calls[i]; c.Status == mcpsf.CallOK && c.Tool != "" {
			worked[c.Tool] = true
		}
	}
	return worked
}

// launches returns the planner of ways to start the server.
func (s *sandboxedServer) launches() *launch.Planner {
	p := &launch.Planner{
		Artifact: s.artifact, Target: s.opts.Target, Home: s.home, Seed: s.opts.Seed,
		ToolchainEnv: s.toolchain.Env, Installed: s.archive != "",
	}
	if i := s.toolchain.Interpreter; i.Mount != "" {
		p.InterpreterDir = path.Dir(i.Program)
	}
	return p
}

// noteOutcome records in the artifact whether a candidate worked.
func (s *sandboxedServer) noteOutcome(try *launch.Launch, d *detonation) {
	list := s.artifact.Candidates
	if try.Candidate >= len(list) {
		return
	}
	c := &list[try.Candidate]
	for i := range list {
		list[i].Chosen = list[i].Chosen && !d.session.Initialized
	}
	c.Chosen = c.Chosen || d.session.Initialized
	outcome := "answered initialize"
	if !d.session.Initialized {
		outcome = "did not answer initialize"
		if reason := listener.Reason(d.said); reason != "" {
			outcome += ": " + reason
		}
	}
	if len(try.Extra) > 0 {
		outcome = "with " + strings.Join(try.Extra, " ") + ": " + outcome
	}
	if c.Outcome != "" {
		outcome = c.Outcome + "; " + outcome
	}
	c.Outcome = outcome
}
