package tracing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// exporter counts spans, and takes as long as it is told to.
type exporter struct {
	err      error
	takes    time.Duration
	got      int
	largest  int
	shutdown int
}

func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	e.largest = max(e.largest, len(spans))
	if e.takes > 0 {
		select {
		case <-time.After(e.takes):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if e.err == nil {
		e.got += len(spans)
	}
	return e.err
}

func (e *exporter) Shutdown(context.Context) error { e.shutdown++; return nil }

// ended returns a span that has ended.
func ended(flags trace.TraceFlags) sdktrace.ReadOnlySpan {
	return tracetest.SpanStub{Name: "x", SpanContext: trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: flags,
	})}.Snapshot()
}

// lines counts the log messages about lost spans, and the spans in them.
func lines(t *testing.T, log string) (n, spans int) {
	t.Helper()
	for line := range strings.Lines(log) {
		var lost int
		_, after, _ := strings.Cut(line, "spans=")
		if _, err := fmt.Sscanf(after, "%d", &lost); err != nil || !strings.Contains(line, "traces were not delivered") {
			t.Errorf("%q: %v", line, err)
		}
		n, spans = n+1, spans+lost
	}
	return n, spans
}

// Whatever the exporter does, ending a span never blocks, and all lost spans are
// logged, at most once a minute.
func TestSender(t *testing.T) {
	for name, tt := range map[string]struct {
		to *exporter
		// In each second so many spans end, for so many seconds.
		spans, seconds int
		got, most      int // received; maximum number of log messages
	}{
		"it takes them":     {&exporter{}, 10, 60, 600, 0},
		"in portions":       {&exporter{}, 1500, 2, 3000, 0},
		"it fails":          {&exporter{err: errors.New("no")}, 10, 330, 0, 7},
		"it never answers":  {&exporter{takes: time.Hour}, 1000, 330, 0, 7},
		"it is a bit slow":  {&exporter{takes: time.Second}, 10, 60, 600, 0},
		"it is much slower": {&exporter{takes: 14 * time.Second}, 1000, 120, -1, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				s := newSender(t.Context(), tt.to, slog.New(slog.NewTextHandler(&log, nil)))
				for range tt.seconds {
					at := time.Now()
					for range tt.spans {
						s.OnEnd(ended(trace.FlagsSampled))
						s.OnEnd(ended(0))
					}
					if waited := time.Since(at); waited > 0 { // time passes in the test only while something blocks
						t.Fatalf("who ends a span waits %s", waited)
					}
					time.Sleep(time.Second)
				}
				if err := s.ForceFlush(t.Context()); err != nil {
					t.Error(err)
				}
				for range 2 {
					if err := s.Shutdown(t.Context()); err != nil {
						t.Error(err)
					}
				}
				n, lost := lines(t, log.String())
				if all := tt.spans * tt.seconds; tt.to.got+lost != all || tt.got >= 0 && tt.to.got != tt.got || tt.got < 0 && (tt.to.got == 0 || lost == 0) {
					t.Errorf("of %d spans %d came, and %d are told to be lost, want %d", all, tt.to.got, lost, tt.got)
				}
				if n > tt.most || lost > 0 && n == 0 {
					t.Errorf("%d lines, want at most %d:\n%s", n, tt.most, log.String())
				}
				if tt.to.largest > maxBatch || tt.to.shutdown != 1 {
					t.Errorf("%d at once, %d times ended", tt.to.largest, tt.to.shutdown)
				}
			})
		})
	}
}
