package tracing

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const (
	// maxWaiting is how many spans wait to be sent, maxBatch how many go at once.
	maxWaiting, maxBatch = 2048, 512
	// pause is how long they are gathered, patience how long a collector may take.
	pause, patience = 2 * time.Second, 15 * time.Second
	// quiet is how long nothing more is logged.
	quiet = time.Minute
)

// sender sends spans that have ended, from one goroutine of its own. Who ends a
// span never waits: the SDK's own sender does the same, but tells nobody what it
// had to drop, and hands failures to a handler that the whole process shares.
type sender struct {
	to     sdktrace.SpanExporter
	logger *slog.Logger

	queue chan sdktrace.ReadOnlySpan
	lost  atomic.Int64
	// failure is the last one, told when something was logged; they are of the
	// goroutine alone.
	failure error
	told    time.Time

	stop   chan struct{}
	ended  chan struct{}
	once   sync.Once
	cancel context.CancelFunc
}

var _ sdktrace.SpanProcessor = (*sender)(nil)

func newSender(ctx context.Context, to sdktrace.SpanExporter, logger *slog.Logger) *sender {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // the last spans come when all else has ended
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

// ForceFlush implements [sdktrace.SpanProcessor]. Nobody waits for a collector
// before the end.
func (s *sender) ForceFlush(context.Context) error { return nil }

// Shutdown implements [sdktrace.SpanProcessor]: it sends what is left, and gives
// up after a while.
func (s *sender) Shutdown(ctx context.Context) error {
	s.once.Do(func() {
		close(s.stop)
		late := time.AfterFunc(linger, s.cancel)
		defer late.Stop()
		defer context.AfterFunc(ctx, s.cancel)()
		<-s.ended
		s.cancel()
	})
	return nil
}

func (s *sender) run(ctx context.Context) {
	defer close(s.ended)
	tick := time.NewTicker(pause)
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
		if s.lost.Load() > 0 && time.Since(s.told) >= quiet {
			s.tell(ctx)
		}
	}
}

// finish sends what waits, and says what is lost for good.
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
		s.tell(ctx)
	}
	_ = s.to.Shutdown(ctx) // it only closes things
}

func (s *sender) send(ctx context.Context, batch []sdktrace.ReadOnlySpan) {
	if len(batch) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.to.ExportSpans(ctx, batch); err != nil {
		s.lost.Add(int64(len(batch)))
		s.failure = err
	}
}

// tell logs what was lost since the last time.
func (s *sender) tell(ctx context.Context) {
	why := "more came than it takes"
	if s.failure != nil {
		why = clean(s.failure.Error())
	}
	s.logger.WarnContext(ctx, "traces were not delivered", slog.Int64("spans", s.lost.Swap(0)), slog.String("error", why))
	s.failure, s.told = nil, time.Now()
}

// clean makes a short line of what a collector said: it may be a page, or no
// text at all.
func clean(text string) string {
	const most = 300
	var b strings.Builder
	n := 0
	for _, c := range text {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		if c == '\n' || c == '\t' || c == '\r' {
			c = ' '
		}
		if !unicode.IsPrint(c) {
			c = unicode.ReplacementChar
		}
		b.WriteRune(c)
	}
	return b.String()
}
