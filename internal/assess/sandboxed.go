package assess

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/packagefiles"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// sandboxedServer is a server that is started here. After its first start its
// fields are only read, because parallel runs share them.
type sandboxedServer struct {
	*assessment

	artifact     *mcpsf.Artifact
	facts        []mcpsf.Fact
	toolchain    *installation.Toolchain
	net          *internet.Internet
	world        *world
	fakePrograms *fakePrograms
	browser      *serverBrowser
	// archive is what was installed, "" if nothing was; uninstall frees it.
	archive   string
	uninstall func()
	about     *mcpsf.Installation
	// reading is the inspection of the package; repository is the fetch of its
	// repository. Both run in the background and are nil if not wanted.
	reading    *inspection.Reading
	repository *inspection.Repository
	// attacks are the attack calls on the server.
	attacks attacks

	// main is the run that all others branch off. first is the result of the
	// first start that answered; chosen is how it was started.
	main   *parallelRun
	first  *detonation
	chosen *launch.Launch
}

// attacks are the calls that a server is attacked with.
type attacks struct {
	// planned are ours; proposed are those of a model.
	planned, proposed []attackplan.AttackCall
	// payloads says how the model was asked, nil if none was.
	payloads *mcpsf.PayloadRun
}

var _ subject = (*sandboxedServer)(nil)

func newSandboxedServer(a *assessment) subject { return &sandboxedServer{assessment: a} }

func (s *sandboxedServer) prepare(ctx context.Context) error {
	if err := s.resolve(ctx, s.opts.fetcher().SourceOptions()); err != nil {
		return err
	}
	if err := s.equip(ctx); err != nil {
		return err
	}
	s.fetchRepository(ctx)
	return s.connect(ctx)
}

// resolve turns the target into digest-pinned bytes.
func (s *sandboxedServer) resolve(ctx context.Context, how *kind.Options) error {
	tell := s.opts.Caller.Progress
	tell.Step("resolve", s.opts.Target.Source)
	a, facts, err := source.ResolveWithFacts(ctx, s.opts.Target, s.run.Stage(), how)
	if err != nil {
		return err
	}
	text := wording.Count(a.Files, "file") + ", " + shortDigest(a.Digest)
	if a.Version != "" {
		text = a.Name + " " + a.Version + ", " + text
	}
	tell.Done(text)
	s.artifact, s.facts = a, facts
	s.main = &parallelRun{server: s, ledger: s.ledger, home: s.home, progress: tell, began: virtualclock.Nanotime(), unreported: facts}
	return nil
}

func shortDigest(digest string) string {
	const keep = len("sha256:") + 12
	return digest[:min(len(digest), keep)]
}

// equip finds the runtime.
func (s *sandboxedServer) equip(ctx context.Context) error {
	t, err := s.opts.fetcher().Toolchain(ctx, s.artifact)
	if err != nil {
		return err
	}
	if s.toolchain != nil {
		s.toolchain.Release()
	}
	s.toolchain = t
	return nil
}

// fetchRepository begins to fetch the repository that the package names.
func (s *sandboxedServer) fetchRepository(ctx context.Context) {
	f := &inspection.Fetcher{Registry: s.opts.Sources.Registry, Cache: s.opts.Sources.Cache, Logger: s.opts.Caller.Logger, Dir: s.run.Path}
	s.repository = f.Fetch(ctx, s.opts.Inspect, s.artifact)
}

// connect makes the network of the run that ctx ends.
func (s *sandboxedServer) connect(ctx context.Context) (err error) {
	s.world = &world{expected: shape.New(), source: func() []mcpsf.ExpectedAnswer { return s.reading.ExpectedAnswers(ctx) }}
	s.net, err = internet.New(&internet.Options{
		Mode: s.opts.Network, Seed: s.opts.Seed, Home: s.home, Dir: s.run.Path, Now: s.opts.Caller.Now, Logger: s.opts.Caller.Logger,
		Expected: s.world.expected,
	})
	s.main.net = s.net
	if s.artifact.RootFS == "" { // an image has its own programs
		s.fakePrograms = &fakePrograms{seed: s.opts.Seed, now: s.opts.Caller.Now()}
	}
	return err
}

func (s *sandboxedServer) observe(ctx context.Context) error {
	if err := s.install(ctx, time.Time{}); err != nil {
		return err
	}
	s.reading = s.read(ctx)
	if err := s.startOrReinstall(ctx); err != nil {
		return err
	}
	s.world.expected.Freeze() // later starts get the same answers
	s.world.local.Freeze()
	return s.main.stress(ctx)
}

// read begins to read the package as it is installed now.
func (s *sandboxedServer) read(ctx context.Context) *inspection.Reading {
	return inspection.Start(ctx, s.opts.Inspect, &inspection.Subject{
		Artifact: s.artifact, Facts: s.facts, Archive: s.archive, Repository: s.repository, Now: s.opts.Caller.Now(),
	})
}

func (s *sandboxedServer) report(ctx context.Context) (*mcpsf.Report, error) {
	events := s.ledger.log.Events()
	if err := s.writeTraffic(events); err != nil {
		return nil, err
	}
	if err := s.writeConversations(); err != nil {
		return nil, err
	}
	if !s.reading.Of(s.archive) && s.cut == "" { // it was reinstalled meanwhile
		s.reading.Stop()
		s.reading = s.read(ctx)
	}
	if s.first == nil {
		s.notStarted(s.cut + " before the server was started")
	}
	read := s.reading.Wait()
	r := s.newReport(s.chosen, s.first.session)
	r.Coverage = coverage(s.opts.Profile, s.opts.Network, s.first, s.ledger.boxes, events)
	if s.about != nil && s.about.Unlocked != "" {
		s.ledger.gap(gap.Detailed(gap.LockNotHonoured, "what it does with the versions that its author locked: "+s.about.Unlocked))
	}
	if s.about != nil && !s.about.Before.IsZero() {
		s.ledger.gap(gap.Detailed(gap.OlderReleases, "what it does with today's releases of its dependencies: it does not work with them, so those of "+s.about.Before.Format(time.DateOnly)+" were installed"))
	}
	r.Coverage.Gaps, r.Coverage.Restarts = gap.Sorted(append(r.Coverage.Gaps, s.ledger.gaps...)), s.ledger.restarts
	if most, _ := s.opts.Profile.Attacks(); most > 0 && s.first.session.Initialized {
		r.Coverage.Attacks = &mcpsf.AttackTotals{Planned: s.ledger.planned, Made: s.ledger.planned - s.ledger.unmade}
	}
	r.Agents, r.Payloads = s.ledger.agents, s.attacks.payloads
	inspection.AddTo(r, read, &inspection.Shown{Events: events, Boxes: s.ledger.boxes, Code: s.codeRun(read)})
	return r, nil
}

// newReport returns a report that says what was run. Only the user's part of the
// command line and environment can explain an access: the package's own part
// cannot excuse it.
func (s *sandboxedServer) newReport(given *launch.Launch, session *mcpsf.Session) *mcpsf.Report {
	r := s.assessment.newReport(s.artifact, session)
	r.Installation, r.Facts = s.about, s.facts
	r.Declared.Command, r.Declared.Env = given.Given, append(slices.Clone(given.Vars), s.opts.Target.Env...)
	r.Declared.Hosts, r.Declared.Inputs = packagefiles.DeclaredHosts(s.artifact), attackplan.Inputs(session)
	r.Declared.Variables = packagefiles.DeclaredVariables(s.artifact)
	return r
}

// writeTraffic writes the capture to the caller's file.
func (s *sandboxedServer) writeTraffic(events []mcpsf.Event) error {
	if s.opts.Output.Traffic == nil {
		return nil
	}
	w, err := s.create(trafficFile, s.opts.Output.Traffic)
	if err != nil {
		return err
	}
	return errors.Join(s.net.WriteCapture(w, events), w.Close())
}

func (s *sandboxedServer) release() {
	s.reading.Stop()
	s.repository.Stop()
	s.removeInstalled()
	if s.net != nil {
		s.net.Close()
	}
	if s.toolchain != nil {
		s.toolchain.Release()
	}
	if s.browser != nil {
		s.browser.release()
	}
	if s.artifact != nil && s.artifact.Release != nil {
		s.artifact.Release()
	}
}

// removeInstalled frees what was installed.
func (s *sandboxedServer) removeInstalled() {
	if s.uninstall != nil {
		s.uninstall()
		s.uninstall = nil
	}
}
