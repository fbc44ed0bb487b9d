// Package server is the HTTP API of the service.
//
// In come requests of people and programs that have a key; out go jobs, what
// they tell while they run, their reports and files, each to the project it
// belongs to. The server runs nothing of what it is sent: it writes jobs down,
// and workers take them from there.
//
// Everything in a request is hostile, and so is everything in a job: sources,
// names, reports and files were chosen by whoever wrote what was assessed.
// guard.go is what every request passes, route.go the list of what is answered,
// openapi.yaml the same for clients; a test keeps the two alike.
package server

import (
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// Options of [New]. Store, Files, Key and Rules are needed.
type Options struct {
	Store *store.Store
	Files blob.Store
	// Key is the secret of the service; the workers have the same.
	Key *secretbox.Key
	// Rules are the detectors that requests may name.
	Rules *rules.Set
	// Version is that of mcpsf: another one may answer otherwise.
	Version string
	// Logger is told of what failed; nil is silent.
	Logger *slog.Logger
	Limits Limits
	// Fresh is how long an answer is shared whose source is not pinned.
	Fresh time.Duration
	// AllowPrivate lets sources be in the network of the service.
	AllowPrivate bool
	// Hosts are the names that the service is reached by, beside those of the
	// machine itself. A page elsewhere can point a name of its own at us; the
	// browser then sends that name.
	Hosts []string
	// HTTPS says that these names are reached by TLS.
	HTTPS bool
	// Proxies are believed whom they pass requests on for; by default nobody is.
	Proxies Proxies
	// Metrics is where to count; nil makes one.
	Metrics *prometheus.Registry
	// Tracer is told of requests; nil tells nobody.
	Tracer *tracing.Tracer
	Now    func() time.Time
}

// Limits bound what clients can take. 0 means the default.
type Limits struct {
	// Body and Upload are the sizes of a request and of an archive, in bytes.
	Body, Upload int64
	// Submissions are those of a key in a minute.
	Submissions int
	// SignIns are the wrong keys that an address may show in a minute.
	SignIns int
	// Waiting are the jobs of a project that are not begun yet.
	Waiting int
	// Streams are the event streams that a key may have open.
	Streams int
}

// pace is how long things take. Tests have less patience.
type pace struct {
	// poll is how often a job that is watched is looked at, beat how often a
	// silent stream gives a sign of life.
	poll, beat time.Duration
	// read and write bound the wait for each piece of a request and an answer.
	read, write time.Duration
	// answer bounds a request as a whole, upload one with an archive, turn the
	// wait for it to be let in.
	answer, upload, turn time.Duration
}

// Server answers. It is an [http.Handler]; see [Server.HTTP] for what it is best
// served by, and call [Server.Close] when it is to end.
type Server struct {
	o Options

	pace      pace
	mux       *http.ServeMux
	cross     *http.CrossOriginProtection
	hosts     map[string]bool
	failures  *limiters
	submitted *limiters
	known     *credentials
	streams   *counts
	uploads   *turns
	hub       *hub
	metrics   *metrics
	// drawing and uploading hold a token for each that is under way.
	drawing, uploading chan struct{}
	ready              readiness
	document           []byte
	problems           Draw
	policy             string
	closed             chan struct{}
	closing            sync.Once
}

var _ http.Handler = (*Server)(nil)

// New makes a server.
func New(o Options) (*Server, error) {
	if o.Store == nil || o.Files == nil || o.Key == nil || o.Rules == nil {
		return nil, errors.New("a server needs a store, files, a key and rules")
	}
	o.fill()
	s := &Server{
		o: o,
		pace: pace{
			poll: 300 * time.Millisecond, beat: 15 * time.Second, read: 30 * time.Second, write: 30 * time.Second,
			answer: 30 * time.Second, upload: 15 * time.Minute, turn: 10 * time.Second,
		},
		mux: http.NewServeMux(), cross: http.NewCrossOriginProtection(), hosts: hostNames(o.Hosts),
		failures: newLimiters(o.Limits.SignIns), submitted: newLimiters(o.Limits.Submissions), known: newCredentials(),
		streams: newCounts(o.Limits.Streams), uploads: newTurns(maxUploading / 2),
		drawing: make(chan struct{}, maxDrawing), uploading: make(chan struct{}, maxUploading),
		closed: make(chan struct{}),
	}
	s.hub = newHub(o.Store, o.Logger, &s.pace)
	s.metrics = newMetrics(s)
	var err error
	if s.document, err = openAPI(o.Version); err != nil {
		return nil, err
	}
	if s.policy, err = reportPolicy(); err != nil {
		return nil, err
	}
	for _, r := range s.routes() {
		s.handle(r)
	}
	return s, nil
}

func (o *Options) fill() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Fresh <= 0 {
		o.Fresh = time.Hour
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &o.Limits
	for _, d := range []struct {
		value *int64
		usual int64
	}{{&l.Body, 1 << 20}, {&l.Upload, 100 << 20}} {
		if *d.value <= 0 {
			*d.value = d.usual
		}
	}
	for _, d := range []struct {
		value *int
		usual int
	}{{&l.Submissions, 120}, {&l.SignIns, 20}, {&l.Waiting, 1000}, {&l.Streams, 16}} {
		if *d.value <= 0 {
			*d.value = d.usual
		}
	}
}

// Mount adds what else is answered, such as pages. The handler gets the key of
// whoever asks, nil for nobody: what it shows then is its business. Its requests
// pass the same guard as those of the API. The pattern is one of
// [http.ServeMux]; one that takes everything would take what the API refuses.
func (s *Server) Mount(pattern string, h func(http.ResponseWriter, *http.Request, *job.Key)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		k, err := s.who(r)
		if p, ok := errors.AsType[*problem](err); err != nil && (!ok || p.status != http.StatusUnauthorized) {
			s.fail(w, r, err)
			return
		}
		h(w, r, k)
	})
}

// Draw answers with a page that says what cannot be done. The key is nil if it is
// not known who asks. Nothing was written if it returns an error.
type Draw func(w http.ResponseWriter, r *http.Request, k *job.Key, status int, detail string) error

// MountProblems has browsers be shown a page for what cannot be done, unless they
// ask the API. Call it before the server answers anything.
func (s *Server) MountProblems(draw Draw) { s.problems = draw }

// Close ends event streams, which would go on otherwise, and tells who balances
// loads that there is nothing more to get. Give it to
// [http.Server.RegisterOnShutdown]. It may be called again.
func (s *Server) Close() { s.closing.Do(func() { close(s.closed) }) }

// HTTP returns a server whose limits suit hostile clients. The caller gives it
// an address or certificates, serves and closes it.
func (s *Server) HTTP() *http.Server {
	server := &http.Server{
		Handler: s,
		// There is no ReadTimeout and no WriteTimeout: archives and event
		// streams take as long as they take. Each piece has its own deadline.
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.o.Logger.Handler(), slog.LevelDebug),
		// OPTIONS passes the guard like everything else.
		DisableGeneralOptionsHandler: true,
	}
	server.RegisterOnShutdown(s.Close)
	return server
}
