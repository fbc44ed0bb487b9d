package tracing

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	// maxWaiting is how many spans wait to be sent, maxBatch how many are sent at
	// once.
	maxWaiting, maxBatch = 2048, 512
	// interval is how often they are sent, exportTimeout how long a collector may
	// take.
	interval, exportTimeout = 2 * time.Second, 15 * time.Second
	// quiet is the time between two log messages.
	quiet = time.Minute
	// maxReason bounds the logged reason, in bytes.
	maxReason = 300
)

// sender exports ended spans from a goroutine of its own. Ending a span never
// blocks. The SDK's batch processor does the same, but does not say what it
// dropped, and reports failures to a handler that is global.
type sender struct {
	to     sdktrace.SpanExporter
	logger *slog.Logger

	queue chan sdktrace.ReadOnlySpan
	lost  atomic.Int64
	// failure is the last one, logged when a message was logged. Only the
	// goroutine uses them.
	failure error
	logged  time.Time

	stop   chan struct{}
	ended  chan struct{}
	once   sync.Once
	cancel context.CancelFunc
}

var _ sdktrace.SpanProcessor = (*sender)(nil)

func newSender(ctx context.Context, to sdktrace.SpanExporter, logger *slog.Logger) *sender {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // the last spans end after ctx
	s := &sender{
		to: to, logger: logger, queue: make(chan sdktrace.ReadOnlySpan, maxWaiting),
		stop: make(chan struct{}), ended: make(chan struct{}), cancel: cancel,
	}
	go s.run(ctx)
	return s
}

// OnStart implements [sdktrace.SpanProcessor].
func (s *sender) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd implements [sdktrace.SpanProcessor].
func (s *sender) OnEnd(span sdktrace.ReadOnlySpan) {
	if !span.SpanContext().IsSampled() {
		return
	}
	select {
	case s.queue <- span:
	default:
		s.lost.Add(1)
	}
}

// ForceFlush implements [sdktrace.SpanProcessor]. It does nothing: only shutdown
// waits for the collector.
func (s *sender) ForceFlush(context.Context) error { return nil }

// Shutdown implements [sdktrace.SpanProcessor]: it sends the remaining spans, and
// gives up after a while.
func (s *sender) Shutdown(ctx context.Context) error {
	s.once.Do(func() {
		close(s.stop)
		late := time.AfterFunc(shutdownTimeout, s.cancel)
		defer late.Stop()
		defer context.AfterFunc(ctx, s.cancel)()
		<-s.ended
		s.cancel()
	})
	return nil
}

func (s *sender) run(ctx context.Context) {
	defer close(s.ended)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var batch []sdktrace.ReadOnlySpan
	for {
		select {
		case span := <-s.queue:
			if batch = append(batch, span); len(batch) < maxBatch {
				continue
			}
		case <-tick.C:
		case <-s.stop:
			s.finish(ctx, batch)
			return
		}
		s.send(ctx, batch)
		batch = nil
		if s.lost.Load() > 0 && time.Since(s.logged) >= quiet {
			s.logLost(ctx)
		}
	}
}

// finish sends the remaining spans, and logs what was lost.
func (s *sender) finish(ctx context.Context, batch []sdktrace.ReadOnlySpan) {
	for {
		select {
		case span := <-s.queue:
			if batch = append(batch, span); len(batch) == maxBatch {
				s.send(ctx, batch)
				batch = nil
			}
			continue
		default:
		}
		break
	}
	s.send(ctx, batch)
	if s.lost.Load() > 0 {
		s.logLost(ctx)
	}
	_ = s.to.Shutdown(ctx) // it only closes things
}

func (s *sender) send(ctx context.Context, batch []sdktrace.ReadOnlySpan) {
	if len(batch) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, exportTimeout)
	defer cancel()
	if err := s.to.ExportSpans(ctx, batch); err != nil {
		s.lost.Add(int64(len(batch)))
		s.failure = err
	}
}

// logLost logs how many spans were lost since the last time.
func (s *sender) logLost(ctx context.Context) {
	why := "the queue is full"
	if s.failure != nil {
		why = safetext.Line(s.failure.Error(), maxReason) // a collector may answer with a page of HTML
	}
	s.logger.WarnContext(ctx, "traces were not delivered", slog.Int64("spans", s.lost.Swap(0)), slog.String("error", why))
	s.failure, s.logged = nil, time.Now()
}
