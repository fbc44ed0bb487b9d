// Package tracing sends traces to an OpenTelemetry collector.
//
// In: requests and jobs of the service as they begin and end.
//
// Out: spans by OTLP over HTTP. A submission, the time its job was queued, the
// attempts and their phases are one trace, across all processes.
//
// Never: put text of a client, a package or an assessed server into a span, only
// numbers, our own ids and known words (request.go and job.go have all of them);
// block when the collector is slow or gone. Spans it does not accept are dropped,
// counted, and logged at intervals.
//
// There is no global state: a [Tracer] is passed to whoever needs one, and nil
// makes no spans.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Options of [New]. Endpoint is required.
type Options struct {
	// Endpoint is the URL of the collector; see [Endpoint].
	Endpoint string
	// Version is that of mcpsf, Instance names the process.
	Version, Instance string
	// Logger is told how many spans were dropped; nil is silent.
	Logger *slog.Logger
}

// shutdownTimeout bounds the wait for the collector at shutdown.
const shutdownTimeout = 3 * time.Second

// Tracer makes spans. Nil makes none, but propagates the traceparent of clients.
type Tracer struct {
	tracer trace.Tracer
	sender *sender
}

// New makes a tracer. The exporter reads further settings, such as headers and
// certificates, from the variables OTEL_… itself. Call [Tracer.Stop] at the end.
// ctx may end before that.
func New(ctx context.Context, o Options) (*Tracer, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	to, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(o.Endpoint), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
		Enabled: true, InitialInterval: time.Second, MaxInterval: 5 * time.Second, MaxElapsedTime: exportTimeout,
	}))
	if err != nil {
		return nil, fmt.Errorf("preparing to send traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "mcpsf"), attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Instance),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("reading OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	s := newSender(ctx, to, o.Logger)
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(about), sdktrace.WithSpanProcessor(s),
		sdktrace.WithoutPanicRecording(), // a panic may contain untrusted text
	)
	return &Tracer{tracer: provider.Tracer("github.com/mcpsf/mcpsf"), sender: s}, nil
}

// Stop sends the remaining spans, within a few seconds or until ctx ends. It may be
// called again.
func (t *Tracer) Stop(ctx context.Context) {
	if t != nil {
		// Not by the provider: it does nothing if ctx has ended.
		_ = t.sender.Shutdown(ctx)
	}
}

// begin starts a child span of that in ctx.
func (t *Tracer) begin(ctx context.Context, name string, opts ...trace.SpanStartOption) (context.Context, trace.Span) {
	if t == nil {
		return noop.Tracer{}.Start(ctx, name)
	}
	return t.tracer.Start(ctx, name, opts...) //nolint:spancheck // the caller ends it
}
