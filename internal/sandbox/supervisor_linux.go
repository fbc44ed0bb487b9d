package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/container"

	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
)

// Descriptors the supervisor is started with, behind the server's stdio.
const (
	controlFD = 3
	ringFD    = 4
)

// supervisor lives in the namespaces of one sandbox and owns its processes.
type supervisor struct {
	conn *net.UnixConn
	in   *json.Decoder
	plan *plan

	mu  sync.Mutex // guards out and box
	out *json.Encoder
	box *container.Container
}

// supervise is the whole life of a supervisor process. Its children are to
// die with the thread that made them, so that thread is kept.
func supervise() int {
	runtime.LockOSThread()
	s, err := newSupervisor()
	if err != nil {
		return 1
	}
	if err := s.run(); err != nil {
		s.tell(notice{Error: err.Error()})
		s.endAll()
		return 1
	}
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
	_ = s.out.Encode(n) // a vanished orchestrator is noticed by the reader
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
	sentry.Register(os.NewFile(ringFD, "ring"))
	box, err := container.New(conf, container.Args{
		ID: s.plan.ID, Spec: spec, BundleDir: bundleDir(s.plan), Attached: true,
	})
	if err != nil {
		return fmt.Errorf("creating the sandbox: %w", err)
	}
	s.mu.Lock()
	s.box = box
	s.mu.Unlock()
	s.tell(notice{Created: true})
	var o order
	if err := s.in.Decode(&o); err != nil || !o.Start {
		s.endAll()
		return nil // the orchestrator changed its mind or is gone
	}
	if err := box.Start(conf); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	s.tell(notice{Started: true})
	go s.obey()
	go s.watch(box.SandboxPid())
	status, err := box.Wait()
	if err != nil {
		return fmt.Errorf("the sandbox ended: %w", err)
	}
	end := notice{Exited: true, Code: status.ExitStatus()}
	if status.Signaled() {
		end.Code, end.Signal = 0, int(status.Signal())
	}
	s.tell(end)
	s.endAll()
	return nil
}

// obey carries out orders until there is nobody left to give any.
func (s *supervisor) obey() {
	for {
		var o order
		if err := s.in.Decode(&o); err != nil || o.Stop {
			s.endAll()
			os.Exit(0)
		}
		if o.Signal != 0 {
			_ = s.box.SignalContainer(unix.Signal(o.Signal), false)
		}
	}
}

// endAll kills gVisor's processes and waits until none is left. Mounts and
// namespaces go with the last of them.
func (s *supervisor) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.box != nil {
		if pid := s.box.SandboxPid(); pid > 0 {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if pid := s.box.GoferPid.Load(); pid > 0 {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
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
