package assess

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/gateway"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// installWall is how long an installation may take, if the options do not
	// say.
	installWall = 15 * time.Minute
	// installLinger is how long is watched what an installation leaves
	// running.
	installLinger = 10 * time.Second
	// maxInstalled bounds what an installation leaves behind, if the options
	// do not say.
	maxInstalled = 3 << 30
	// maxPackage bounds the published file.
	maxPackage = 1 << 30
	// gatewayPort is where the gateway is reached.
	gatewayPort = 80
	// keptOutput is how much of the manager's output is kept: its end.
	keptOutput = 16 << 10
)

// The files of a finished installation.
const (
	treeFile   = "tree.tar"
	eventsFile = "events.jsonl"
)

// installed is a finished installation.
type installed struct {
	// archive is what it left behind, "" if it failed.
	archive string
	about   mcpsf.Installation
	seen    observed
	// marks are what was planted in another run, if it is of another.
	marks   []leak.Mark
	release func()
}

// observed says how well a box was watched.
type observed struct {
	Kernel   wire.Totals    `json:"kernel"`
	Received monitor.Totals `json:"received"`
	Trouble  string         `json:"trouble,omitempty"`
	// Unlooked says that not everything was searched for what was planted.
	Unlooked bool `json:"unlooked,omitempty"`
}

// record is the note that an installation is kept with.
type record struct {
	About mcpsf.Installation `json:"about"`
	Seen  observed           `json:"seen"`
	// Marks are what was planted then: it may lie in what was installed.
	Marks []leak.Mark `json:"marks"`
}

// installer does one installation.
type installer struct {
	opts      *Options
	run       *box.RunDir
	artifact  *mcpsf.Artifact
	equipment *equipment
	home      *decoys.Home
	net       *internet
	plan      *install.Plan
	// before is the day up to which registries are believed, zero for today.
	before time.Time
	// failed holds the installation that did not work, with its events.
	failed *record
	events []mcpsf.Event
}

// errInstall ends the building of a tree that is not worth keeping.
var errInstall = errors.New("the installation failed")

// do installs the artifact, or finds that it has been installed before, and
// puts what happened into the log.
func (x *installer) do(ctx context.Context, log *trace.Log) (*installed, error) {
	var err error
	tools := x.equipment.tools(x.opts)
	tools.Before = x.before
	if x.plan, err = install.New(x.artifact, tools); err != nil {
		return nil, err
	}
	text := string(x.artifact.Install.Manager) + " install " + x.artifact.Name
	if !x.before.IsZero() {
		text += " as of " + x.before.Format(time.DateOnly)
	}
	x.opts.Progress.Step("install", text)
	built := false
	dir, note, release, err := x.opts.trees().Tree(ctx, x.plan.Key, func(ctx context.Context, dir string) ([]byte, error) {
		built = true
		return x.build(ctx, dir)
	})
	if errors.Is(err, errInstall) && x.failed != nil {
		shift := shiftOf(log)
		for _, e := range x.events {
			log.Append(shift.move(e))
		}
		x.opts.Progress.Warn(x.failed.About.Failed)
		return &installed{about: x.failed.About, seen: x.failed.Seen, release: func() {}}, nil
	}
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(note, &r); err != nil {
		release()
		return nil, fmt.Errorf("reading about an earlier installation (mcpsf cache clear helps): %w", err)
	}
	if err := replay(filepath.Join(dir, eventsFile), log); err != nil {
		release()
		return nil, fmt.Errorf("reading an earlier installation (mcpsf cache clear helps): %w", err)
	}
	r.About.Cached = !built
	if built {
		r.Marks = nil
	}
	x.opts.Progress.Done(x.summary(&r.About))
	return &installed{archive: filepath.Join(dir, treeFile), about: r.About, seen: r.Seen, marks: r.Marks, release: release}, nil
}

func (x *installer) summary(a *mcpsf.Installation) string {
	text := wording.Count(len(a.Packages), "package")
	if a.Cached {
		return text + ", from the cache"
	}
	return text
}

// replay appends recorded events.
func replay(file string, log *trace.Log) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	shift := shiftOf(log)
	return trace.Read(f, func(e mcpsf.Event) error {
		log.Append(shift.move(e))
		return nil
	})
}

// shift is by how much events that were recorded on their own move when they
// follow others.
type shift struct {
	seq int64
	t   float64
}

func shiftOf(log *trace.Log) shift {
	events := log.Events()
	if len(events) == 0 {
		return shift{}
	}
	return shift{int64(len(events)), events[len(events)-1].T}
}

func (s shift) move(e mcpsf.Event) mcpsf.Event {
	e.Seq += s.seq
	e.T += s.t
	if e.Cause != 0 {
		e.Cause += s.seq
	}
	return e
}

// build fills dir with a finished installation.
func (x *installer) build(ctx context.Context, dir string) (note []byte, err error) {
	archive, err := os.Create(filepath.Join(dir, treeFile))
	if err != nil {
		return nil, fmt.Errorf("keeping what was installed: %w", err)
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	events, err := os.Create(filepath.Join(dir, eventsFile))
	if err != nil {
		return nil, fmt.Errorf("keeping what was installed: %w", err)
	}
	defer func() { err = errors.Join(err, events.Close()) }()
	log := trace.NewLog(trace.Create(events))
	r, err := x.detonate(ctx, log, archive)
	if err != nil {
		return nil, err
	}
	if err := log.Close(); err != nil {
		return nil, err
	}
	if r.About.Failed != "" {
		x.failed, x.events = r, log.Events()
		return nil, errInstall
	}
	return json.Marshal(r)
}

// detonate runs the package manager in a sandbox of its own.
func (x *installer) detonate(ctx context.Context, log *trace.Log, archive io.Writer) (*record, error) {
	began := time.Now()
	finder, err := x.net.finder(nil)
	if err != nil {
		return nil, err
	}
	mon, err := monitor.New(&monitor.Options{
		Decoys: x.home.Decoys, Leaks: finder, NameOf: x.net.book.Name, Phase: mcpsf.PhaseInstall, StartNanos: nanotime(), Now: nanotime, Emit: log.Append,
	})
	if err != nil {
		return nil, err
	}
	// There is no conversation to be told with the streams.
	mon.Consumed(mcpsf.Stdout, math.MaxInt64)
	mon.Consumed(mcpsf.Stderr, math.MaxInt64)
	options, err := x.boxOptions(archive)
	if err != nil {
		return nil, err
	}
	mon.Note(mcpsf.KindSandboxStart, "gVisor "+x.opts.Platform)
	running, err := box.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = running.Stop() }()
	net, err := x.connect(ctx, running, mon, finder)
	if err != nil {
		return nil, err
	}
	defer net.close()
	_ = running.Stdin().Close()
	watching := watched(ctx, running, mon)
	output := newTail(running.Stdout(), running.Stderr())
	late := x.wait(ctx, running, mon)
	output.wait()
	net.close() // while the link is there
	if err := running.Stop(); err != nil {
		x.opts.Logger.Warn("stopping the sandbox", "error", err)
	}
	ended := <-watching
	r := &record{Marks: planted(x.home), About: mcpsf.Installation{
		Manager: x.artifact.Install.Manager, Command: x.plan.Command, Runtime: x.equipment.describe(),
		Code: running.Exit().Code, Output: output.text(), Packages: net.gateway.Totals().Packages,
		Seconds: time.Since(began).Seconds(), Before: x.before,
	}}
	exit := running.Exit()
	if exit.Limit != "" {
		mon.Limit(mcpsf.LimitDetail{Name: exit.Limit, Limit: exit.Max, Value: exit.Value, Action: "killed"})
	}
	mon.Note(mcpsf.KindSandboxStop, "installation ended")
	r.Seen = observed{Received: mon.Close(), Kernel: running.Totals(), Trouble: trouble(ended, &exit)}
	r.Seen.Received.Suppressed += uint64(net.sink.Missed())
	r.Seen.Unlooked = finder.Exhausted()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the assessment was interrupted: %w", ctx.Err())
	}
	r.About.Failed = x.failure(running, late, &r.About)
	return r, nil
}

func (o *Options) installWall() time.Duration {
	if o.InstallWall > 0 {
		return o.InstallWall
	}
	return installWall
}

func (o *Options) installDisk() int64 {
	if o.InstallDisk > 0 {
		return o.InstallDisk
	}
	return maxInstalled
}

func (x *installer) boxOptions(archive io.Writer) (*box.Options, error) {
	files := furniture(x.home)
	if x.plan.File != "" {
		content, err := readFile(x.artifact.Install.Package, maxPackage)
		if err != nil {
			return nil, fmt.Errorf("reading the package: %w", err)
		}
		files = append(files, box.File{Path: x.plan.File, Mode: 0o644, Content: content})
	}
	artifact := &mcpsf.Artifact{
		Command: x.plan.Command, Env: slices.Concat(exported(x.home), x.equipment.env, x.plan.Env),
		Runtime: x.artifact.Runtime, RootFS: x.equipment.image,
	}
	if x.plan.File == "" {
		artifact.Dir = x.artifact.Dir
	}
	return &box.Options{
		Artifact: artifact, Run: x.run, Linger: installLinger,
		Export:      &box.Export{Dirs: []string{mcpsf.Home}, Max: x.opts.installDisk(), To: archive},
		Limits:      box.Limits{Memory: 4 << 30, Disk: x.opts.installDisk(), CPUSeconds: 3600, PIDs: 1024, CPUs: x.opts.Limits.CPUs},
		Interpreter: x.equipment.interpreter.Program,
		Content:     box.Content{Files: files, Mounts: x.equipment.mounts},
		Network:     box.Network{Link: true, Roots: x.net.authority.PEM()},
		Machine:     box.Machine{Seed: x.opts.Seed, Now: x.opts.Now()},
		Engine:      box.Engine{Platform: x.opts.Platform},
	}, nil
}

func readFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1)) //nolint:forbidigo // limited
	if err == nil && int64(len(content)) > most {
		err = errors.New("it is larger than " + strconv.FormatInt(most>>20, 10) + " MB")
	}
	return content, err
}

// wait returns when the installation has ended, and whether it had to be.
func (x *installer) wait(ctx context.Context, running *box.Box, mon *monitor.Monitor) (late bool) {
	alarm := time.NewTimer(x.opts.installWall())
	defer alarm.Stop()
	select {
	case <-running.Done():
		return false
	case <-ctx.Done():
	case <-alarm.C:
		late = true
		mon.Limit(mcpsf.LimitDetail{
			Name: mcpsf.LimitWall, Limit: int64(x.opts.installWall().Seconds()), Value: int64(x.opts.installWall().Seconds()), Action: "killed",
		})
	}
	_ = running.Signal(context.WithoutCancel(ctx), syscall.SIGKILL)
	<-running.Done()
	return late
}

// failure says in one line why an installation is of no use, "" if it is.
func (x *installer) failure(running *box.Box, late bool, a *mcpsf.Installation) string {
	exit := running.Exit()
	name := string(a.Manager)
	switch {
	case late:
		return fmt.Sprintf("%s did not finish within %v", name, x.opts.installWall())
	case exit.Error != "":
		return exit.Error
	case exit.Limit != "":
		return "the installation took too much " + exit.Limit
	case exit.Signal != 0:
		return fmt.Sprintf("%s was ended by signal %d", name, exit.Signal)
	case exit.Code == install.Tolerated:
		a.Notes = append(a.Notes, "an install script failed, so what it would have made is not there: "+lastWords(a.Output))
	case exit.Code != 0:
		return fmt.Sprintf("%s exited with code %d: %s", name, exit.Code, lastWords(a.Output))
	}
	if err := running.Exported(); err != nil {
		return err.Error()
	}
	return ""
}

func trouble(watched error, exit *box.Exit) string {
	switch {
	case watched != nil:
		return watched.Error()
	case exit.Error != "":
		return exit.Error
	}
	return ""
}

// network is what an installation can reach.
type network struct {
	sink    *fakenet.Network
	gateway *gateway.Gateway
	close   func()
}

func (x *installer) connect(ctx context.Context, running *box.Box, mon *monitor.Monitor, finder *leak.Finder) (*network, error) {
	sink, err := x.net.connectInstaller(ctx, running, mon, finder, install.GatewayHost)
	if err != nil {
		return nil, err
	}
	n := &network{sink: sink}
	n.gateway = gateway.New(&gateway.Options{
		Client: x.opts.Registry, Before: x.before, Logger: x.opts.Logger,
		Progress: func(packages int, size int64) {
			x.opts.Progress.Update(fmt.Sprintf("%s, %.1f MB", wording.Count(packages, "package"), float64(size)/(1<<20)))
		},
		Attempt: func(a gateway.Attempt) {
			if a.Refused != "" {
				refused(mon, &a)
			}
		},
	})
	server := n.gateway.Server()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(sink.Listen(install.GatewayHost)) // ends when it is closed
	}()
	n.close = sync.OnceFunc(func() {
		_ = server.Close()
		sink.Close()
		<-served
	})
	return n, nil
}

// refused tells of a request that the gateway did not grant.
func refused(mon *monitor.Monitor, a *gateway.Attempt) {
	from, _ := netip.ParseAddrPort(a.From)
	to := netip.AddrPortFrom(netip.MustParseAddr(mcpsf.NetGateway4), gatewayPort)
	mon.Traffic(nanotime(), monitor.Flow{Local: from.Port(), Remote: to}, &mcpsf.Event{
		Kind: mcpsf.KindNetHTTP, Net: &mcpsf.NetDetail{Family: "http", Name: a.URL, Type: a.Method, Error: a.Refused},
	})
}

// tail keeps the end of what is written to two streams.
type tail struct {
	mu   sync.Mutex
	kept []byte
	work sync.WaitGroup
}

func newTail(streams ...io.Reader) *tail {
	t := &tail{}
	for _, s := range streams {
		t.work.Go(func() { _, _ = io.Copy(t, s) })
	}
	return t
}

// Write implements [io.Writer].
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - keptOutput; over > keptOutput {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

// wait returns when both streams have ended, or soon after: something that
// outlives the installation can hold them open.
func (t *tail) wait() {
	done := make(chan struct{})
	go func() { t.work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.ToValidUTF8(t.kept[max(0, len(t.kept)-keptOutput):], []byte("?")))
}
