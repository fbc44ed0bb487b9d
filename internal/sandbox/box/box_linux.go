package box

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Box is a sandbox with a server in it.
type Box struct {
	limits Limits
	group  *cgroups

	stdin          *os.File
	stdout, stderr *os.File
	ring           *os.File
	link           *os.File // nil without a network
	// peer is the sandbox's end of it. It stays open here, too: on a socket
	// whose other end is gone the network stack would read nothing for ever.
	peer   *os.File
	door   *Door   // nil without one
	export *export // nil if nothing is handed out
	reader *wire.Reader
	// skipped is how far the sandbox's clock is ahead.
	skipped int64
	// handled is how far its records were.
	handled atomic.Uint64

	cmd     *exec.Cmd
	control net.Conn
	created chan error
	started chan error
	exited  chan struct{} // the server's first process ended
	gone    chan struct{} // every process of the sandbox ended

	sending sync.Mutex // guards orders
	orders  *json.Encoder

	mu      sync.Mutex // guards what follows
	exit    Exit
	reading bool // Each is at work
	stopped bool
	totals  wire.Totals // once the ring is unmapped

	stopOnce sync.Once
	stopErr  error
}

// Exit says how the server's first process ended.
type Exit struct {
	// Known is false while it runs, and if the sandbox ended without telling.
	Known  bool
	Code   int
	Signal int
	// Error is set when the sandbox itself failed.
	Error string
	// Limit names the limit by which the supervisor ended the sandbox, Max is
	// its size and Value what was measured.
	Limit      string
	Max, Value int64
}

// engineMemory is what gVisor may use for itself before the supervisor ends
// the sandbox. A quiet server needs less than 100 MB of it.
const engineMemory = 768 << 20

// startPatience bounds what runs before the target's first instruction.
const startPatience = time.Minute

// Start builds the sandbox and starts the server in it. The target's first
// instruction runs only after the observer said hello.
func Start(ctx context.Context, opts *Options) (*Box, error) {
	b := &Box{
		limits:  opts.Limits.withDefaults(),
		created: make(chan error, 1),
		started: make(chan error, 1),
		exited:  make(chan struct{}),
		gone:    make(chan struct{}),
	}
	quietEngine("")
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	if err := b.launch(ctx, opts); err != nil {
		_ = b.Stop()
		return nil, err
	}
	return b, nil
}

func (b *Box) launch(ctx context.Context, opts *Options) error {
	if opts.Export != nil {
		b.export = &export{to: opts.Export.To, left: opts.Export.Max}
	}
	plan, err := b.plan(opts)
	if err != nil {
		return err
	}
	host := machineOf(opts.Seed)
	files := append(etcFiles(host, opts.Roots, opts.Network, opts.Artifact.RootFS != ""), opts.Files...)
	b.ring, err = wire.NewRing(func(w io.Writer) error { return payload(w, opts, files, clock{opts.Now, host.salt}) })
	if err != nil {
		return err
	}
	if b.reader, err = wire.NewReader(b.ring); err != nil {
		return err
	}
	if err := b.spawn(plan); err != nil {
		return err
	}
	if err := b.await(ctx, b.created, "creating the sandbox"); err != nil {
		return err
	}
	if err := b.hello(ctx); err != nil {
		return err
	}
	if err := b.send(order{Start: true}); err != nil {
		return err
	}
	return b.await(ctx, b.started, "starting the server")
}

// spawn starts the supervisor in its namespaces. Our root is nobody there: an
// escape from every layer would still be an ordinary user without rights.
func (b *Box) spawn(p *plan) error {
	childIn, ourIn, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	ourOut, childOut, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	ourErr, childErr, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	b.stdin, b.stdout, b.stderr = ourIn, ourOut, ourErr
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("making the control socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "control")
	defer func() { // the supervisor has its own copies
		for _, f := range []*os.File{childIn, childOut, childErr, ours, theirs} {
			_ = f.Close()
		}
	}()
	if b.control, err = net.FileConn(ours); err != nil {
		return fmt.Errorf("making the control socket: %w", err)
	}
	b.orders = json.NewEncoder(b.control)
	// Descriptors have fixed numbers: what is not wanted is the ring again.
	extra := []*os.File{theirs, b.ring, b.ring}
	if p.Door {
		var inside *os.File
		if b.door, inside, err = newDoor(); err != nil {
			return err
		}
		defer inside.Close()
		extra[2] = inside
	}
	if p.Network {
		if b.link, b.peer, err = newLink(); err != nil {
			return err
		}
		extra = append(extra, b.peer)
	}
	uid, gid := hostUser(p.ID)
	b.cmd = &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{supervisorName}, Env: []string{},
		Stdin: childIn, Stdout: childOut, Stderr: childErr,
		ExtraFiles: extra,
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}},
			Credential:  &syscall.Credential{Uid: 0, Gid: 0, NoSetGroups: true},
			Setsid:      true,
		},
	}
	if err := b.cmd.Start(); err != nil {
		b.cmd = nil
		return unavailable(err)
	}
	b.group = newCgroups(p.ID, b.limits, b.planted())
	b.group.join(b.cmd.Process.Pid)
	go b.listen()
	return b.send(order{Plan: p})
}

// planted is how much memory the files take that the sandbox begins with.
func (b *Box) planted() int64 {
	info, err := b.ring.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// hostUser is who the supervisor is on the host: the caller, or, if that is
// root, a user of this run's own that owns nothing there. Sharing "nobody"
// with other services would let them and an escaped target signal each other.
func hostUser(runID string) (uid, gid int) {
	if os.Getuid() != 0 {
		return os.Getuid(), os.Getgid()
	}
	const lowest = 0x70000000
	h := fnv.New32a()
	_, _ = io.WriteString(h, runID)
	id := lowest + int(h.Sum32()&0xffff)
	return id, id
}

func unavailable(err error) error {
	hint := "run mcpsf doctor to see why"
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOSPC) {
		hint = "user namespaces are not allowed here; run mcpsf doctor for the fix"
	}
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "cannot start the sandbox: " + hint, Err: err}
}

// listen turns the supervisor's notices into state until it is gone.
func (b *Box) listen() {
	defer close(b.gone)
	var once sync.Once
	ended := func() { once.Do(func() { close(b.exited) }) }
	defer ended()
	for dec := json.NewDecoder(b.control); ; {
		var n notice
		if err := dec.Decode(&n); err != nil {
			break
		}
		switch {
		case n.Created:
			offer(b.created, nil)
		case n.Started:
			offer(b.started, nil)
		case n.Limit != "":
			b.note(func(e *Exit) { e.Limit, e.Max, e.Value = n.Limit, engineMemory, n.Value })
		case n.Error != "":
			b.note(func(e *Exit) { e.Error = n.Error })
			b.fail()
		case n.Exited:
			b.note(func(e *Exit) { e.Known, e.Code, e.Signal = true, n.Code, n.Signal })
			ended()
		}
	}
	_ = b.cmd.Wait()
	b.fail()
}

// fail ends the waiting for a sandbox that will not come.
func (b *Box) fail() {
	failure := errors.New("the sandbox ended before the server started")
	if text := b.Exit().Error; text != "" {
		failure = errors.New(text)
	}
	offer(b.created, failure)
	offer(b.started, failure)
}

// offer puts a result where one is waited for, unless there is one already.
func offer(c chan<- error, result error) {
	select {
	case c <- result:
	default:
	}
}

func (b *Box) note(change func(*Exit)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.exit)
}

func (b *Box) send(o order) error {
	b.sending.Lock()
	defer b.sending.Unlock()
	if err := b.orders.Encode(o); err != nil {
		return fmt.Errorf("talking to the sandbox: %w", err)
	}
	return nil
}

func (b *Box) await(ctx context.Context, c <-chan error, doing string) error {
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

// hello waits for the observer's first record. Without it gVisor would run
// the target unwatched and only log a warning.
func (b *Box) hello(ctx context.Context) error {
	const patience = 10 * time.Second
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && ctx.Err() == nil; {
		if b.reader.Totals().Committed > 0 {
			return nil
		}
		b.reader.Wait()
	}
	return errors.New("the observer in the sandbox's kernel did not start")
}

// Stdin is the server's standard input.
func (b *Box) Stdin() io.WriteCloser { return input{b.stdin, b} }

// Stdout is the server's standard output.
func (b *Box) Stdout() io.Reader { return b.stdout }

// Stderr is the server's standard error.
func (b *Box) Stderr() io.Reader { return b.stderr }

// Link is the orchestrator's end of the sandbox's network: every message is
// an Ethernet frame. It is nil if the sandbox has no network, and closed by
// [Box.Stop], before which whoever uses it should let go.
func (b *Box) Link() *os.File { return b.link }

// Door leads to what listens in the sandbox. It is nil if the options did not
// ask for it.
func (b *Box) Door() *Door { return b.door }

// Signal sends a signal to the server's first process. SIGKILL ends the whole
// sandbox: by its own kernel, which tells of every process's end, or if that
// takes too long from outside.
func (b *Box) Signal(_ context.Context, sig syscall.Signal) error {
	return b.send(order{Signal: int(sig)})
}

// Done is closed when the server's first process has ended.
func (b *Box) Done() <-chan struct{} { return b.exited }

// Exit says how the server ended.
func (b *Box) Exit() Exit {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.exit
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Stop ends everything that is left and waits for it. It may be called again.
func (b *Box) Stop() error {
	b.stopOnce.Do(func() { b.stopErr = b.stop() })
	return b.stopErr
}

func (b *Box) stop() error {
	if b.cmd != nil {
		_ = b.send(order{Stop: true})
		if uc, ok := b.control.(*net.UnixConn); ok {
			_ = uc.CloseWrite()
		}
		const patience = 5 * time.Second
		select {
		case <-b.gone:
		case <-time.After(patience):
			_ = b.cmd.Process.Kill() // its children die with it
			<-b.gone
		}
	}
	for _, c := range []io.Closer{b.control, b.stdin, b.stdout, b.stderr, b.link, b.peer} {
		if !isNil(c) {
			_ = c.Close()
		}
	}
	if b.door != nil {
		b.door.close()
	}
	if b.ring != nil {
		_ = b.ring.Close()
	}
	b.mu.Lock()
	b.stopped = true
	b.unmap()
	b.mu.Unlock()
	if b.group != nil {
		return b.group.remove()
	}
	return nil
}

func isNil(c io.Closer) bool {
	switch v := c.(type) {
	case nil:
		return true
	case *os.File:
		return v == nil
	}
	return false
}
