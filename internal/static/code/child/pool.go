package child

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// Pool reads files with child processes.
type Pool struct {
	self   []string
	limit  time.Duration
	size   int
	budget budget
}

// NewPool makes a pool of children, each started with the command self, with a
// limit of processor time for each file: what is read must not depend on what else
// this machine does.
func NewPool(self []string, size int, limit time.Duration) (*Pool, error) {
	if len(self) == 0 {
		return nil, errors.New("no command for the reading process: give the one that starts this program as such")
	}
	return &Pool{self: self, size: max(1, size), limit: limit}, nil
}

// Read reads the files that requests yields and passes each result to f, from
// several goroutines. It returns when all are read or the context ends.
func (p *Pool) Read(ctx context.Context, requests <-chan *ir.Request, f func(*ir.File)) error {
	var wg sync.WaitGroup
	errs := make([]error, p.size)
	for i := range p.size {
		wg.Go(func() { errs[i] = p.work(ctx, requests, f) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (p *Pool) work(ctx context.Context, requests <-chan *ir.Request, f func(*ir.File)) error {
	var c *process
	defer func() { c.stop() }()
	for q := range requests {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c == nil {
			var err error
			if c, err = p.start(ctx); err != nil {
				return err
			}
		}
		file, why := c.read(q, p.limit, &p.budget)
		if file == nil {
			c.stop()
			c = nil
			if ctx.Err() != nil {
				return ctx.Err()
			}
			file = Loosely(q, why)
			file.Lost = true
		}
		file.Path, file.Language = q.Path, q.Language
		f(file)
	}
	return nil
}

// Within limits the processor time of what the children read with the context that
// it returns. Only one such context may be in use.
func (p *Pool) Within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, patience*limit)
	p.budget.set(limit, cancel)
	return ctx, func() {
		p.budget.set(0, nil)
		cancel()
	}
}

// budget calls a function once so much processor time was used.
type budget struct {
	mu   sync.Mutex
	left time.Duration
	over func()
}

func (b *budget) set(limit time.Duration, over func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.over = limit, over
}

func (b *budget) spend(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left -= d; b.over != nil && b.left <= 0 {
		b.over()
	}
}

// process is one child process.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stopped bool
}

func (p *Pool) start(ctx context.Context) (*process, error) {
	cmd := exec.CommandContext(ctx, p.self[0], p.self[1:]...)
	cmd.Env = []string{"GOTRACEBACK=none"}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the reading process: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the reading process: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the reading process: %w", err)
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16)}, nil
}

// read has one file read. On failure it returns the reason, and the child
// cannot be used again.
func (c *process) read(q *ir.Request, limit time.Duration, all *budget) (*ir.File, string) {
	body, err := q.Encode()
	if err != nil {
		return nil, err.Error()
	}
	watch := newWatch(c.cmd.Process, limit)
	err = ir.WriteFrame(c.in, body)
	var frame []byte
	if err == nil {
		frame, err = ir.ReadFrame(c.out)
	}
	all.spend(watch.spent())
	late := watch.end()
	if err == nil && late == "" {
		file, err := ir.Decode(frame)
		if err == nil {
			return file, ""
		}
		return nil, err.Error()
	}
	return nil, cmp.Or(late, c.epitaph())
}

// epitaph describes how the child ended.
func (c *process) epitaph() string {
	_ = c.in.Close()
	c.stopped = true
	err := c.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == ExitMemory:
		return fmt.Sprintf("reading it took more than %d MB", MaxMemory>>20)
	case errors.As(err, &exit):
		return fmt.Sprintf("it made the reading process end: %v", exit)
	}
	return "the reading process did not answer"
}

// stop ends the child and waits for it.
func (c *process) stop() {
	if c == nil || c.stopped {
		return
	}
	c.stopped = true
	_ = c.in.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}
