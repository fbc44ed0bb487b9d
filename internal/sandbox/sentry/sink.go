//go:build linux

package sentry

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/fd"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/seccheck"
	pb "gvisor.dev/gvisor/pkg/sentry/seccheck/points/points_go_proto"

	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// SinkName is the observer's name in gVisor's session configuration.
const SinkName = "mcpsf"

// Config is the configuration of the kernel's side; it is passed in gVisor's
// session file.
type Config struct {
	// Command is the target's argument vector, for the first record.
	Command []string `json:"command"`
	// Variables is the number of the target's environment variables.
	Variables int `json:"variables,omitempty"`
	// WorkDir is the target's working directory.
	WorkDir string `json:"work_dir"`
	// Limits of 0 are not enforced here.
	MaxMemory     int64 `json:"max_memory"`
	MaxCPUSeconds int64 `json:"max_cpu_seconds"`
	MaxPIDs       int64 `json:"max_pids"`
	MaxFiles      int64 `json:"max_files"`
	MaxDisk       int64 `json:"max_disk"`
	// Export lists directories that are exported when the first process ends,
	// except for planted files outside WorkDir; MaxExport bounds the archive.
	Export    []string `json:"export,omitempty"`
	MaxExport int64    `json:"max_export,omitempty"`
	// ExportChanged exports only what was created or changed.
	ExportChanged bool `json:"export_changed,omitempty"`
	// MaxWritten is how many bytes written to files are recorded.
	MaxWritten int64 `json:"max_written,omitempty"`
	// Linger is how long the first process waits for others to end before it
	// exits.
	Linger time.Duration `json:"linger,omitempty"`
	// Later is how far the sandbox's date is ahead.
	Later time.Duration `json:"later,omitempty"`
	// PortForward lets the orchestrator connect to listening servers.
	PortForward bool `json:"port_forward,omitempty"`
	// Hooks make runtimes report the variables they read; nil does not.
	Hooks *envhook.Hooks `json:"hooks,omitempty"`
	// Copy says that the kernel is loaded from a snapshot.
	Copy bool `json:"copy,omitempty"`
	// Unobserved leaves the system call table unchanged, for comparison only.
	Unobserved bool `json:"unobserved,omitempty"`
}

// Register registers the sinks with gVisor. ring is the shared memory to donate
// to the kernel process, forward the socket of the port forward; they are nil
// inside that process.
func Register(ring, forward *os.File) {
	registerState()
	var only *observer // the one kernel of this process; the forward sink is made after it
	seccheck.RegisterSink(seccheck.SinkDesc{
		Name:  SinkName,
		Setup: func(map[string]any) (*os.File, error) { return ring, nil },
		New: func(conf map[string]any, endpoint *fd.FD) (seccheck.Sink, error) {
			s, err := newSink(conf, endpoint)
			if err != nil {
				return nil, err
			}
			only = s.observer
			return s, nil
		},
	})
	seccheck.RegisterSink(seccheck.SinkDesc{
		Name:  ForwardName,
		Setup: func(map[string]any) (*os.File, error) { return forward, nil },
		New: func(_ map[string]any, endpoint *fd.FD) (seccheck.Sink, error) {
			if endpoint == nil || only == nil {
				return nil, errors.New("no socket was donated for the port forward")
			}
			only.forward.endpoint = endpoint
			return &forwardSink{}, nil
		},
	})
}

// Session returns gVisor's session file for conf.
func Session(conf *Config) ([]byte, error) {
	raw, err := json.Marshal(conf)
	if err != nil {
		return nil, fmt.Errorf("encoding the observer's configuration: %w", err)
	}
	var generic map[string]any
	if err := json.Unmarshal(raw, &generic); err != nil {
		return nil, fmt.Errorf("encoding the observer's configuration: %w", err)
	}
	sinks := []seccheck.SinkConfig{{Name: SinkName, Config: generic}}
	if conf.PortForward {
		sinks = append(sinks, seccheck.SinkConfig{Name: ForwardName})
	}
	session := map[string]any{"trace_session": seccheck.SessionConfig{
		Name: seccheck.DefaultSessionName,
		Points: []seccheck.PointConfig{
			{Name: "sentry/clone"},
			{Name: "sentry/execve", OptionalFields: []string{"binary_info"}},
			{Name: "sentry/task_exit"},
		},
		Sinks: sinks,
	}}
	out, err := json.Marshal(session)
	if err != nil {
		return nil, fmt.Errorf("encoding the session: %w", err)
	}
	return out, nil
}

// newSink runs inside the kernel process before the target is loaded.
func newSink(generic map[string]any, endpoint *fd.FD) (*sink, error) {
	if endpoint == nil {
		return nil, errors.New("no event ring was donated")
	}
	raw, err := json.Marshal(generic)
	if err != nil {
		return nil, fmt.Errorf("reading the observer's configuration: %w", err)
	}
	var conf Config
	if err := json.Unmarshal(raw, &conf); err != nil {
		return nil, fmt.Errorf("reading the observer's configuration: %w", err)
	}
	w, err := wire.NewWriter(endpoint.FD())
	if err != nil {
		return nil, err
	}
	payload, err := wire.MapPayload(endpoint.FD())
	if err != nil {
		return nil, err
	}
	o := newObserver(&conf, w, payload)
	if !conf.Unobserved {
		o.install()
	}
	o.armFirstSyscall()
	o.rec.emit(&wire.Record{Op: wire.OpHello, Text: SinkName})
	return &sink{observer: o}, nil
}

// sink receives gVisor's built-in trace points.
type sink struct {
	seccheck.SinkDefaults
	observer *observer
}

var _ seccheck.Sink = (*sink)(nil)

// Name implements [seccheck.Sink].
func (*sink) Name() string { return SinkName }

// Clone is called on the parent before the child runs.
func (s *sink) Clone(ctx context.Context, _ seccheck.FieldSet, info *pb.CloneInfo) error {
	if t := kernel.TaskFromContext(ctx); t != nil {
		s.observer.processes.forked(t, info.CreatedThreadId, info.CreatedThreadGroupId)
	}
	return nil
}

// Execve is called when the new image is loaded and about to replace the old.
func (s *sink) Execve(ctx context.Context, _ seccheck.FieldSet, info *pb.ExecveInfo) error {
	if t := kernel.TaskFromContext(ctx); t != nil {
		s.observer.execs.executed(t, info.BinaryPath, info.Argv)
	}
	return nil
}

// TaskExit is called on every task that ends, however it ends.
func (s *sink) TaskExit(ctx context.Context, _ seccheck.FieldSet, info *pb.TaskExit) error {
	if t := kernel.TaskFromContext(ctx); t != nil {
		s.observer.processes.exited(t, linux.WaitStatus(info.ExitStatus))
	}
	return nil
}
