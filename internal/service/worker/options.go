package worker

import (
	"context"
	"log/slog"
	"os/exec"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// Options of a [Worker]. Store, Files, Key, Name, Slots, Machine.Command,
// Machine.Dir and Telemetry.Logger are required.
type Options struct {
	Store *store.Store
	Files blob.Store
	Key   *secretbox.Key
	// Name identifies the worker in lists of jobs.
	Name string
	// Slots is how many jobs run at a time.
	Slots int
	// Tries is how often a job may crash its process before it is quarantined.
	Tries int
	// AllowPrivate lets jobs reach the private network of this machine.
	AllowPrivate bool
	Machine      Machine
	Times        Times
	Telemetry    Telemetry
}

// Machine is what jobs use of this machine.
type Machine struct {
	// Command makes the process of a job. The process reads its task from
	// standard input, and ends when that is closed.
	Command func(context.Context) *exec.Cmd
	// Dir makes the directory of a job. It also removes what killed workers
	// left.
	Dir func() (dir string, remove func(), err error)
	// Room fails if there is not enough disk space to begin a job; nil does not
	// check. A job that runs out of space fails, and has a limited number of
	// attempts.
	Room func() error
}

// Times are the intervals and time limits of a worker. 0 means the default.
type Times struct {
	// Lease is how long a job stays with a worker that does not renew it.
	Lease time.Duration
	// Idle is how long a worker without jobs waits before it asks again.
	Idle time.Duration
	// Limit bounds the run time of a job.
	Limit time.Duration
	// Grace is how long jobs may go on when the worker shuts down.
	Grace time.Duration
	// Stop is how long a job's process may take to end after it was asked to.
	// It is killed then.
	Stop time.Duration
	// Retry is how long a job that failed waits for its next attempt.
	Retry time.Duration
	// Keep is how long storing a report is retried.
	Keep time.Duration
}

// Telemetry is where a worker logs, counts and traces.
type Telemetry struct {
	Logger *slog.Logger
	// Meter counts; nil counts nothing.
	Meter Meter
	// Tracer gets spans of jobs and their phases; nil makes none.
	Tracer *tracing.Tracer
}

// Meter counts what workers do.
type Meter interface {
	// Began and Ended come in pairs. The state may be queued: the job is tried
	// again.
	Began()
	Ended(state job.State, r *job.Result, took time.Duration)
	// Stepped tells how long a phase of a job took.
	Stepped(step string, took time.Duration)
	// Crashed counts processes of jobs that ended without a result.
	Crashed()
	// Failed counts jobs that failed because of this machine.
	Failed()
}

const (
	defaultLease = time.Minute
	defaultIdle  = 500 * time.Millisecond
	// no gap: a job that takes longer fails
	defaultLimit = 90 * time.Minute
	defaultGrace = 30 * time.Second
	defaultStop  = 20 * time.Second
	defaultRetry = 20 * time.Second
	defaultKeep  = 10 * time.Minute
	defaultTries = 2
)

func (o *Options) setDefaults() {
	t := &o.Times
	for value, usual := range map[*time.Duration]time.Duration{
		&t.Lease: defaultLease, &t.Idle: defaultIdle, &t.Limit: defaultLimit, &t.Grace: defaultGrace, &t.Retry: defaultRetry,
		&t.Stop: defaultStop, &t.Keep: defaultKeep,
	} {
		if *value == 0 {
			*value = usual
		}
	}
	if o.Tries == 0 {
		o.Tries = defaultTries
	}
	if o.Telemetry.Meter == nil {
		o.Telemetry.Meter = unmetered{}
	}
}

type unmetered struct{}

func (unmetered) Began()                                      {}
func (unmetered) Ended(job.State, *job.Result, time.Duration) {}
func (unmetered) Stepped(string, time.Duration)               {}
func (unmetered) Crashed()                                    {}
func (unmetered) Failed()                                     {}
