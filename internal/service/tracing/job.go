package tracing

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxPhases bounds the phases of an attempt: the process that reports them is not
// trusted.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxPhases = 100

// Run is one attempt at a job. It is for one goroutine at a time.
type Run struct {
	tracer *Tracer
	id     string
	span   trace.Span
	// phase is the current one, or nil.
	phase  trace.Span
	phases int
}

// Job begins the span of an attempt, in the trace of the submission. The first
// attempt also gets a span for the time in the queue.
func (t *Tracer) Job(ctx context.Context, j *job.Job, parent string) (context.Context, *Run) {
	ctx = Continue(ctx, parent)
	id := attribute.String("mcpsf.job.id", j.ID)
	if j.Attempt == 1 && j.Started != nil && isTraced(ctx) {
		// Both times are from the clock of the database.
		_, wait := t.begin(ctx, "wait", trace.WithTimestamp(j.Created), trace.WithAttributes(id))
		wait.End(trace.WithTimestamp(*j.Started))
	}
	profile := j.Request.Profile
	if profile == "" {
		profile = "default"
	}
	ctx, span := t.begin(ctx, "job", trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		id, attribute.Int("mcpsf.job.attempt", j.Attempt), attribute.String("mcpsf.source.kind", j.Request.Kind()),
		attribute.String("mcpsf.profile", known(profile, "default", "safe", "balanced", "aggressive")),
	))
	return ctx, &Run{tracer: t, id: j.ID, span: span}
}

// Phase begins a phase of the attempt, and ends the one before.
func (r *Run) Phase(ctx context.Context, step string) {
	r.EndPhase()
	if r.phases++; r.phases > maxPhases {
		return
	}
	_, r.phase = r.tracer.begin(trace.ContextWithSpan(ctx, r.span), job.Step(step), trace.WithAttributes(attribute.String("mcpsf.job.id", r.id)))
}

// EndPhase ends the current phase, if there is one.
func (r *Run) EndPhase() {
	if r.phase != nil {
		r.phase.End()
		r.phase = nil
	}
}

// End records the outcome of the attempt. Result and problem may be nil.
func (r *Run) End(state job.State, result *job.Result, problem *job.Problem) {
	r.EndPhase()
	r.span.SetAttributes(attribute.String("mcpsf.job.state", known(state, job.States()...)))
	if more := r.phases - maxPhases; more > 0 {
		r.span.SetAttributes(attribute.Int("mcpsf.phases.untold", more))
	}
	if result != nil {
		r.span.SetAttributes(attribute.String("mcpsf.verdict.band", known(result.Band, mcpsf.Bands()...)))
	}
	if problem != nil { // its message may contain untrusted text
		r.span.SetStatus(codes.Error, known(problem.Code, mcpsf.CodeUsage, mcpsf.CodeUnavailable, mcpsf.CodeInternal))
	}
	r.span.End()
}

// known replaces words that are not in our lists: they come from an untrusted
// process.
func known[T ~string](word T, all ...T) string {
	if !slices.Contains(all, word) {
		return "other"
	}
	return string(word)
}
