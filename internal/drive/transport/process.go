package transport

import (
	"context"
	"io"
	"math"
	"sync"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

// process is the server's process behind a link: its output is read to the end,
// and it is ended with the session.
type process struct {
	proc Process
	peer Peer
	tap  *Meter
	opts *Options

	silent chan struct{} // closed when stdout ended
	dry    chan struct{} // closed when stderr ended too
	pumps  sync.WaitGroup
}

func newProcess(p Process, peer Peer, tap *Meter, opts *Options) *process {
	return &process{proc: p, peer: peer, tap: tap, opts: opts, silent: make(chan struct{}), dry: make(chan struct{})}
}

// read begins to read both streams. The link handles stdout.
func (p *process) read(feed func([]byte), finish func()) {
	p.pumps.Go(func() {
		defer close(p.silent)
		p.pump(mcpsf.Stdout, p.proc.Stdout(), feed, finish)
	})
	p.pumps.Go(func() {
		l := p.liner(mcpsf.Stderr)
		p.pump(mcpsf.Stderr, p.proc.Stderr(), l.feed, l.finish)
	})
	go func() { p.pumps.Wait(); close(p.dry) }()
}

// liner reports a stream as lines of text.
func (p *process) liner(stream mcpsf.Stream) *liner {
	return &liner{stream: stream, emit: func(m mcpsf.Message) {
		m.Phase = p.peer.Phase()
		p.tap.Observe(m)
	}}
}

// pump reads a stream to its end. It counts and discards bytes beyond the
// limit, so that the server never blocks on us.
func (p *process) pump(stream mcpsf.Stream, r io.Reader, feed func([]byte), finish func()) {
	// no gap: what is longer is malformed output or ends the connection, which is an event
	const maxEmptyReads = 100
	buf := make([]byte, 64<<10)
	var total int64
	for empty := 0; empty < maxEmptyReads; empty++ {
		n, err := r.Read(buf)
		if n > 0 {
			empty = 0
			feed(buf[:p.tap.admit(stream, n)])
			total += int64(n)
			p.tap.consumed(stream, total)
		}
		if err != nil {
			break
		}
	}
	finish()
	p.tap.consumed(stream, math.MaxInt64)
}

// step is a way to end a server, and the ending to report if it worked.
type step struct {
	do             func()
	closed, ending string
}

// end ends the process, by one step after the other. After a limit the ending
// is empty: the caller sets it, because a limit can still be reached later.
func (p *process) end(ctx context.Context, alone bool, steps []step) (closed, ending string) {
	switch {
	case p.tap.reached():
		p.kill(ctx)
		return closedLimit, ""
	case ctx.Err() != nil:
		return p.overdue(ctx)
	case alone:
		return closedCrashed, "the server ended by itself before it was asked to"
	}
	for i, step := range steps {
		step.do()
		limit := p.opts.StopGrace
		if i == len(steps)-1 {
			limit = killPatience
		}
		if p.ended(ctx, limit) {
			return step.closed, step.ending
		}
		if p.tap.reached() {
			p.kill(ctx)
			return closedLimit, ""
		}
		if ctx.Err() != nil {
			return p.overdue(ctx)
		}
	}
	return closedKilled, "the server did not end when it was killed"
}

// killPatience is how long the sandbox may take to end a killed process.
const killPatience = 30 * time.Second

func (p *process) overdue(ctx context.Context) (closed, ending string) {
	p.kill(ctx)
	return closedKilled, "the run was over"
}

// kill ends the server now, even after ctx has ended.
func (p *process) kill(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killPatience)
	defer cancel()
	p.signal(ctx, syscall.SIGKILL)
	select {
	case <-p.proc.Done():
	case <-ctx.Done():
		p.opts.Logger.Warn("the server did not end when it was killed")
	}
}

func (p *process) signal(ctx context.Context, sig syscall.Signal) {
	if err := p.proc.Signal(ctx, sig); err != nil {
		p.opts.Logger.Debug("signalling the server", "signal", sig, "error", err)
	}
}

// ended waits for the end of the server for at most limit, or until there is
// a reason to kill it.
func (p *process) ended(ctx context.Context, limit time.Duration) bool {
	late, stop := p.opts.Clock.After(limit)
	defer stop()
	select {
	case <-p.proc.Done():
		return true
	case <-late:
	case <-p.tap.Full():
	case <-ctx.Done():
	}
	return Closed(p.proc.Done())
}

// drain waits for the end of the streams. Processes that the server left behind
// may hold them open: those are killed with it, and if the context ends first
// the streams are closed from our side.
func (p *process) drain(ctx context.Context) {
	if p.drained(ctx, p.opts.StopGrace) {
		return
	}
	if ctx.Err() == nil {
		p.peer.Note("left processes behind that kept its output open")
		p.kill(ctx)
		if p.drained(ctx, killPatience) {
			return
		}
	}
	for _, r := range []io.Reader{p.proc.Stdout(), p.proc.Stderr()} {
		if closer, ok := r.(io.Closer); ok {
			if err := closer.Close(); err != nil {
				p.opts.Logger.Debug("closing the server's output", "error", err)
			}
		}
	}
	if !p.drained(context.WithoutCancel(ctx), p.opts.StopGrace) {
		p.opts.Logger.Warn("the server's output could not be closed")
	}
}

// drained waits until both output streams have ended, ctx ends, or the time
// is up. It reports whether they have.
func (p *process) drained(ctx context.Context, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.dry:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return Closed(p.dry)
}
