package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// way is one of the three ways to run a program.
type way int

const (
	native   way = iota
	bare         // in gVisor, without the observer
	observed     // in gVisor, as in an assessment
	ways
)

func (w way) String() string { return [ways]string{"native", "gVisor", "observed"}[w] }

// lab is what all measurements share.
type lab struct {
	settings

	hostPath string
	temp     string
	files    []box.File
	progress io.Writer
}

func newLab(ctx context.Context, set settings, hostPath, temp string, progress io.Writer) (*lab, error) {
	for _, c := range box.Checks(ctx) {
		if !c.OK && !c.Optional {
			return nil, fmt.Errorf("unavailable: no sandbox here: %s: %s; %s", c.Name, c.Detail, c.Fix)
		}
	}
	dir, err := os.MkdirTemp(temp, "mcpsf-bench-")
	if err != nil {
		return nil, fmt.Errorf("making a place to work in: %w", err)
	}
	if err := os.Chmod(dir, 0o711); err != nil { // the sandbox runs as another user
		return nil, fmt.Errorf("making a place to work in: %w", err)
	}
	home, err := decoys.Mint(1, time.Now())
	if err != nil {
		return nil, fmt.Errorf("minting the decoys: %w", err)
	}
	l := &lab{settings: set, hostPath: hostPath, temp: dir, progress: progress}
	for _, d := range home.Decoys {
		l.files = append(l.files, box.File{Path: d.Path, Mode: d.Mode, Content: d.Content})
	}
	for _, f := range home.Scenery {
		l.files = append(l.files, box.File{Path: f.Path, Mode: f.Mode, Content: f.Content})
	}
	return l, nil
}

func (l *lab) close() { _ = os.RemoveAll(l.temp) }

// oneByOne starts the program anew for every measurement.
func (l *lab) oneByOne(ctx context.Context, dir string, measure func(way, *server) error) error {
	name := filepath.Base(dir)
	for round := range l.rounds {
		fmt.Fprintf(l.progress, "starting %s, %d of %d\n", name, round+1, l.rounds)
		for _, w := range turns(round) {
			s, err := l.launch(ctx, w, dir)
			if err == nil {
				err = errors.Join(measure(w, s), s.stop())
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, w, err)
			}
		}
	}
	return nil
}

// pieces is how many parts the work of a round is divided into: the machine's
// speed changes from second to second, but hardly within a tenth of one.
const pieces = 10

// sideBySide starts the program in all ways at once and lets them take turns.
func (l *lab) sideBySide(ctx context.Context, dir string, measure func(way, *server) error) (failed error) {
	name := filepath.Base(dir)
	var running [ways]*server
	for w := range ways {
		s, err := l.launch(ctx, w, dir)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", name, w, err)
		}
		running[w] = s
		defer func() { failed = errors.Join(failed, s.stop()) }()
	}
	for piece := range l.rounds * pieces {
		if piece%pieces == 0 {
			fmt.Fprintf(l.progress, "running %s, %d of %d\n", name, piece/pieces+1, l.rounds)
		}
		for _, w := range turns(piece) {
			if err := measure(w, running[w]); err != nil {
				return fmt.Errorf("%s, %s: %w", name, w, err)
			}
		}
	}
	return nil
}

// turns is the order of a round: each way is first equally often.
func turns(round int) []way {
	order := []way{native, bare, observed}
	first := round % len(order)
	return append(order[first:len(order):len(order)], order[:first]...)
}

// server is a running program and a connection to it.
type server struct {
	client

	begun time.Time
	// started is how long sandbox.Start took, 0 natively; ready is how long it
	// took until initialize was answered.
	started, ready time.Duration
	// records counts the observer's records.
	records atomic.Uint64
	// stop may be called again. Its error says that a record was lost, or that
	// cleaning up failed.
	stop func() error
}

// launch starts the program and initializes it. If ctx ends, the server is
// stopped, and so is any wait for its answer.
func (l *lab) launch(ctx context.Context, w way, dir string) (*server, error) {
	run, err := box.NewRunDir(filepath.Join(l.temp, "runs"), time.Now())
	if err != nil {
		return nil, err
	}
	artifact, err := source.Resolve(ctx, mcpsf.Target{Source: dir}, run.Stage(), nil)
	if err != nil {
		_ = run.Remove()
		return nil, err
	}
	i, err := interpreter.Choose(artifact.Runtime, "", l.hostPath)
	if err != nil {
		_ = run.Remove()
		return nil, err
	}
	var mounts []box.Mount
	if i.Source != "" {
		mounts = []box.Mount{{Source: i.Source, Target: i.Mount}}
	}
	s := &server{begun: time.Now()}
	if w == native {
		err = s.startNative(ctx, artifact, run, i.Host, l.hostPath)
	} else {
		err = s.startBox(ctx, &box.Options{
			Artifact: artifact, Run: run, Interpreter: i.Program, Content: box.Content{Files: l.files, Mounts: mounts},
			Machine: box.Machine{Now: time.Now()}, Observation: box.Observation{Off: w == bare},
		})
	}
	if err != nil {
		_ = run.Remove()
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = s.stop() })
	if err := s.initialize(); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.ready = time.Since(s.begun)
	return s, nil
}

func (s *server) startNative(ctx context.Context, artifact *mcpsf.Artifact, run *box.RunDir, program, path string) error {
	cmd := exec.CommandContext(ctx, program, artifact.Command[1:]...)
	cmd.Dir = artifact.Dir
	cmd.Env = []string{"HOME=" + run.Path, "PATH=" + path, "LANG=C.UTF-8"}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.client = client{in: in, out: bufio.NewReaderSize(out, maxLine)}
	s.stop = sync.OnceValue(func() error {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // reports that it was killed
		return run.Remove()
	})
	return nil
}

func (s *server) startBox(ctx context.Context, opts *box.Options) error {
	running, err := box.Start(ctx, opts)
	if err != nil {
		return err
	}
	s.started = time.Since(s.begun)
	s.client = client{in: running.Stdin(), out: bufio.NewReaderSize(running.Stdout(), maxLine)}
	reading := make(chan error, 1)
	go func() {
		// Without cancellation: records are read until the sandbox is gone.
		reading <- running.Each(context.WithoutCancel(ctx), func(*wire.Record) error {
			s.records.Add(1)
			return nil
		})
	}()
	var stderr sync.WaitGroup
	stderr.Go(func() { _, _ = io.Copy(io.Discard, running.Stderr()) })
	s.stop = sync.OnceValue(func() error {
		err := errors.Join(running.Stop(), <-reading, opts.Run.Remove())
		stderr.Wait()
		if told, heard := running.Totals().Committed, s.records.Load(); err == nil && told != heard {
			err = fmt.Errorf("the observer told of %d records and %d arrived", told, heard)
		}
		return err
	})
	return nil
}
