package server

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// apiPolicy is for answers that are no pages.
const apiPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP is what every request passes.
func (s *Server) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	w := newAnswer(to, s.pace.write)
	begun, route := s.o.Now(), ""
	r, traced := s.traced(r)
	defer func() { // last, also if what tells of a panic panics
		if w.status == 0 {
			w.status = http.StatusOK // that is what is sent for nothing
		}
		traced.End(route, r.Method, w.status)
		s.metrics.observe(route, r.Method, w.status, s.o.Now().Sub(begun))
	}()
	defer func() {
		what := recover()
		if what != nil && route == "" {
			route = r.Pattern // the guard did not return
		}
		if what != nil && what != http.ErrAbortHandler { //nolint:errorlint // it is panicked with as it is
			s.o.Logger.ErrorContext(r.Context(), "a request made us panic", slog.String("route", route),
				slog.String("client", s.clientOf(r)), slog.Any("panic", what), slog.String("stack", string(debug.Stack())))
			if w.status == 0 {
				s.refuse(w, r, refuse(http.StatusInternalServerError, "internal", "the service failed; its log says why"))
				what = nil
			}
		}
		if what != nil {
			panic(http.ErrAbortHandler) // half an answer must not look whole
		}
	}()
	secure(w.Header())
	route = s.guard(w, r)
}

// traced begins the span of a request. Of probes, which never end, and of files
// that pages load, nothing is to be learned.
func (s *Server) traced(r *http.Request) (*http.Request, *tracing.Request) {
	tracer := s.o.Tracer
	if slices.Contains([]string{"/healthz", "/readyz", "/metrics"}, r.URL.Path) || strings.HasPrefix(r.URL.Path, "/assets/") {
		tracer = nil
	}
	ctx, traced := tracer.Request(r.Context(), r.Header)
	return r.WithContext(ctx), traced
}

// guard lets a request through to what answers it, and returns its pattern.
func (s *Server) guard(w http.ResponseWriter, r *http.Request) string {
	h, pattern := s.mux.Handler(r)
	switch {
	case !s.isOurs(r): // nor does what a page of ours would load
		refuse(http.StatusMisdirectedRequest, "wrong-host", "this service does not go by that name; its operator can allow it").write(w)
	case !isClean(r):
		s.refuse(w, r, noSuchThing())
		return ""
	case pattern == "":
		s.unmatched(w, r, h)
	case s.crosses(r):
		s.refuse(w, r, refuse(http.StatusForbidden, "cross-site", "pages of other sites cannot change anything here"))
	default:
		s.mux.ServeHTTP(w, r)
	}
	return pattern
}

// secure sets what every answer has unless it knows better.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", apiPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// isClean tells a path that is written as it is meant. Others would be
// redirected, and a client that follows may have asked for something else.
func isClean(r *http.Request) bool {
	p := r.URL.EscapedPath()
	if !strings.HasPrefix(p, "/") {
		return false
	}
	clean := path.Clean(p)
	return p == clean || p == clean+"/"
}

// unmatched answers what no pattern is for. h is what the mux would do.
func (s *Server) unmatched(w http.ResponseWriter, r *http.Request, h http.Handler) {
	var said refusal
	h.ServeHTTP(&said, r)
	allowed := said.Header().Get("Allow")
	switch {
	case said.status != http.StatusMethodNotAllowed:
		s.refuse(w, r, noSuchThing())
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", allowed+", OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", allowed+", OPTIONS")
		s.refuse(w, r, refuse(http.StatusMethodNotAllowed, "method", "this can only be asked with: %s", allowed))
	}
}

// refusal catches how the mux refuses a request.
type refusal struct {
	header http.Header
	status int
}

func (f *refusal) Header() http.Header {
	if f.header == nil {
		f.header = http.Header{}
	}
	return f.header
}
func (f *refusal) Write(p []byte) (int, error) { return len(p), nil }
func (f *refusal) WriteHeader(status int)      { f.status = status }

// isOurs tells whether the request names a host that is us. What says nothing
// but that we are there may be asked by any name: probes know only addresses.
func (s *Server) isOurs(r *http.Request) bool {
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		return true
	}
	return s.hosts[hostOf(r.Host)] || isSelf(r.Host)
}

// isSelf tells the names that a machine has for itself.
func isSelf(host string) bool {
	host = hostOf(host)
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// hostOf is a host without its port.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

func hostNames(list []string) map[string]bool {
	names := make(map[string]bool, len(list))
	for _, name := range list {
		if name = hostOf(name); name != "" {
			names[name] = true
		}
	}
	return names
}

// crosses tells a change that the page of another site asks for. What comes with
// a key in its header comes from no page but ours: others may not send that.
func (s *Server) crosses(r *http.Request) bool {
	_, ok := bearer(r)
	return !ok && s.cross.Check(r) != nil
}

// answer is an answer under way. A client that does not read is given up after
// a while, whatever writes to it.
type answer struct {
	http.ResponseWriter

	control  *http.ResponseController
	patience time.Duration
	// status is 0 until something was sent.
	status int
}

func newAnswer(w http.ResponseWriter, patience time.Duration) *answer {
	return &answer{ResponseWriter: w, control: http.NewResponseController(w), patience: patience}
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.wait()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.wait()
	return a.ResponseWriter.Write(p)
}

func (a *answer) wait() {
	_ = a.control.SetWriteDeadline(time.Now().Add(a.patience)) // not every kind of connection has one
}
