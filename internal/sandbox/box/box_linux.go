package box

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Box is a sandbox with a server in it.
type Box struct {
	limits Limits
	group  *cgroups

	control *control
	streams *streams
	records *records
	clock   *Clock
	link    *os.File // nil without a network
	// peer is the sandbox's end of link. It stays open here, too: if the other
	// end of its socket were closed, the network stack would read endless empty
	// messages.
	peer    *os.File
	forward *PortForward // nil without one
	carrier wire.Carrier // invalid without a network
	export  *export      // nil if nothing is exported
	// hooks and later are kept for a snapshot, which is empty until [Freeze], and
	// nil if there will be none.
	hooks    *envhook.Hooks
	later    time.Duration
	snapshot *Snapshot

	stopOnce sync.Once
	stopErr  error
}

// engineMemory is how much memory gVisor itself may use before the supervisor
// ends the sandbox. An idle server needs less than 100 MB of it.
const engineMemory = 768 << 20

// startPatience bounds everything before the target's first instruction.
const startPatience = time.Minute

// Start builds the sandbox and starts the server in it. The target's first
// instruction runs only after the observer's first record.
func Start(ctx context.Context, opts *Options) (*Box, error) {
	b := &Box{limits: opts.Limits.withDefaults(), control: newControl()}
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
	b.hooks, b.later = newHooks(&opts.Observation), opts.Machine.Later
	if s := opts.Engine.Snapshot; s != nil {
		b.hooks, b.later = s.hooks, s.ahead // they are in the memory of its programs
	}
	opts = withCode(opts, b.hooks)
	plan, err := newPlan(opts, b.limits, b.hooks, b.later)
	if err != nil {
		return err
	}
	if b.records, err = newRecords(func(w io.Writer) error { return payload(w, opts) }); err != nil {
		return err
	}
	if opts.Engine.Freezable {
		if b.snapshot, err = newSnapshot(); err != nil {
			return err
		}
	}
	b.clock = &Clock{records: b.records}
	if opts.Network.Link {
		b.carrier = wire.NewCarrier(carrierSecret())
		b.records.with(func(r *wire.Reader) { r.Carry(b.carrier) })
		b.ServeLocal(opts.Network.Local)
	}
	if err := b.spawn(plan, opts.Engine.Snapshot); err != nil {
		return err
	}
	if err := await(ctx, b.control.created, "creating the sandbox"); err != nil {
		return err
	}
	if err := b.records.hello(ctx); err != nil {
		return err
	}
	if err := b.control.send(order{Start: true}); err != nil {
		return err
	}
	return await(ctx, b.control.started, "starting the server")
}

// spawn starts the supervisor in its namespaces. If we are root, the supervisor
// is not: even after an escape from every layer the target would be an ordinary
// user without privileges.
func (b *Box) spawn(p *plan, from *Snapshot) error {
	var err error
	if b.streams, err = newStreams(); err != nil {
		return err
	}
	defer b.streams.releaseServer() // the supervisor has its own copies
	socket, err := b.control.socket()
	if err != nil {
		return err
	}
	defer socket.Close()
	// Descriptors have fixed numbers: an unused one is filled with the ring.
	ring := b.records.ring
	extra := []*os.File{socket, ring, ring, ring}
	if p.PortForward {
		var inside *os.File
		if b.forward, inside, err = newPortForward(); err != nil {
			return err
		}
		defer inside.Close()
		extra[2] = inside
	}
	if p.Network {
		if b.link, b.peer, err = newLink(); err != nil {
			return err
		}
		extra[3] = b.peer
	}
	switch {
	case from != nil:
		extra = append(extra, from.files[:]...)
	case b.snapshot != nil:
		extra = append(extra, b.snapshot.files[:]...)
	}
	return b.control.start(supervisorCommand(p.ID, b.streams, extra), p, func(pid int) {
		b.group = newCgroups(p.ID, b.limits, b.records.size())
		b.group.join(pid)
	})
}

// supervisorCommand is this binary, started as the supervisor of a run.
func supervisorCommand(runID string, s *streams, extra []*os.File) *exec.Cmd {
	uid, gid := hostUser(runID)
	return &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{supervisorName}, Env: []string{},
		Stdin: s.server[0], Stdout: s.server[1], Stderr: s.server[2],
		ExtraFiles: extra,
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}},
			Credential:  &syscall.Credential{Uid: 0, Gid: 0, NoSetGroups: true},
			Setsid:      true,
		},
	}
}

// hostUser returns the supervisor's user on the host: the caller, or, if that
// is root, a user of this run's own that owns nothing there. Sharing "nobody"
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

// Stdin is the server's standard input.
func (b *Box) Stdin() io.WriteCloser { return input{b.streams.stdin, b.records} }

// Stdout is the server's standard output.
func (b *Box) Stdout() io.Reader { return b.streams.stdout }

// Stderr is the server's standard error.
func (b *Box) Stderr() io.Reader { return b.streams.stderr }

// Clock is the sandbox's clock.
func (b *Box) Clock() *Clock { return b.clock }

// Link is the orchestrator's end of the sandbox's network: every message is an
// Ethernet frame. It is nil if the sandbox has no network. [Box.Stop] closes
// it; its users should stop before that.
func (b *Box) Link() *os.File { return b.link }

// PortForward connects to listening servers in the sandbox. It is nil if the
// options did not ask for it.
func (b *Box) PortForward() *PortForward { return b.forward }

// Carrier says which connections on the link are those of programs with the machine
// itself, between which ends.
func (b *Box) Carrier() wire.Carrier { return b.carrier }

// ServeLocal makes the kernel carry connections to ports of the machine itself on which
// nobody listens to the network, instead of refusing them. It replaces those given before.
func (b *Box) ServeLocal(ports []uint16) {
	b.records.with(func(r *wire.Reader) { r.ServeLocal(ports) })
}

// Signal sends a signal to the server's first process. SIGKILL ends the whole
// sandbox: by its own kernel, which records every process's end, or from
// outside if that takes too long.
func (b *Box) Signal(_ context.Context, sig syscall.Signal) error {
	return b.control.send(order{Signal: int(sig)})
}

// Done is closed when the server's first process has ended.
func (b *Box) Done() <-chan struct{} { return b.control.exited }

// Exit says how the server ended.
func (b *Box) Exit() Exit { return b.control.state() }

// Each passes every record to fn in order and returns when the sandbox is gone
// and the ring is empty. fn may be slow: the target waits for it. Each must
// have begun before [Box.Stop], and may be called once.
func (b *Box) Each(ctx context.Context, fn func(*wire.Record) error) error {
	alive, begun := 0, false
	err := b.records.each(ctx, b.control.gone, func(r *wire.Record) error {
		begun = begun || r.Op == wire.OpStart
		alive += change(r.Op)
		if r.Op == wire.OpExport && b.export != nil {
			if err := b.export.take(r); err != nil {
				return err
			}
		}
		return fn(r)
	})
	if killed, lost := b.control.ending(); err == nil && (alive != 0 || !begun || lost) {
		b.control.note(func(e *Exit) { b.died(e, alive, begun, killed) })
	}
	return err
}

// change returns by how many a record changes the number of tasks. The observer
// records the end of every task, so the number is 0 at the end.
func change(op wire.Op) int {
	switch op {
	case wire.OpStart, wire.OpFork:
		return 1
	case wire.OpExit:
		return -1
	}
	return 0
}

// died records that gVisor's kernel did not see the end of the server: it was
// killed from outside, ran out of memory, or crashed.
func (b *Box) died(e *Exit, alive int, begun, killed bool) {
	switch {
	case e.Error != "" || e.Limit != "":
	case killed:
		e.Error = fmt.Sprintf("%d tasks had not ended %s after the order to stop, and the sandbox was killed", alive, patience)
	case b.group.outOfMemory():
		e.Limit, e.Max, e.Value = mcpsf.LimitMemory, b.limits.Memory, b.limits.Memory
	case alive == 0 && begun:
		e.Error = "the sandbox's supervisor was killed"
	case alive == 0:
		e.Error = "the sandbox's kernel ended before anything ran in it"
	default:
		e.Error = fmt.Sprintf("the sandbox's kernel ended while %d tasks were running", alive)
	}
}

// Totals compares how many records the kernel began with how many it finished.
func (b *Box) Totals() wire.Totals { return b.records.count() }

// Settled reports whether everything recorded so far was handled.
func (b *Box) Settled() bool { return b.records.settled() }

// Exported returns nil if the whole export has arrived. Call it after
// [Box.Each] has returned.
func (b *Box) Exported() error { return b.export.result() }

// Stop ends all remaining processes and waits for them. It may be called again.
func (b *Box) Stop() error {
	b.stopOnce.Do(func() { b.stopErr = b.stop() })
	return b.stopErr
}

func (b *Box) stop() error {
	b.control.stop()
	if b.streams != nil {
		b.streams.close()
	}
	closeFiles(b.link, b.peer)
	if b.snapshot != nil {
		_ = b.snapshot.Close()
	}
	if b.forward != nil {
		b.forward.close()
	}
	if b.records != nil {
		b.records.stop()
	}
	if b.group != nil {
		return b.group.remove()
	}
	return nil
}
