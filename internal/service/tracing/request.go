package tracing

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Request is the span of a request.
type Request struct{ span trace.Span }

// Request begins the span of a request, in the trace of the client if the header
// has one.
func (t *Tracer) Request(ctx context.Context, h http.Header) (context.Context, *Request) {
	ctx, span := t.begin(Continue(ctx, fromHeader(h)), "HTTP", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, &Request{span}
}

// End records the answer. The pattern is that of the route, such as
// "GET /runs/{id}", or "" if there is none; never the path, which has ids in it.
func (r *Request) End(pattern, method string, status int) {
	if !r.span.IsRecording() {
		r.span.End()
		return
	}
	_, route, _ := strings.Cut(pattern, " ")
	name := method
	known := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodPut, http.MethodPatch}
	if !slices.Contains(known, method) {
		name, method = "HTTP", "_OTHER"
	}
	r.span.SetName(strings.TrimSpace(name + " " + route))
	r.span.SetAttributes(attribute.String("http.request.method", method), attribute.Int("http.response.status_code", status))
	if route != "" {
		r.span.SetAttributes(attribute.String("http.route", route))
	}
	if status >= http.StatusInternalServerError {
		r.span.SetStatus(codes.Error, "")
		r.span.SetAttributes(attribute.String("error.type", strconv.Itoa(status)))
	}
	r.span.End()
}

// Submitted records which job the request in ctx queued or shares.
func Submitted(ctx context.Context, id string, shared bool) {
	trace.SpanFromContext(ctx).SetAttributes(attribute.String("mcpsf.job.id", id), attribute.Bool("mcpsf.job.shared", shared))
}
