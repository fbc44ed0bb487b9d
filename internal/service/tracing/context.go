package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// parentName is the header of W3C Trace Context. tracestate is free text and
// ignored.
const parentName = "traceparent"

// maxParent is the longest accepted value: version 00 has 55 bytes, later ones may
// have more.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxParent = 128

// Continue makes spans below ctx part of a trace that began in another process. An
// invalid traceparent is ignored.
func Continue(ctx context.Context, parent string) context.Context {
	if parent == "" || len(parent) > maxParent {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parentName: parent})
}

// Carry returns the traceparent of ctx, for [Continue] in another process; "" if
// there is none.
func Carry(ctx context.Context) string {
	parent := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, parent)
	return parent[parentName]
}

// fromHeader returns the traceparent of a client. If there are two, both are ignored.
func fromHeader(h http.Header) string {
	if said := h.Values("Traceparent"); len(said) == 1 {
		return said[0]
	}
	return ""
}

// isTraced tells whether ctx is in a trace.
func isTraced(ctx context.Context) bool { return trace.SpanContextFromContext(ctx).IsValid() }
