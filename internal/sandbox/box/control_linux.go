package box

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// control is the orchestrator's handle of the supervisor: its process, and the
// socket for orders and notices.
type control struct {
	cmd     *exec.Cmd // nil before it has started
	conn    net.Conn
	created chan error
	started chan error
	frozen  chan error
	exited  chan struct{} // the server's first process ended
	gone    chan struct{} // every process of the sandbox ended

	sending sync.Mutex // guards orders
	orders  *json.Encoder

	mu   sync.Mutex
	exit Exit
	// killed says that we killed the supervisor, lost that somebody else did.
	killed, lost bool
}

func newControl() *control {
	return &control{
		created: make(chan error, 1),
		started: make(chan error, 1),
		frozen:  make(chan error, 1),
		exited:  make(chan struct{}),
		gone:    make(chan struct{}),
	}
}

// socket makes the control socket and returns the supervisor's end.
func (c *control) socket() (*os.File, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making the control socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "control")
	defer ours.Close() // conn has its own copy
	if c.conn, err = net.FileConn(ours); err != nil {
		return nil, errors.Join(fmt.Errorf("making the control socket: %w", err), theirs.Close())
	}
	c.orders = json.NewEncoder(c.conn)
	return theirs, nil
}

// start starts the supervisor and sends it the plan. started is called with its
// process id before it does anything.
func (c *control) start(cmd *exec.Cmd, p *plan, started func(pid int)) error {
	if err := cmd.Start(); err != nil {
		return unavailable(err)
	}
	c.cmd = cmd
	started(cmd.Process.Pid)
	go c.listen()
	return c.send(order{Plan: p})
}

// listen updates the state from the supervisor's notices until it is gone.
func (c *control) listen() {
	defer close(c.gone)
	ended := sync.OnceFunc(func() { close(c.exited) })
	defer ended()
	for dec := json.NewDecoder(c.conn); ; {
		var n notice
		if err := dec.Decode(&n); err != nil {
			break
		}
		switch {
		case n.Created:
			offer(c.created, nil)
		case n.Started:
			offer(c.started, nil)
		case n.Refused != "":
			offer(c.frozen, errors.New(n.Refused))
		case n.Frozen:
			offer(c.frozen, nil)
		case n.Limit != "":
			c.note(func(e *Exit) { e.Limit, e.Max, e.Value = n.Limit, engineMemory, n.Value })
		case n.Error != "":
			c.note(func(e *Exit) { e.Error = n.Error })
			c.fail()
		case n.Exited:
			c.note(func(e *Exit) { e.Known, e.Code, e.Signal = true, n.Code, n.Signal })
			ended()
		}
	}
	_ = c.cmd.Wait()
	c.mu.Lock()
	status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	c.lost = ok && status.Signaled() && !c.killed
	c.mu.Unlock()
	c.fail()
}

// ending reports whether we killed the supervisor, or somebody else did: its
// last notices are then lost, even if the server ended in good order after it.
func (c *control) ending() (killed, lost bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.killed, c.lost
}

// fail releases the goroutines that wait for a sandbox that will not start.
func (c *control) fail() {
	failure := errors.New("the sandbox ended before the server started")
	if text := c.state().Error; text != "" {
		failure = errors.New(text)
	}
	offer(c.created, failure)
	offer(c.started, failure)
	offer(c.frozen, failure)
}

// offer stores a result unless there is one already.
func offer(c chan<- error, result error) {
	select {
	case c <- result:
	default:
	}
}

// note changes the stored exit state.
func (c *control) note(change func(*Exit)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.exit)
}

func (c *control) state() Exit {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.exit
}

func (c *control) send(o order) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	if err := c.orders.Encode(o); err != nil {
		return fmt.Errorf("talking to the sandbox: %w", err)
	}
	return nil
}

// await waits for one of the supervisor's answers.
func await(ctx context.Context, c <-chan error, doing string) error {
	select {
	case err := <-c:
		if err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
}

// patience is how long the supervisor may take to end everything.
const patience = 5 * time.Second

// stop ends the supervisor, and with it everything else, and waits for it.
func (c *control) stop() {
	if c.cmd != nil {
		_ = c.send(order{Stop: true})
		if uc, ok := c.conn.(*net.UnixConn); ok {
			_ = uc.CloseWrite()
		}
		select {
		case <-c.gone:
		case <-time.After(patience):
			c.mu.Lock()
			c.killed = true
			c.mu.Unlock()
			_ = c.cmd.Process.Kill() // its children die with it
			<-c.gone
		}
	}
	if c.conn != nil {
		_ = c.conn.Close()
	}
}
