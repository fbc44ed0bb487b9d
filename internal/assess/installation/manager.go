package installation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// no gap: a larger installation fails, and the failure is reported
const (
	// installWall is the default limit on the time of an installation.
	installWall = 15 * time.Minute
	// installLinger is how long processes that an installation leaves running
	// are observed.
	installLinger = 10 * time.Second
	// maxInstalled is the default limit on the size of installed files.
	maxInstalled = 3 << 30
	// maxPackage bounds the published file.
	maxPackage = 1 << 30
)

// runManager runs the package manager in a sandbox of its own.
func (x *Installer) runManager(ctx context.Context, log *trace.Log, archive io.Writer) (*record, error) {
	began := time.Now()
	finder, err := x.Machine.Net.Finder(nil)
	if err != nil {
		return nil, err
	}
	mon, err := monitor.New(&monitor.Options{
		Decoys: x.Machine.Home.Decoys, Leaks: finder, NameOf: x.Machine.Net.NameOf, Phase: mcpsf.PhaseInstall, StartNanos: virtualclock.Nanotime(), Now: virtualclock.Nanotime, Emit: log.Append,
	})
	if err != nil {
		return nil, err
	}
	// The streams carry no MCP session that events could be tied to.
	mon.Consumed(mcpsf.Stdout, math.MaxInt64)
	mon.Consumed(mcpsf.Stderr, math.MaxInt64)
	options, err := x.boxOptions(archive)
	if err != nil {
		return nil, err
	}
	mon.Started(x.Machine.Platform, false, "")
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
	watching := boxwatch.Watch(ctx, running, mon)
	output := newTail(running.Stdout(), running.Stderr())
	late := x.wait(ctx, running, mon)
	output.wait()
	net.close() // before the link is gone
	if err := running.Stop(); err != nil {
		x.Fetcher.Logger.Warn("stopping the sandbox", "error", err)
	}
	ended := <-watching
	r := &record{Canaries: storedMarks(planted.Home(x.Machine.Home)), About: mcpsf.Installation{
		Manager: x.Artifact.Install.Manager, Command: x.plan.Command, Runtime: x.Toolchain.describe(),
		Code: running.Exit().Code, Output: output.text(), Packages: net.gateway.Totals().Packages,
		Seconds: time.Since(began).Seconds(), Before: x.Before,
	}}
	exit := running.Exit()
	if exit.Limit != "" {
		mon.Limit(mcpsf.LimitDetail{Name: exit.Limit, Limit: exit.Max, Value: exit.Value, Action: "killed"})
	}
	mon.Note(mcpsf.KindSandboxStop, "installation ended")
	r.Seen = boxwatch.Observed{Received: mon.Close(), Kernel: running.Totals(), Trouble: boxwatch.Trouble(ended, &exit)}
	r.Seen.Received.Suppressed += uint64(net.sink.Missed())
	r.Seen.Unsearched, r.Seen.Gaps = finder.Exhausted(), finder.Gaps()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the assessment was interrupted: %w", ctx.Err())
	}
	r.About.Failed = x.failure(running, late, &r.About)
	return r, nil
}

func (l Limits) wall() time.Duration {
	if l.Wall > 0 {
		return l.Wall
	}
	return installWall
}

func (l Limits) disk() int64 {
	if l.Disk > 0 {
		return l.Disk
	}
	return maxInstalled
}

func (x *Installer) boxOptions(archive io.Writer) (*box.Options, error) {
	files := planted.Files(x.Machine.Home)
	if x.plan.File != "" {
		content, err := readFile(x.Artifact.Install.Package, maxPackage)
		if err != nil {
			return nil, fmt.Errorf("reading the package: %w", err)
		}
		files = append(files, box.File{Path: x.plan.File, Mode: 0o644, Content: content})
	}
	for _, name := range slices.Sorted(maps.Keys(x.plan.Texts)) {
		files = append(files, box.File{Path: name, Mode: 0o644, Content: []byte(x.plan.Texts[name])})
	}
	artifact := &mcpsf.Artifact{
		Command: x.plan.Command, Env: slices.Concat(planted.Environment(x.Machine.Home), x.Toolchain.Env, x.plan.Env),
		Runtime: x.Artifact.Runtime, RootFS: x.Toolchain.image,
	}
	if x.plan.File == "" {
		artifact.Dir = x.Artifact.Dir
	}
	return &box.Options{
		Artifact: artifact, Run: x.Machine.Run, Linger: installLinger,
		Export:      &box.Export{Dirs: []string{mcpsf.Home}, Max: x.Limits.disk(), To: archive},
		Limits:      box.Limits{Memory: 4 << 30, Disk: x.Limits.disk(), CPUSeconds: 3600, PIDs: 1024, CPUs: x.Machine.CPUs},
		Interpreter: x.Toolchain.Interpreter.Program,
		Content:     box.Content{Files: files, Mounts: x.Toolchain.Mounts},
		Network:     box.Network{Link: true, Roots: x.Machine.Net.Roots()},
		Machine:     box.Machine{Seed: x.Machine.Seed, Now: x.Machine.Now()},
		Engine:      box.Engine{Platform: x.Machine.Platform},
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

// wait returns when the installation has ended, and whether the time limit ended it.
func (x *Installer) wait(ctx context.Context, running *box.Box, mon *monitor.Monitor) (late bool) {
	alarm := time.NewTimer(x.Limits.wall())
	defer alarm.Stop()
	select {
	case <-running.Done():
		return false
	case <-ctx.Done():
	case <-alarm.C:
		late = true
		mon.Limit(mcpsf.LimitDetail{
			Name: mcpsf.LimitWall, Limit: int64(x.Limits.wall().Seconds()), Value: int64(x.Limits.wall().Seconds()), Action: "killed",
		})
	}
	_ = running.Signal(context.WithoutCancel(ctx), syscall.SIGKILL)
	<-running.Done()
	return late
}

// failure says in one line why an installation cannot be used, "" if it can.
func (x *Installer) failure(running *box.Box, late bool, a *mcpsf.Installation) string {
	exit := running.Exit()
	name := string(a.Manager)
	usable, script, unlocked := install.Outcome(exit.Code)
	switch {
	case late:
		return fmt.Sprintf("%s did not finish within %v", name, x.Limits.wall())
	case exit.Error != "":
		return exit.Error
	case exit.Limit != "":
		return "the installation took too much " + exit.Limit
	case exit.Signal != 0:
		return fmt.Sprintf("%s was ended by signal %d", name, exit.Signal)
	case exit.Code != 0 && !usable:
		return fmt.Sprintf("%s exited with code %d: %s", name, exit.Code, listener.Reason(a.Output))
	}
	if script {
		a.Notes = append(a.Notes, "an install script failed, so what it would have made is not there: "+listener.Reason(a.Output))
	}
	noteLock(a, x.Artifact.Install, unlocked)
	if err := running.Exported(); err != nil {
		return err.Error()
	}
	return ""
}
