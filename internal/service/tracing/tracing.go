// Package tracing tells an OpenTelemetry collector how long things took.
//
// In come requests and jobs of the service as they begin and end; out go spans,
// by OTLP over HTTP: a submission, the wait of its job, the attempts at it and
// their phases are one trace, across all processes that had a part in it.
//
// What is told is in request.go and job.go, and nowhere else: numbers, our own
// ids, and words of lists that we know. Nothing that a client, a package or a
// server under assessment wrote gets into a span.
//
// A collector that is slow or gone holds up nobody: what it does not take is
// dropped, counted, and logged once in a while. There is no global state: a
// [Tracer] is handed to whoever needs one, and nil tells nobody.
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

// Options of [New]. Endpoint is needed.
type Options struct {
	// Endpoint is where spans go; see [Endpoint].
	Endpoint string
	// Version is that of mcpsf, Instance tells its processes apart.
	Version, Instance string
	// Logger is told what could not be delivered; nil is silent.
	Logger *slog.Logger
}

// linger is how long the end of a program may wait for a collector.
const linger = 3 * time.Second

// Tracer makes spans. Nil makes none, but passes on what clients sent.
type Tracer struct {
	tracer trace.Tracer
	sender *sender
}

// New makes a tracer whose spans go to a collector. What else there is to say of
// that, such as headers and certificates, the exporter reads from the variables
// OTEL_… itself. Call [Tracer.Stop] at the end. ctx may end before that.
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
		sdktrace.WithoutPanicRecording(), // who knows what is in one
	)
	return &Tracer{tracer: provider.Tracer("github.com/mcpsf/mcpsf"), sender: s}, nil
}

// Stop sends what is left, within a few seconds or until ctx ends. It may be
// called again.
func (t *Tracer) Stop(ctx context.Context) {
	if t != nil {
		// Not by the provider: it leaves the sender alone if ctx has ended.
		_ = t.sender.Shutdown(ctx)
	}
}

// begin starts a span below that of ctx.
func (t *Tracer) begin(ctx context.Context, name string, opts ...trace.SpanStartOption) (context.Context, trace.Span) {
	if t == nil {
		return noop.Tracer{}.Start(ctx, name)
	}
	return t.tracer.Start(ctx, name, opts...) //nolint:spancheck // the caller ends it
}
