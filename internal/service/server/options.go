package server

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// Options of [New]. Store, Files, Key and Rules are required.
type Options struct {
	Store *store.Store
	Files blob.Store
	// Key is the secret of the service; the workers have the same.
	Key *secretbox.Key
	// Rules are the detectors that requests may name.
	Rules *rules.Set
	// Version is that of mcpsf. Results of another version are not shared.
	Version string
	Limits  Limits
	// Fresh is how long a result is shared if its source has no version.
	Fresh time.Duration
	// AllowPrivate lets sources be in the private network of the service.
	AllowPrivate bool
	Public       Public
	Telemetry    Telemetry
	// Now is the clock; nil is that of the system.
	Now func() time.Time
}

// Public is how clients reach the service.
type Public struct {
	// Hosts are the names of the service, besides localhost and loopback
	// addresses. A request for any other name is refused, which stops DNS
	// rebinding: a foreign page can point its own name at our address, but the
	// browser then sends that name.
	Hosts []string
	// HTTPS says that these names are reached over TLS.
	HTTPS bool
	// Proxies may set X-Forwarded-For and X-Forwarded-Proto; by default nobody
	// may.
	Proxies Proxies
}

// Telemetry is where the server logs, counts and traces.
type Telemetry struct {
	// Logger is told of failures; nil is silent.
	Logger *slog.Logger
	// Metrics is the registry to count in; nil makes one.
	Metrics *prometheus.Registry
	// Tracer gets a span for each request; nil makes none.
	Tracer *tracing.Tracer
}

// Limits bound what clients can use. 0 means the default.
type Limits struct {
	// Body and Upload are the maximum sizes of a request and of an archive, in
	// bytes.
	Body, Upload int64
	// Submissions are those of one key in a minute.
	Submissions int
	// SignIns are the wrong keys that one address may send in a minute.
	SignIns int
	// Waiting are the queued jobs of one project.
	Waiting int
	// Streams are the event streams that one key may have open.
	Streams int
}

func (o *Options) setDefaults() {
	t := &o.Telemetry
	if t.Logger == nil {
		t.Logger = slog.New(slog.DiscardHandler)
	}
	if t.Metrics == nil {
		t.Metrics = prometheus.NewRegistry()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	setDefault(&o.Fresh, time.Hour)
	setDefault(&o.Limits.Body, 1<<20)
	setDefault(&o.Limits.Upload, 100<<20)
	setDefault(&o.Limits.Submissions, 120)
	setDefault(&o.Limits.SignIns, 20)
	setDefault(&o.Limits.Waiting, 1000)
	setDefault(&o.Limits.Streams, 16)
}

func setDefault[T ~int | ~int64](value *T, usual T) {
	if *value <= 0 {
		*value = usual
	}
}

// timeouts are the intervals and deadlines of the server. Tests shorten them.
type timeouts struct {
	// poll is how often a watched job is read from the store, heartbeat how
	// often a silent stream sends a comment line.
	poll, heartbeat time.Duration
	// read and write bound the wait for each piece of a request and an answer.
	read, write time.Duration
	// request bounds a whole request, upload one with an archive, uploadSlot
	// the wait until an upload may begin.
	request, upload, uploadSlot time.Duration
}

func defaultTimeouts() *timeouts {
	return &timeouts{
		poll: 300 * time.Millisecond, heartbeat: 15 * time.Second, read: 30 * time.Second, write: 30 * time.Second,
		request: 30 * time.Second, upload: 15 * time.Minute, uploadSlot: 10 * time.Second,
	}
}
