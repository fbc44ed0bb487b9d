package servicecmd

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

// newWorker makes a worker that runs each job in a child process of this program.
func newWorker(s *service, f *serviceFlags, meter worker.Meter) (*worker.Worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding our own executable: %w", err)
	}
	slots := f.jobs.workers
	if slots == 0 {
		slots = slotsOf(runtime.NumCPU(), memory())
	}
	s.logger.Info("worker started", "slots", slots)
	return worker.New(worker.Options{
		Store: s.store, Files: s.files, Key: s.key, Name: instance(), Slots: slots, Tries: f.jobs.tries, AllowPrivate: f.jobs.allowPrivate,
		Machine: worker.Machine{
			Command: func(ctx context.Context) *exec.Cmd {
				cmd := exec.CommandContext(ctx, self, "job")
				cmd.Env = jobEnvironment(os.Environ())
				return cmd
			},
			Dir: func() (string, func(), error) { return jobDir(s.logger) }, Room: f.storage.room,
		},
		Times:     worker.Times{Lease: f.jobs.lease, Limit: f.jobs.limit, Grace: f.jobs.grace, Retry: f.jobs.retry},
		Telemetry: worker.Telemetry{Logger: s.logger, Meter: meter, Tracer: s.tracer},
	}), nil
}

// leastRoom is the free disk space that a job needs to begin, in bytes.
const leastRoom = 32 << 20

// room fails if there is not enough disk space for a job and its report.
func (f *storageFlags) room() error {
	places := map[string]string{os.TempDir(): "TMPDIR"}
	if !strings.Contains(f.files, "://") {
		places[f.files] = "--files"
	}
	for dir, name := range places {
		if free, known := freeIn(dir); known && free < leastRoom {
			return fmt.Errorf("only %d MiB are free in %s (%s), and a job needs %d MiB; free some space", free>>20, dir, name, leastRoom>>20)
		}
	}
	return nil
}

// jobDir creates the directory of a job. Directories that killed workers left are
// removed when the next job begins.
func jobDir(logger *slog.Logger) (string, func(), error) {
	run, err := box.NewRunDir(filepath.Join(program.TempDir(), "jobs"), time.Now())
	if err != nil {
		return "", nil, err
	}
	return run.Stage(), func() {
		if err := run.Remove(); err != nil {
			logger.Warn("cleaning up", "error", err)
		}
		_ = os.Remove(program.TempDir()) // fails if other jobs use it
	}, nil
}

// serviceVariables are environment variables with secrets of the service;
// servicePrefixes are prefixes of others.
func serviceVariables() []string {
	return []string{"MCPSF_DATABASE", "MCPSF_SECRET", "MCPSF_SECRET_FILE", "MCPSF_FILES", "MCPSF_DATA", "MCPSF_API_URL", "MCPSF_API_KEY"}
}

func servicePrefixes() []string { return []string{"AWS_", "PG", "OTEL_"} }

// jobEnvironment is the environment without secrets of the service, because the
// process of a job parses untrusted input.
func jobEnvironment(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(serviceVariables(), name) ||
			slices.ContainsFunc(servicePrefixes(), func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	})
}

// slotsOf is how many assessments a machine can run at a time: each uses two
// sandboxes of at most a gibibyte, and keeps one CPU busy.
func slotsOf(processors int, memory uint64) int {
	const each = 3 << 30
	return max(1, min(processors, int(memory/each)))
}
