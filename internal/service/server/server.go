// Package server is the HTTP API of the service.
//
// In: requests of people and programs that have a key.
//
// Out: jobs, live events, reports and files, each only to the project that it
// belongs to. The server queues jobs in the store; workers take them from
// there.
//
// Never: run anything that it is sent; trust a request, or a job: sources,
// names, reports and files were chosen by whoever wrote what was assessed.
//
// guard.go is what every request passes, route.go the list of routes,
// openapi.yaml the same list for clients; a test keeps the two alike. [Server]
// only wires the parts together. Each part has one job and gets the state that
// it needs from [New].
package server

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Server is the API as an [http.Handler], and its parts. See [Server.HTTP] for
// how to serve it, and call [Server.Close] when it shuts down.
type Server struct {
	// The parts that pages use besides the routes.
	Sessions    *Sessions
	Keys        *Keys
	Jobs        *Jobs
	Submissions *Submissions
	Artifacts   *Artifacts
	Reports     *Reports
	Streams     *Streams
	Events      *Events
	Errors      *Errors

	bodies    *bodyReader
	catalogue *catalogue
	health    *health
	metrics   *metrics
	router    *router
	guard     *guard
	timeouts  *timeouts
	logger    *slog.Logger
	closed    chan struct{}
	closing   sync.Once
}

var _ http.Handler = (*Server)(nil)

// New makes a server.
func New(o Options) (*Server, error) {
	if o.Store == nil || o.Files == nil || o.Key == nil || o.Rules == nil {
		return nil, errors.New("a server needs a store, files, a key and rules")
	}
	o.setDefaults()
	t, logger, hosts, proxies := defaultTimeouts(), o.Telemetry.Logger, hostNames(o.Public.Hosts), o.Public.Proxies
	s := &Server{timeouts: t, logger: logger, closed: make(chan struct{}), metrics: newMetrics(o.Telemetry.Metrics, o.Store)}
	var err error
	if s.catalogue, err = newCatalogue(o.Version, o.Rules); err != nil {
		return nil, err
	}

	checker := newKeyChecker(o.Store, o.Limits.SignIns, proxies, logger, o.Now)
	s.Sessions = &Sessions{keys: checker, secret: o.Key, hosts: hosts, https: o.Public.HTTPS, proxies: proxies, now: o.Now}
	auth := &authenticator{keys: checker, sessions: s.Sessions}
	s.Errors = &Errors{auth: auth, proxies: proxies, logger: logger, timeouts: t}

	s.bodies = &bodyReader{timeouts: t, maxBody: o.Limits.Body}
	s.Keys = &Keys{store: o.Store, bodies: s.bodies}
	s.Jobs = &Jobs{store: o.Store}
	s.Artifacts = &Artifacts{files: o.Files, jobs: s.Jobs}
	if s.Reports, err = newReports(s.Jobs, s.Artifacts, t); err != nil {
		return nil, err
	}
	checks := &requestCheck{rules: o.Rules, allowPrivate: o.AllowPrivate}
	s.Submissions = newSubmissions(&o, s.bodies, newUploads(o.Files, s.bodies, checks, o.Limits.Upload), checks, s.metrics)
	s.Streams = &Streams{store: o.Store, open: newOpenCounts(o.Limits.Streams), metrics: s.metrics, timeouts: t, closed: s.closed}
	s.Events = &Events{
		store: o.Store, jobs: s.Jobs, artifacts: s.Artifacts, streams: s.Streams,
		hub: newHub(o.Store, logger, t), timeouts: t, closed: s.closed,
	}
	s.health = &health{store: o.Store, files: o.Files, logger: logger, closed: s.closed, now: o.Now}

	s.router = &router{mux: http.NewServeMux(), auth: auth, errors: s.Errors, timeouts: t}
	for _, r := range s.routes() {
		s.router.handle(r)
	}
	s.guard = &guard{
		mux: s.router.mux, cross: http.NewCrossOriginProtection(), hosts: hosts, proxies: proxies, errors: s.Errors,
		metrics: s.metrics, tracer: o.Telemetry.Tracer, logger: logger, timeouts: t, now: o.Now,
	}
	return s, nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.guard.ServeHTTP(w, r) }

// Mount adds further routes, such as pages. The handler gets the key of the
// client, nil if it has not signed in: what it shows then is its decision. The
// requests pass the same guard as those of the API. The pattern is one of
// [http.ServeMux]; do not mount one that matches everything, because it would
// also answer what the API refuses.
func (s *Server) Mount(pattern string, h func(http.ResponseWriter, *http.Request, *job.Key)) {
	s.router.mount(pattern, h)
}

// MountProblems shows browsers an error page, unless they ask the API. Call it
// before the server answers anything.
func (s *Server) MountProblems(page ProblemPage) { s.Errors.page = page }

// Metrics answers Prometheus, without asking for a key: serve it on an address
// that only the operator reaches.
func (s *Server) Metrics() http.Handler { return s.metrics.handler() }

// ReadForm reads a form without a file, within size and time limits.
func (s *Server) ReadForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	return s.bodies.form(w, r)
}

// Close ends event streams, which would stay open otherwise, and makes /readyz
// fail so that load balancers send nothing more. Register it with
// [http.Server.RegisterOnShutdown]. It may be called again.
func (s *Server) Close() { s.closing.Do(func() { close(s.closed) }) }

// HTTP returns a server with limits against hostile clients. The caller gives it
// an address or certificates, serves and closes it.
func (s *Server) HTTP() *http.Server {
	server := &http.Server{
		Handler: s,
		// No ReadTimeout and no WriteTimeout: uploads and event streams may take
		// long. Each read and write has a deadline of its own.
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug),
		// OPTIONS passes the guard like everything else.
		DisableGeneralOptionsHandler: true,
	}
	server.RegisterOnShutdown(s.Close)
	return server
}
