package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

// serviceFlags are the flags that serve and worker share.
type serviceFlags struct {
	data, database, files, secretFile string
	metrics, traces                   string
	workers, tries                    int
	allowPrivate                      bool
	verbose, logText                  bool
	lease, limit, grace, retry        time.Duration
}

// addDatabase defines the flags that name the database of a service.
func (f *serviceFlags) addDatabase(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.data, "data", "", "directory of the service (MCPSF_DATA; default $XDG_DATA_HOME/mcpsf)")
	flags.StringVar(&f.database, "database", "", "postgres://… or the path of a SQLite file (MCPSF_DATABASE; default mcpsf.db in --data)")
}

func (f *serviceFlags) add(cmd *cobra.Command) {
	f.addDatabase(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.files, "files", "", "directory for reports, or s3://bucket/prefix?endpoint=… (MCPSF_FILES; default files in --data)")
	flags.StringVar(&f.secretFile, "secret-file", "", "file with the secret that encrypts variables of jobs, the same for all servers and workers (MCPSF_SECRET_FILE, or the secret itself in MCPSF_SECRET; default secret in --data, created if missing)")
	flags.StringVar(&f.metrics, "metrics-listen", "", "address that serves only Prometheus metrics and health checks, without a key")
	flags.StringVar(&f.traces, "traces", "", "OpenTelemetry collector for traces by OTLP over HTTP, such as http://127.0.0.1:4318 (OTEL_EXPORTER_OTLP_ENDPOINT; default: no traces)")
	flags.IntVar(&f.workers, "workers", 0, "how many assessments run at a time (default: by CPUs and memory)")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "allow sources in private networks, this machine included")
	flags.DurationVar(&f.lease, "lease", time.Minute, "how long a job stays with a worker that does not renew it")
	flags.DurationVar(&f.limit, "job-timeout", 90*time.Minute, "time limit of a job")
	flags.DurationVar(&f.grace, "grace", 30*time.Second, "how long running jobs may go on at shutdown")
	flags.DurationVar(&f.retry, "retry", 20*time.Second, "pause before a failed job is tried again")
	flags.IntVar(&f.tries, "tries", 2, "how often a job may crash its process before it is quarantined")
	flags.BoolVar(&f.logText, "log-text", false, "log as text instead of JSON")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log debug messages")
}

// fill sets flags that were not given from the environment.
func (f *serviceFlags) fill(a *app) error {
	for name, value := range map[string]*string{"MCPSF_DATABASE": &f.database, "MCPSF_FILES": &f.files, "MCPSF_SECRET_FILE": &f.secretFile, "MCPSF_DATA": &f.data} {
		if *value == "" {
			*value = a.getenv(name)
		}
	}
	if f.data == "" {
		base := a.getenv("XDG_DATA_HOME")
		if base == "" && a.getenv("HOME") != "" {
			base = filepath.Join(a.getenv("HOME"), ".local", "share")
		}
		if base == "" {
			return usage(errors.New("no home directory; name a data directory with --data"))
		}
		f.data = filepath.Join(base, "mcpsf")
	}
	for value, otherwise := range map[*string]string{&f.database: "mcpsf.db", &f.files: "files", &f.secretFile: "secret"} {
		if *value == "" {
			*value = filepath.Join(f.data, otherwise)
		}
	}
	if f.workers < 0 || f.tries < 0 || f.lease < 0 || f.limit < 0 || f.grace < 0 || f.retry < 0 {
		return usage(errors.New("--workers, --tries, --lease, --job-timeout, --grace and --retry must not be below zero"))
	}
	return nil
}

// service holds what a server or a worker uses while it runs.
type service struct {
	store  *store.Store
	files  blob.Opened
	key    *secretbox.Key
	logger *slog.Logger
	// tracer is nil if there is no collector.
	tracer *tracing.Tracer
}

// close closes everything. ctx must not have ended.
func (s *service) close(ctx context.Context) {
	s.tracer.Stop(ctx)
	_, _ = s.store.Close(), s.files.Close()
}

func (a *app) openService(ctx context.Context, f *serviceFlags) (*service, error) {
	if err := f.fill(a); err != nil {
		return nil, err
	}
	s := &service{logger: a.serviceLogger(f)}
	collector, err := tracing.Endpoint(f.traces, a.getenv)
	if err != nil {
		return nil, usage(err)
	}
	if text := a.getenv("MCPSF_SECRET"); text != "" {
		s.key, err = secretbox.New(text)
	} else {
		s.key, err = secretbox.Load(f.secretFile)
	}
	if err != nil {
		return nil, err
	}
	s.files, err = blob.Open(ctx, f.files, blob.Credentials{ID: a.getenv("AWS_ACCESS_KEY_ID"), Secret: a.getenv("AWS_SECRET_ACCESS_KEY"), Token: a.getenv("AWS_SESSION_TOKEN")})
	if err != nil {
		return nil, err
	}
	if s.store, err = store.Open(ctx, f.database); err != nil {
		_ = s.files.Close()
		return nil, err
	}
	if collector == "" {
		return s, nil
	}
	if s.tracer, err = tracing.New(ctx, tracing.Options{Endpoint: collector, Version: versionOf(), Instance: instance(), Logger: s.logger}); err != nil {
		s.close(ctx)
		return nil, usage(err)
	}
	s.logger.Info("sending traces", "to", collector)
	return s, nil
}

// instance names this process.
func instance() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

func (a *app) serviceLogger(f *serviceFlags) *slog.Logger {
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	opts := &slog.HandlerOptions{Level: level}
	if f.logText {
		return slog.New(slog.NewTextHandler(a.stderr, opts))
	}
	return slog.New(slog.NewJSONHandler(a.stderr, opts))
}

// newWorker makes a worker that runs each job in a child process of this program.
func (a *app) newWorker(s *service, f *serviceFlags, meter worker.Meter) (*worker.Worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding our own executable: %w", err)
	}
	slots := f.workers
	if slots == 0 {
		slots = slotsOf(runtime.NumCPU(), memory())
	}
	s.logger.Info("worker started", "slots", slots)
	return worker.New(worker.Options{
		Store: s.store, Files: s.files, Key: s.key, Name: instance(), Slots: slots, Tries: f.tries, AllowPrivate: f.allowPrivate,
		Machine: worker.Machine{
			Command: func(ctx context.Context) *exec.Cmd {
				cmd := exec.CommandContext(ctx, self, "job")
				cmd.Env = jobEnvironment(os.Environ())
				return cmd
			},
			Dir: func() (string, func(), error) { return jobDir(s.logger) }, Room: f.room,
		},
		Times:     worker.Times{Lease: f.lease, Limit: f.limit, Grace: f.grace, Retry: f.retry},
		Telemetry: worker.Telemetry{Logger: s.logger, Meter: meter, Tracer: s.tracer},
	}), nil
}

// leastRoom is the free disk space that a job needs to begin, in bytes.
const leastRoom = 32 << 20

// room fails if there is not enough disk space for a job and its report.
func (f *serviceFlags) room() error {
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
	run, err := box.NewRunDir(filepath.Join(tempDir(), "jobs"), time.Now())
	if err != nil {
		return "", nil, err
	}
	return run.Stage(), func() {
		if err := run.Remove(); err != nil {
			logger.Warn("cleaning up", "error", err)
		}
		_ = os.Remove(tempDir()) // fails if other jobs use it
	}, nil
}

// serviceVariables are environment variables with secrets of the service;
// servicePrefixes are how others begin.
func serviceVariables() []string {
	return []string{"MCPSF_DATABASE", "MCPSF_SECRET", "MCPSF_SECRET_FILE", "MCPSF_FILES", "MCPSF_DATA", "MCPSF_API_URL", "MCPSF_API_KEY"}
}

func servicePrefixes() []string { return []string{"AWS_", "PG", "OTEL_"} }

// jobEnvironment is the environment without secrets of the service: the process
// of a job parses untrusted input.
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
