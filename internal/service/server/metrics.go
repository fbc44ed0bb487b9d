package server

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// The results of submissions, as a label.
const (
	submissionQueued  = "queued"
	submissionShared  = "shared"
	submissionRefused = "refused"
)

// metrics are counters for Prometheus. No label has a value that a client chose.
type metrics struct {
	store       *store.Store
	jobs        *prometheus.GaugeVec
	requests    *prometheus.CounterVec
	seconds     *prometheus.HistogramVec
	streams     prometheus.Gauge
	submissions *prometheus.CounterVec
	registry    http.Handler
}

func newMetrics(registry *prometheus.Registry, jobs *store.Store) *metrics {
	m := &metrics{
		store: jobs,
		jobs: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "mcpsf_jobs", Help: "Jobs in the database, by state.",
		}, []string{"state"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcpsf_http_requests_total", Help: "Answered requests.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mcpsf_http_request_seconds", Help: "Duration of requests, event streams included.",
			Buckets: []float64{.005, .025, .1, .5, 2.5, 10, 60, 600},
		}, []string{"route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "mcpsf_event_streams", Help: "Open event streams.",
		}),
		submissions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcpsf_submissions_total", Help: "Submissions by result: queued, shared (an earlier job answers it) or refused.",
		}, []string{"result"}),
	}
	registry.MustRegister(m.jobs, m.requests, m.seconds, m.streams, m.submissions)
	for _, c := range []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
		_ = registry.Register(c) // the owner of the registry may have done it
	}
	for _, result := range []string{submissionQueued, submissionShared, submissionRefused} {
		m.submissions.WithLabelValues(result)
	}
	m.registry = promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// countedMethods are the values of the label method; the rest is "other".
func countedMethods() []string {
	return []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodPut, http.MethodPatch}
}

// observe counts a request.
func (m *metrics) observe(route, method string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	if !slices.Contains(countedMethods(), method) {
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// handler answers Prometheus.
func (m *metrics) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second) // without the database the other metrics still count
		defer cancel()
		if counts, err := m.store.Counts(ctx); err == nil {
			for _, state := range job.States() {
				m.jobs.WithLabelValues(string(state)).Set(float64(counts[state]))
			}
		}
		m.registry.ServeHTTP(w, r)
	})
}

// forwardingHeaders show that a proxy passed a request on.
func forwardingHeaders() []string {
	return []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"}
}

// serveLocal answers Prometheus on the same machine. A request that a local proxy
// passed on may come from anywhere.
func (m *metrics) serveLocal(w http.ResponseWriter, r *http.Request, _ *job.Key) error {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	local := err == nil && at.Addr().Unmap().IsLoopback() && isLoopback(r.Host)
	for _, name := range forwardingHeaders() {
		local = local && r.Header.Get(name) == ""
	}
	if !local {
		return notFound()
	}
	m.handler().ServeHTTP(w, r)
	return nil
}
