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

// serviceFlags are what serve and worker share: where things are.
type serviceFlags struct {
	data, database, files, secretFile string
	metrics, traces                   string
	workers, tries                    int
	allowPrivate                      bool
	verbose, logText                  bool
	lease, limit, grace, retry        time.Duration
}

// addDatabase defines the flags that say which service is meant.
func (f *serviceFlags) addDatabase(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.data, "data", "", "directory of the service (MCPSF_DATA; default $XDG_DATA_HOME/mcpsf)")
	flags.StringVar(&f.database, "database", "", "postgres://… or the path of a SQLite file (MCPSF_DATABASE; default mcpsf.db in --data)")
}

func (f *serviceFlags) add(cmd *cobra.Command) {
	f.addDatabase(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.files, "files", "", "directory for reports, or s3://bucket/prefix?endpoint=… (MCPSF_FILES; default files in --data)")
	flags.StringVar(&f.secretFile, "secret-file", "", "key that seals the variables of jobs, the same for all (MCPSF_SECRET_FILE, or the key itself in MCPSF_SECRET; default secret in --data, made if missing)")
	flags.StringVar(&f.metrics, "metrics-listen", "", "address for Prometheus and health checks alone, which needs no key")
	flags.StringVar(&f.traces, "traces", "", "address of an OpenTelemetry collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318 (OTEL_EXPORTER_OTLP_ENDPOINT; default: no traces)")
	flags.IntVar(&f.workers, "workers", 0, "assessments at a time (default: by processors and memory)")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "let jobs name servers and registries of this machine and its network")
	flags.DurationVar(&f.lease, "lease", time.Minute, "how long a job stays with a worker that is not heard of")
	flags.DurationVar(&f.limit, "job-timeout", 90*time.Minute, "how long a job may take in all")
	flags.DurationVar(&f.grace, "grace", 30*time.Second, "how long jobs may go on when the program is to end")
	flags.DurationVar(&f.retry, "retry", 20*time.Second, "how long a job waits that failed through no fault of its own")
	flags.IntVar(&f.tries, "tries", 2, "how often a job may take down what runs it before it is put aside")
	flags.BoolVar(&f.logText, "log-text", false, "log for people, not as JSON")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log more")
}

// fill takes from the environment what no flag says.
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
			return usage(errors.New("there is no home directory to keep things in; name a directory with --data"))
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

// service is what is open while a server or a worker runs.
type service struct {
	store  *store.Store
	files  blob.Opened
	key    *secretbox.Key
	logger *slog.Logger
	// tracer is nil if there is no collector.
	tracer *tracing.Tracer
}

// close ends it all. ctx is one that has not ended.
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
	s.logger.Info("traces are sent", "to", collector)
	return s, nil
}

// instance tells the processes of a service apart.
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

// newWorker makes a worker whose jobs run in processes of this program.
func (a *app) newWorker(s *service, f *serviceFlags, meter worker.Meter) (*worker.Worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding our own program: %w", err)
	}
	slots := f.workers
	if slots == 0 {
		slots = slotsOf(runtime.NumCPU(), memory())
	}
	s.logger.Info("working", "jobs_at_a_time", slots)
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

// leastRoom is how much has to be free before a job is begun.
const leastRoom = 32 << 20

// room tells whether there is room for a job, and for its report.
func (f *serviceFlags) room() error {
	places := map[string]string{os.TempDir(): "TMPDIR"}
	if !strings.Contains(f.files, "://") {
		places[f.files] = "--files"
	}
	for dir, name := range places {
		if free, known := freeIn(dir); known && free < leastRoom {
			return fmt.Errorf("%d MiB are free in %s (%s), and a job is begun only if %d are; make room", free>>20, dir, name, leastRoom>>20)
		}
	}
	return nil
}

// jobDir makes the directory of a job, as runs have theirs: what is left by
// workers that were killed goes when the next job begins.
func jobDir(logger *slog.Logger) (string, func(), error) {
	run, err := box.NewRunDir(filepath.Join(tempDir(), "jobs"), time.Now())
	if err != nil {
		return "", nil, err
	}
	return run.Stage(), func() {
		if err := run.Remove(); err != nil {
			logger.Warn("cleaning up", "error", err)
		}
		_ = os.Remove(tempDir()) // unless others are in there
	}, nil
}

// jobEnvironment is the environment without what opens the service: the process
// of a job parses what strangers wrote.
func jobEnvironment(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "MCPSF_DATABASE", "MCPSF_SECRET", "MCPSF_SECRET_FILE", "MCPSF_FILES", "MCPSF_DATA", "MCPSF_API_URL", "MCPSF_API_KEY":
			return true
		}
		return strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "PG") || strings.HasPrefix(name, "OTEL_")
	})
}

// slotsOf is how many assessments a machine can do at a time: each uses two
// sandboxes of a gibibyte at most, and keeps one processor busy.
func slotsOf(processors int, memory uint64) int {
	const each = 3 << 30
	return max(1, min(processors, int(memory/each)))
}
