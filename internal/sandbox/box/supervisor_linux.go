package box

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/container"

	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
)

// Descriptors that the supervisor is started with, after the server's stdio.
const (
	controlFD = 3
	ringFD    = 4
	forwardFD = 5 // only if the plan says so, like the next
	linkFD    = 6
	imageFD   = 7 // and the two after it: those of a snapshot
)

// supervisor runs in the namespaces of one sandbox and owns its processes.
type supervisor struct {
	conn *net.UnixConn
	in   *json.Decoder
	plan *plan

	mu  sync.Mutex // guards out
	out *json.Encoder

	// owned are pidfds of gVisor's processes. Unlike process ids they can never
	// refer to another process.
	owned []int
	// stopped says that the sandbox is ending on the orchestrator's request.
	stopped atomic.Bool
}

// supervise is the main function of a supervisor process. Its children die with
// the thread that made them, so that thread is kept.
func supervise() int {
	runtime.LockOSThread()
	if err := isolate(); err != nil {
		return 1
	}
	s, err := newSupervisor()
	if err != nil {
		return 1
	}
	limitCPUs(s.plan.Limits.CPUs)
	err = s.run()
	if err != nil && !s.stopped.Load() {
		s.tell(notice{Error: err.Error() + s.lastWords()})
	}
	s.kill()
	reap()
	return 0
}

func newSupervisor() (*supervisor, error) {
	file := os.NewFile(controlFD, "control")
	conn, err := net.FileConn(file)
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	_ = file.Close()
	uc, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.New("control socket is not a socket")
	}
	s := &supervisor{conn: uc, in: json.NewDecoder(uc), out: json.NewEncoder(uc)}
	var first order
	if err := s.in.Decode(&first); err != nil || first.Plan == nil {
		return nil, fmt.Errorf("no plan: %w", err)
	}
	s.plan = first.Plan
	quietEngine(s.plan.DebugLog)
	return s, nil
}

func (s *supervisor) tell(n notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.out.Encode(n); err != nil {
		s.stopped.Store(true) // the orchestrator is gone; the reader notices, too
	}
}

func (s *supervisor) run() error {
	if err := assembleRoot(s.plan); err != nil {
		return err
	}
	conf, err := s.config()
	if err != nil {
		return err
	}
	spec, err := writeBundle(s.plan)
	if err != nil {
		return err
	}
	var forward *os.File
	if s.plan.PortForward {
		forward = os.NewFile(forwardFD, "forward")
	}
	sentry.Register(os.NewFile(ringFD, "ring"), forward)
	box, err := container.New(conf, container.Args{
		ID: s.plan.ID, Spec: spec, BundleDir: bundleDir(s.plan), Attached: true,
	})
	if err != nil {
		return fmt.Errorf("creating the sandbox: %w", err)
	}
	if err := s.own(box.Sandbox.Getpid(), box.GoferPid.Load()); err != nil {
		return err
	}
	s.tell(notice{Created: true})
	var o order
	if goOn := s.in.Decode(&o) == nil && o.Start; !goOn {
		return nil // the orchestrator cancelled or is gone
	}
	if err := s.begin(box, conf); err != nil {
		return err
	}
	if err := letGo(); err != nil {
		return err
	}
	s.tell(notice{Started: true})
	go s.obey(box)
	go s.watch(box.Sandbox.Getpid(), box.GoferPid.Load())
	status, err := box.Wait()
	if err != nil {
		return fmt.Errorf("the sandbox ended: %w", err)
	}
	end := notice{Exited: true, Code: status.ExitStatus()}
	if status.Signaled() {
		end.Code, end.Signal = 0, int(status.Signal())
	}
	s.tell(end)
	return nil
}

// begin starts the server, or a copy of it.
func (s *supervisor) begin(box *container.Container, conf *config.Config) error {
	if s.plan.Copy {
		return s.wake(box, conf)
	}
	if s.plan.Network {
		if err := connect(box); err != nil {
			return err
		}
		conf = withoutSetup(conf)
	}
	if err := box.Start(conf); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	return nil
}

// letGo closes the supervisor's own copies of the server's streams, so that
// they end when the server closes them.
func letGo() error {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("letting go of the server's streams: %w", err)
	}
	defer unix.Close(null)
	for fd := range 3 {
		if err := unix.Dup3(null, fd, 0); err != nil {
			return fmt.Errorf("letting go of the server's streams: %w", err)
		}
	}
	return nil
}

// obey carries out orders until the orchestrator is gone.
func (s *supervisor) obey(box *container.Container) {
	for {
		var o order
		if err := s.in.Decode(&o); err != nil || o.Stop {
			s.stopped.Store(true)
			s.kill()
			return // run notices the end of the sandbox
		}
		if o.Freeze {
			n := notice{Frozen: true}
			if err := freeze(box); err != nil {
				n.Refused = err.Error()
			}
			s.tell(n)
		}
		if o.Signal == 0 {
			continue
		}
		// gVisor's kernel may be too busy to answer, so do not wait for it.
		go func() { _ = box.SignalContainer(unix.Signal(o.Signal), false) }()
		if unix.Signal(o.Signal) == unix.SIGKILL {
			time.AfterFunc(killPatience, s.kill)
		}
	}
}

// killPatience is how long gVisor may take to end the server by itself, which
// records every process's end, before it is killed from outside.
const killPatience = 3 * time.Second

// own opens pidfds of processes that are certain to be ours now.
func (s *supervisor) own(pids ...int) error {
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return fmt.Errorf("taking hold of the sandbox's processes: %w", err)
		}
		s.owned = append(s.owned, fd)
	}
	return nil
}

// kill kills gVisor's processes, and with them the server's.
func (s *supervisor) kill() {
	for _, fd := range s.owned {
		_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // it may have ended
	}
}

// reap waits until no child is left. Mounts and namespaces disappear with the
// last.
func reap() {
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); errors.Is(err, unix.ECHILD) {
			return
		}
	}
}

func (s *supervisor) config() (*config.Config, error) {
	session := filepath.Join(s.plan.dir, "session.json")
	if err := os.WriteFile(session, s.plan.Session, 0o600); err != nil {
		return nil, fmt.Errorf("writing the session: %w", err)
	}
	return runscConfig(s.plan, session)
}

// lastWords returns the beginning of what gVisor's kernel printed when it
// crashed.
func (s *supervisor) lastWords() string {
	f, err := os.Open(panicLog(s.plan))
	if err != nil {
		return ""
	}
	defer f.Close()
	// no gap: bounds the text of an error
	const most = 2048
	text := make([]byte, most)
	n, _ := io.ReadFull(f, text)
	if n == 0 {
		return ""
	}
	return "; the kernel's last words: " + string(text[:n])
}
