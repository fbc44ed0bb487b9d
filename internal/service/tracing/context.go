package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// parentName is what W3C's Trace Context calls it. What else there may be beside
// it, such as tracestate, is free text and not taken.
const parentName = "traceparent"

// maxParent is how long one may be: today's have 55 bytes, later ones may have
// more.
const maxParent = 128

// Continue has what is begun below ctx be part of a trace that was begun
// elsewhere. What is no traceparent changes nothing.
func Continue(ctx context.Context, parent string) context.Context {
	if parent == "" || len(parent) > maxParent {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parentName: parent})
}

// Carry is what [Continue] needs elsewhere, "" if ctx is in no trace.
func Carry(ctx context.Context) string {
	parent := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, parent)
	return parent[parentName]
}

// fromHeader is the trace that a client is in. One that names two is in none.
func fromHeader(h http.Header) string {
	if said := h.Values("Traceparent"); len(said) == 1 {
		return said[0]
	}
	return ""
}

// isTraced tells whether ctx is in a trace.
func isTraced(ctx context.Context) bool { return trace.SpanContextFromContext(ctx).IsValid() }
