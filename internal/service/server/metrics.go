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
)

// metrics are what is counted. No label has a value that a client chose.
type metrics struct {
	jobs        *prometheus.GaugeVec
	requests    *prometheus.CounterVec
	seconds     *prometheus.HistogramVec
	streams     prometheus.Gauge
	submissions *prometheus.CounterVec
	handler     http.Handler
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		jobs: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "mcpsf_jobs", Help: "Jobs that are kept, by state.",
		}, []string{"state"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcpsf_http_requests_total", Help: "Requests that were answered.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mcpsf_http_request_seconds", Help: "How long answers took, event streams included.",
			Buckets: []float64{.005, .025, .1, .5, 2.5, 10, 60, 600},
		}, []string{"route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "mcpsf_event_streams", Help: "Event streams that are open.",
		}),
		submissions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcpsf_submissions_total", Help: "What was submitted: queued, shared (an earlier job answers it) or refused.",
		}, []string{"result"}),
	}
	s.o.Metrics.MustRegister(m.jobs, m.requests, m.seconds, m.streams, m.submissions)
	for _, c := range []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
		_ = s.o.Metrics.Register(c) // whose registry it is may have done it
	}
	for _, result := range []string{"queued", "shared", "refused"} {
		m.submissions.WithLabelValues(result)
	}
	m.handler = promhttp.HandlerFor(s.o.Metrics, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// observe counts a request.
func (m *metrics) observe(route, method string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	known := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodPut, http.MethodPatch}
	if !slices.Contains(known, method) {
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// Metrics answers Prometheus. Whoever can ask it is told: give it an address of
// its own that strangers do not reach.
func (s *Server) Metrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second) // who asks has little patience, and wants the rest
		defer cancel()
		if counts, err := s.o.Store.Counts(ctx); err == nil {
			for _, state := range job.States() {
				s.metrics.jobs.WithLabelValues(string(state)).Set(float64(counts[state]))
			}
		}
		s.metrics.handler.ServeHTTP(w, r)
	})
}

// nearMetrics answers those on the same machine. What was passed on by somebody
// there comes from who knows where.
func (s *Server) nearMetrics(w http.ResponseWriter, r *http.Request, _ *job.Key) error {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	near := err == nil && at.Addr().Unmap().IsLoopback() && isSelf(r.Host)
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		near = near && r.Header.Get(name) == ""
	}
	if !near {
		return noSuchThing()
	}
	s.Metrics().ServeHTTP(w, r)
	return nil
}
