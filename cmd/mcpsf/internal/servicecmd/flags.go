package servicecmd

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// serviceFlags are the flags that serve and worker share.
type serviceFlags struct {
	storage   storageFlags
	telemetry telemetryFlags
	jobs      jobFlags
}

func (f *serviceFlags) register(flags *pflag.FlagSet) {
	f.storage.register(flags)
	f.telemetry.register(flags)
	f.jobs.register(flags)
}

// fill sets flags that were not given from the environment, and checks them.
func (f *serviceFlags) fill(getenv func(string) string) error {
	if err := f.storage.fill(getenv); err != nil {
		return err
	}
	return f.jobs.check()
}

// storageFlags say where a service stores its data.
type storageFlags struct {
	data, database, files, secretFile string
}

// registerDatabase defines the flags that name the database of a service.
func (f *storageFlags) registerDatabase(flags *pflag.FlagSet) {
	flags.StringVar(&f.data, "data", "", "directory of the service (MCPSF_DATA; default $XDG_DATA_HOME/mcpsf)")
	flags.StringVar(&f.database, "database", "", "postgres://… or the path of a SQLite file (MCPSF_DATABASE; default mcpsf.db in --data)")
}

func (f *storageFlags) register(flags *pflag.FlagSet) {
	f.registerDatabase(flags)
	flags.StringVar(&f.files, "files", "", "directory for reports, or s3://bucket/prefix?endpoint=… (MCPSF_FILES; default files in --data)")
	flags.StringVar(&f.secretFile, "secret-file", "", "file with the secret that encrypts variables of jobs, the same for all servers and workers (MCPSF_SECRET_FILE, or the secret itself in MCPSF_SECRET; default secret in --data, created if missing)")
}

func (f *storageFlags) fill(getenv func(string) string) error {
	for name, value := range map[string]*string{"MCPSF_DATABASE": &f.database, "MCPSF_FILES": &f.files, "MCPSF_SECRET_FILE": &f.secretFile, "MCPSF_DATA": &f.data} {
		if *value == "" {
			*value = getenv(name)
		}
	}
	if f.data == "" {
		base := getenv("XDG_DATA_HOME")
		if base == "" && getenv("HOME") != "" {
			base = filepath.Join(getenv("HOME"), ".local", "share")
		}
		if base == "" {
			return program.Usage(errors.New("no home directory; name a data directory with --data"))
		}
		f.data = filepath.Join(base, "mcpsf")
	}
	for value, otherwise := range map[*string]string{&f.database: "mcpsf.db", &f.files: "files", &f.secretFile: "secret"} {
		if *value == "" {
			*value = filepath.Join(f.data, otherwise)
		}
	}
	return nil
}

// telemetryFlags are about logs, metrics and traces for the operator.
type telemetryFlags struct {
	metrics, traces  string
	verbose, logText bool
}

func (f *telemetryFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.metrics, "metrics-listen", "", "address that serves only Prometheus metrics and health checks, without a key")
	flags.StringVar(&f.traces, "traces", "", "OpenTelemetry collector for traces by OTLP over HTTP, such as http://127.0.0.1:4318 (OTEL_EXPORTER_OTLP_ENDPOINT; default: no traces)")
	flags.BoolVar(&f.logText, "log-text", false, "log as text instead of JSON")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log debug messages")
}

// jobFlags are about how jobs are run.
type jobFlags struct {
	workers, tries             int
	allowPrivate               bool
	lease, limit, grace, retry time.Duration
}

func (f *jobFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.workers, "workers", 0, "how many assessments run at a time (default: by CPUs and memory)")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "allow sources in private networks, this machine included")
	flags.DurationVar(&f.lease, "lease", time.Minute, "how long a job stays with a worker that does not renew it")
	flags.DurationVar(&f.limit, "job-timeout", 90*time.Minute, "time limit of a job")
	flags.DurationVar(&f.grace, "grace", 30*time.Second, "how long running jobs may go on at shutdown")
	flags.DurationVar(&f.retry, "retry", 20*time.Second, "pause before a failed job is tried again")
	flags.IntVar(&f.tries, "tries", 2, "how often a job may crash its process before it is quarantined")
}

func (f *jobFlags) check() error {
	if f.workers < 0 || f.tries < 0 || f.lease < 0 || f.limit < 0 || f.grace < 0 || f.retry < 0 {
		return program.Usage(errors.New("--workers, --tries, --lease, --job-timeout, --grace and --retry must not be below zero"))
	}
	return nil
}
