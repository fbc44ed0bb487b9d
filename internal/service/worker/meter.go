package worker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Prometheus is a [Meter] that counts for Prometheus.
type Prometheus struct {
	running          prometheus.Gauge
	ended, verdicts  *prometheus.CounterVec
	seconds          prometheus.Histogram
	steps            *prometheus.HistogramVec
	crashed, sandbox prometheus.Counter
}

var _ Meter = (*Prometheus)(nil)

// NewMeter registers the metrics of workers.
func NewMeter(r prometheus.Registerer) *Prometheus {
	long := []float64{1, 5, 15, 30, 60, 120, 300, 900, 3600}
	p := &Prometheus{
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "mcpsf_worker_jobs_running", Help: "Jobs running in this process."}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcpsf_worker_jobs_ended_total", Help: "Jobs that ended here, by state.",
		}, []string{"state"}),
		verdicts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mcpsf_worker_verdicts_total", Help: "Verdicts, by band.",
		}, []string{"band"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "mcpsf_worker_job_seconds", Help: "Duration of jobs.", Buckets: long,
		}),
		steps: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mcpsf_worker_phase_seconds", Help: "Duration of the phases of jobs.", Buckets: long,
		}, []string{"phase"}),
		crashed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "mcpsf_worker_crashes_total", Help: "Job processes that ended without a result.",
		}),
		sandbox: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "mcpsf_worker_sandbox_failures_total", Help: "Jobs that failed because of the machine, such as when no sandbox could be started.",
		}),
	}
	r.MustRegister(p.running, p.ended, p.verdicts, p.seconds, p.steps, p.crashed, p.sandbox)
	return p
}

// Began implements [Meter].
func (p *Prometheus) Began() { p.running.Inc() }

// Ended implements [Meter].
func (p *Prometheus) Ended(state job.State, r *job.Result, took time.Duration) {
	p.running.Dec()
	p.ended.WithLabelValues(string(state)).Inc()
	p.seconds.Observe(took.Seconds())
	if r != nil {
		p.verdicts.WithLabelValues(string(r.Band)).Inc()
	}
}

// Failed implements [Meter].
func (p *Prometheus) Failed() { p.sandbox.Inc() }

// Stepped implements [Meter].
func (p *Prometheus) Stepped(step string, took time.Duration) {
	p.steps.WithLabelValues(job.Step(step)).Observe(took.Seconds())
}

// Crashed implements [Meter].
func (p *Prometheus) Crashed() { p.crashed.Inc() }
