package tracing_test

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector receives spans by OTLP over HTTP, like a real collector.
type collector struct {
	*httptest.Server

	// came gets a value for every request.
	came chan struct{}

	mu    sync.Mutex
	spans []span
	raw   []byte
}

// span is a received span.
type span struct {
	*tracepb.Span

	// from is the instance that made it.
	from string
}

func (s span) trace() string { return hex.EncodeToString(s.TraceId) }

// told returns the attributes as text.
func (s span) told() map[string]string {
	all := map[string]string{}
	for _, a := range s.Attributes {
		all[a.Key] = text(a.Value)
	}
	return all
}

func text(v *commonpb.AnyValue) string {
	switch v := v.Value.(type) {
	case *commonpb.AnyValue_StringValue:
		return v.StringValue
	case *commonpb.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *commonpb.AnyValue_BoolValue:
		return fmt.Sprint(v.BoolValue)
	}
	return fmt.Sprintf("%T", v.Value)
}

// newCollector starts a collector. If answer is not nil, it answers instead.
func newCollector(t *testing.T, answer http.HandlerFunc) *collector {
	t.Helper()
	c := &collector{came: make(chan struct{}, 1000)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %s of %s: %v", r.Method, r.URL, r.Header.Get("Content-Type"), err)
		}
		select {
		case c.came <- struct{}{}:
		default:
		}
		if answer != nil {
			answer(w, r)
			return
		}
		c.take(t, body)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) take(t *testing.T, body []byte) {
	var request collectorpb.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &request); err != nil {
		t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw = append(c.raw, body...)
	for _, r := range request.ResourceSpans {
		about := map[string]string{}
		for _, a := range r.Resource.Attributes {
			about[a.Key] = text(a.Value)
		}
		if about["service.name"] != "mcpsf" || about["service.version"] != "v1.2.3" {
			t.Errorf("it is from %v", about)
		}
		for _, scope := range r.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, span{s, about["service.instance.id"]})
			}
		}
	}
}

// all returns the received spans, and their raw bytes.
func (c *collector) all() (spans []span, raw string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spans, string(c.raw)
}

// tree lists each span of a trace with its parent: "job < POST /x".
func tree(spans []span, trace string) []string {
	names := map[string]string{}
	for _, s := range spans {
		names[string(s.SpanId)] = s.Name
	}
	var lines []string
	for _, s := range spans {
		if s.trace() != trace {
			continue
		}
		parent, ok := names[string(s.ParentSpanId)]
		if !ok {
			parent = strings.TrimSpace("elsewhere " + hex.EncodeToString(s.ParentSpanId))
		}
		lines = append(lines, s.from+": "+s.Name+" < "+parent)
	}
	return lines
}
