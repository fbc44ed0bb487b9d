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

// maxPhases is how many an attempt may have: the process that tells them is not
// trusted.
const maxPhases = 100

// Run is one attempt at a job. It is for one goroutine at a time.
type Run struct {
	tracer *Tracer
	id     string
	span   trace.Span
	// phase is nil if none is under way.
	phase  trace.Span
	phases int
}

// Job begins the span of an attempt, in the trace that the job was submitted in,
// and tells how long it had waited for the first.
func (t *Tracer) Job(ctx context.Context, j *job.Job, parent string) (context.Context, *Run) {
	ctx = Continue(ctx, parent)
	id := attribute.String("mcpsf.job.id", j.ID)
	if j.Attempt == 1 && j.Started != nil && isTraced(ctx) {
		// Both times are the database's.
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

// EndPhase ends the phase that is under way, if there is one.
func (r *Run) EndPhase() {
	if r.phase != nil {
		r.phase.End()
		r.phase = nil
	}
}

// End tells what became of the attempt. The result and the problem may be nil.
func (r *Run) End(state job.State, result *job.Result, problem *job.Problem) {
	r.EndPhase()
	r.span.SetAttributes(attribute.String("mcpsf.job.state", known(state, job.States()...)))
	if more := r.phases - maxPhases; more > 0 {
		r.span.SetAttributes(attribute.Int("mcpsf.phases.untold", more))
	}
	if result != nil {
		r.span.SetAttributes(attribute.String("mcpsf.verdict.band", known(result.Band, mcpsf.Bands()...)))
	}
	if problem != nil { // its message may quote anybody
		r.span.SetStatus(codes.Error, known(problem.Code, mcpsf.CodeUsage, mcpsf.CodeUnavailable, mcpsf.CodeInternal))
	}
	r.span.End()
}

// known is a word of ours: what comes out of the process of a job may be another.
func known[T ~string](word T, all ...T) string {
	if !slices.Contains(all, word) {
		return "other"
	}
	return string(word)
}
