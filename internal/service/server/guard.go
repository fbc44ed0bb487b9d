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

// apiPolicy is the Content-Security-Policy of answers that are no pages.
const apiPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard is what every request passes before a route answers it: security
// headers, host names, cross-site requests, panics, metrics and traces.
type guard struct {
	mux      *http.ServeMux
	cross    *http.CrossOriginProtection
	hosts    hostSet
	proxies  Proxies
	errors   *Errors
	metrics  *metrics
	tracer   *tracing.Tracer
	logger   *slog.Logger
	timeouts *timeouts
	now      func() time.Time
}

// ServeHTTP implements [http.Handler].
func (g *guard) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	w := newAnswer(to, g.timeouts.write)
	begun, route := g.now(), ""
	r, span := g.trace(r)
	defer func() { // runs last, also if logging a panic panics
		if w.status == 0 {
			w.status = http.StatusOK // net/http sends that for an empty answer
		}
		span.End(route, r.Method, w.status)
		g.metrics.observe(route, r.Method, w.status, g.now().Sub(begun))
	}()
	defer func() {
		what := recover()
		if what != nil && route == "" {
			route = r.Pattern // dispatch did not return
		}
		if what != nil && what != http.ErrAbortHandler { //nolint:errorlint // it is panicked with as it is
			g.logger.ErrorContext(r.Context(), "panic while answering a request", slog.String("route", route),
				slog.String("client", g.proxies.clientName(r)), slog.Any("panic", what), slog.String("stack", string(debug.Stack())))
			if w.status == 0 {
				g.errors.write(w, r, internalError())
				what = nil
			}
		}
		if what != nil {
			panic(http.ErrAbortHandler) // cut the connection: half an answer must not look complete
		}
	}()
	setSecurityHeaders(w.Header())
	route = g.dispatch(w, r)
}

// probes are the paths that load balancers and Prometheus ask all the time.
func probes() []string { return []string{"/healthz", "/readyz", "/metrics"} }

// trace begins the span of a request, but not for probes and page assets, which
// would only fill the collector.
func (g *guard) trace(r *http.Request) (*http.Request, *tracing.Request) {
	tracer := g.tracer
	if slices.Contains(probes(), r.URL.Path) || strings.HasPrefix(r.URL.Path, "/assets/") {
		tracer = nil
	}
	ctx, span := tracer.Request(r.Context(), r.Header)
	return r.WithContext(ctx), span
}

// dispatch lets a request through to its route, and returns the pattern of it.
func (g *guard) dispatch(w http.ResponseWriter, r *http.Request) string {
	h, pattern := g.mux.Handler(r)
	switch {
	case !g.isOwnHost(r): // not even an error page, which would load our assets
		refuse(http.StatusMisdirectedRequest, "wrong-host", "unknown host name; the operator can allow it with --public-url").write(w)
	case !isCleanPath(r):
		g.errors.write(w, r, notFound())
		return ""
	case pattern == "":
		g.unmatched(w, r, h)
	case g.isCrossSite(r):
		g.errors.write(w, r, refuse(http.StatusForbidden, "cross-site", "cross-site request refused"))
	default:
		g.mux.ServeHTTP(w, r)
	}
	return pattern
}

// setSecurityHeaders sets the headers of every answer. Routes may relax them.
func setSecurityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", apiPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// isCleanPath tells whether a path has no dots or double slashes in it.
// [http.ServeMux] would redirect such a request, and a client that follows may
// get something that it did not ask for.
func isCleanPath(r *http.Request) bool {
	p := r.URL.EscapedPath()
	if !strings.HasPrefix(p, "/") {
		return false
	}
	clean := path.Clean(p)
	return p == clean || p == clean+"/"
}

// unmatched answers a request that no pattern matches. h is what the mux would
// do.
func (g *guard) unmatched(w http.ResponseWriter, r *http.Request, h http.Handler) {
	var rec recorder
	h.ServeHTTP(&rec, r)
	allowed := rec.Header().Get("Allow")
	switch {
	case rec.status != http.StatusMethodNotAllowed:
		g.errors.write(w, r, notFound())
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", allowed+", OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", allowed+", OPTIONS")
		g.errors.write(w, r, refuse(http.StatusMethodNotAllowed, "method", "method not allowed; use %s", allowed))
	}
}

// recorder keeps the status and headers that the mux refuses a request with.
type recorder struct {
	header http.Header
	status int
}

func (f *recorder) Header() http.Header {
	if f.header == nil {
		f.header = http.Header{}
	}
	return f.header
}
func (f *recorder) Write(p []byte) (int, error) { return len(p), nil }
func (f *recorder) WriteHeader(status int)      { f.status = status }

// isOwnHost tells whether the Host header names this service. Health probes may
// use any name: they often know only an address.
func (g *guard) isOwnHost(r *http.Request) bool {
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		return true
	}
	return g.hosts[hostOf(r.Host)] || isLoopback(r.Host)
}

// isCrossSite tells whether the page of another site asks for a change. A
// request with a key in its header cannot come from another site: browsers do
// not send that header across sites.
func (g *guard) isCrossSite(r *http.Request) bool {
	_, ok := bearer(r)
	return !ok && g.cross.Check(r) != nil
}

// hostSet are the names of the service, without ports.
type hostSet map[string]bool

func hostNames(list []string) hostSet {
	names := make(hostSet, len(list))
	for _, name := range list {
		if name = hostOf(name); name != "" {
			names[name] = true
		}
	}
	return names
}

// isLoopback tells whether a host is localhost or a loopback address.
func isLoopback(host string) bool {
	host = hostOf(host)
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// hostOf is a host without its port, in lower case.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
