package tracing_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

const (
	clientTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	clientSpan  = "00f067aa0ba902b7"
	traceparent = "00-" + clientTrace + "-" + clientSpan + "-01"
)

// A submission, its time in the queue, the run and its phases are one trace: the
// client's, if it has one.
func TestOneTrace(t *testing.T) {
	for name, tt := range map[string]struct {
		headers []string
		root    string
	}{
		"of the client": {[]string{"Traceparent", traceparent, "Tracestate", "x=" + marker, "Baggage", "x=" + marker}, "elsewhere " + clientSpan},
		"of its own":    {nil, "elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCollector(t, nil)
			s := newService(t, c.URL).begin()
			id := s.submit(source("good"), tt.headers...)
			if j := s.ended(id); j.State != job.Done {
				t.Fatalf("it ended %s: %+v", j.State, j.Problem)
			}
			s.stop()
			spans, raw := c.all()
			i := slices.IndexFunc(spans, func(s span) bool { return s.Name == "POST /api/v1/assess" })
			if i < 0 {
				t.Fatalf("there is no submission: %v", spans)
			}
			if tt.headers != nil && spans[i].trace() != clientTrace {
				t.Errorf("the trace is %s, want %s", spans[i].trace(), clientTrace)
			}
			got := tree(spans, spans[i].trace())
			slices.Sort(got)
			want := []string{
				"server: POST /api/v1/assess < " + tt.root,
				"worker: drive < job", "worker: job < POST /api/v1/assess", "worker: judge < job", "worker: resolve < job", "worker: wait < POST /api/v1/assess",
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			checkTold(t, spans, id)
			for _, secret := range []string{marker, s.key, strings.Split(s.key, "_")[2], "TOKEN", "npm:good"} {
				if strings.Contains(raw, secret) {
					t.Errorf("%q is in what was sent", secret)
				}
			}
		})
	}
}

// checkTold checks the attributes of the spans of a finished job.
func checkTold(t *testing.T, spans []span, id string) {
	t.Helper()
	for name, want := range map[string]map[string]string{
		"POST /api/v1/assess": {"http.request.method": "POST", "http.route": "/api/v1/assess", "http.response.status_code": "202", "mcpsf.job.id": id, "mcpsf.job.shared": "false"},
		"wait":                {"mcpsf.job.id": id},
		"job":                 {"mcpsf.job.id": id, "mcpsf.job.attempt": "1", "mcpsf.job.state": "done", "mcpsf.source.kind": "npm", "mcpsf.profile": "default", "mcpsf.verdict.band": "HIGH"},
		"drive":               {"mcpsf.job.id": id},
	} {
		i := slices.IndexFunc(spans, func(s span) bool { return s.Name == name })
		if i < 0 {
			t.Errorf("there is no %s", name)
			continue
		}
		if d := cmp.Diff(want, spans[i].told()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if spans[i].EndTimeUnixNano < spans[i].StartTimeUnixNano || spans[i].Status.GetCode() != tracepb.Status_STATUS_CODE_UNSET || len(spans[i].Events) > 0 {
			t.Errorf("%s: %v", name, spans[i].Span)
		}
	}
}

// Every attempt at a job is in the trace of its submission, and a failure has
// its kind as an attribute.
func TestAttempts(t *testing.T) {
	c := newCollector(t, nil)
	s := newService(t, c.URL).begin()
	id := s.submit(source("fails"), "Traceparent", traceparent)
	if j := s.ended(id); j.State != job.Failed {
		t.Fatalf("it ended %s", j.State)
	}
	// A submission that shares a job has its own trace, and names the job.
	other := s.submit(source("good"))
	s.ended(other)
	if again := s.submit(source("good")); again != other {
		t.Fatalf("it is not shared: %s, %s", again, other)
	}
	s.stop()
	spans, raw := c.all()
	if strings.Contains(raw, marker) {
		t.Error("what the process said is in what was sent")
	}
	var failed []string
	shared := 0
	for _, sp := range spans {
		if sp.Name == "job" && sp.trace() == clientTrace {
			failed = append(failed, fmt.Sprint(sp.told()["mcpsf.job.state"], " ", sp.told()["mcpsf.job.attempt"], " ", sp.Status.Code, " ", sp.Status.Message))
		}
		if sp.told()["mcpsf.job.shared"] == "true" && sp.told()["mcpsf.job.id"] == other {
			shared++
		}
	}
	if d := cmp.Diff([]string{"failed 1 STATUS_CODE_ERROR usage"}, failed); d != "" {
		t.Error(d)
	}
	if shared != 1 {
		t.Errorf("%d requests share a job, want 1", shared)
	}
}

// The process of a job is not trusted: only known words of it are used, and
// their number is bounded.
func TestHostileJob(t *testing.T) {
	c := newCollector(t, nil)
	s := newService(t, c.URL).begin()
	s.ended(s.submit(source("hostile"), "Traceparent", traceparent))
	s.stop()
	spans, raw := c.all()
	if strings.Contains(raw, marker) || strings.Contains(raw, "script") {
		t.Error("what the process said is in what was sent")
	}
	phases, told := 0, map[string]string{}
	for _, sp := range spans {
		switch sp.Name {
		case "other":
			phases++
		case "job":
			told = sp.told()
		}
	}
	if phases != 100 || told["mcpsf.phases.untold"] != "200" || told["mcpsf.verdict.band"] != "other" {
		t.Errorf("%d phases, and the job says %v", phases, told)
	}
}

// Spans are named by routes, never by paths; no other text of a client is in
// them.
func TestRequests(t *testing.T) {
	c := newCollector(t, nil)
	s := newService(t, c.URL)
	s.api.Mount("GET /panics/{id}", func(http.ResponseWriter, *http.Request, *job.Key) { panic(marker) })
	s.begin()
	id := job.NewID()
	for _, r := range []struct{ method, path string }{
		{"GET", "/api/v1/jobs/" + id}, {"HEAD", "/api/v1/jobs?q=" + marker}, {"GET", "/" + marker}, {"GET", "/api/v1/jobs/" + marker}, {"BREW", "/" + marker},
		{"GET", "/panics/" + marker}, {"GET", "/healthz"}, {"GET", "/readyz"}, {"GET", "/metrics"}, {"GET", "/assets/" + marker},
	} {
		s.ask(r.method, r.path, nil, "X-Odd", marker, "User-Agent", marker, "Cookie", "mcpsf_session="+marker)
	}
	s.stop()
	spans, raw := c.all()
	var got []string
	for _, sp := range spans {
		told := sp.told()
		got = append(got, fmt.Sprintf("%s: %s %s %s %s", sp.Name, told["http.request.method"], told["http.response.status_code"], told["error.type"], sp.Status.GetCode()))
		if sp.Kind != tracepb.Span_SPAN_KIND_SERVER || len(sp.Events) > 0 {
			t.Errorf("%s is %s with %v", sp.Name, sp.Kind, sp.Events)
		}
	}
	want := []string{
		"GET /api/v1/jobs/{id}: GET 404  STATUS_CODE_UNSET", "HEAD /api/v1/jobs: HEAD 200  STATUS_CODE_UNSET", "GET: GET 404  STATUS_CODE_UNSET",
		"GET /api/v1/jobs/{id}: GET 404  STATUS_CODE_UNSET", "HTTP: _OTHER 404  STATUS_CODE_UNSET", "GET /panics/{id}: GET 500 500 STATUS_CODE_ERROR",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if strings.Contains(raw, marker) || strings.Contains(raw, id) || strings.Contains(raw, s.key) {
		t.Error("what the client sent is in what was sent on")
	}
}

// Only a valid traceparent is accepted.
func TestClientsTrace(t *testing.T) {
	c := newCollector(t, nil)
	s := newService(t, c.URL).begin()
	for _, said := range [][]string{
		{"x"}, {strings.ToUpper(traceparent)}, {traceparent + "-x"}, {traceparent, traceparent}, {"ff" + traceparent[2:]}, {"00-" + strings.Repeat("0", 32) + "-" + clientSpan + "-01"},
		{"00-" + clientTrace + "-" + strings.Repeat("0", 16) + "-01"}, {"01" + traceparent[2:] + "-" + strings.Repeat(marker, 100)}, {traceparent[:54]},
	} {
		var headers []string
		for _, one := range said {
			headers = append(headers, "Traceparent", one)
		}
		s.ask("GET", "/api/v1/jobs", nil, headers...)
	}
	s.ask("GET", "/api/v1/rules", nil, "Traceparent", traceparent)
	s.ask("GET", "/api/v1/keys", nil, "Traceparent", traceparent[:54]+"0") // not sampled
	s.stop()
	spans, _ := c.all()
	taken := 0
	for _, sp := range spans {
		if sp.Name == "GET /api/v1/rules" {
			taken++
			if sp.trace() != clientTrace || hex.EncodeToString(sp.ParentSpanId) != clientSpan {
				t.Errorf("%s below %x, want %s below %s", sp.trace(), sp.ParentSpanId, clientTrace, clientSpan)
			}
			continue
		}
		if sp.trace() == clientTrace || len(sp.ParentSpanId) > 0 {
			t.Errorf("%s is in the trace %s", sp.Name, sp.trace())
		}
	}
	if taken != 1 || len(spans) != 10 {
		t.Errorf("%d spans, %d of them in the client's trace", len(spans), taken)
	}
}

// If the server has no collector, the client's trace is still passed on with the
// job; without any collector nothing changes.
func TestOnlyWorkersTell(t *testing.T) {
	c := newCollector(t, nil)
	for _, collector := range []string{c.URL, ""} {
		s := newServiceWith(t, "", collector).begin()
		if j := s.ended(s.submit(source("good"), "Traceparent", traceparent)); j.State != job.Done {
			t.Fatalf("it ended %s", j.State)
		}
		s.stop()
		if lines, _ := s.log.undelivered(t); len(lines) > 0 {
			t.Errorf("%q", lines)
		}
	}
	spans, _ := c.all()
	got := tree(spans, clientTrace)
	slices.Sort(got)
	want := []string{"worker: drive < job", "worker: job < elsewhere " + clientSpan, "worker: judge < job", "worker: resolve < job", "worker: wait < elsewhere " + clientSpan}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A collector that accepts no spans blocks nothing, and lost spans are logged in
// one or two messages.
func TestBadCollectors(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"never answers": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"fails": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, "<h1>\x1b[31m\u202e\x00\xff\n"+strings.Repeat("no\n", 1<<20))
		},
		"is busy": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"answers without end": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		},
		"leads in circles": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // mostly waits
			c := newCollector(t, answer)
			s := newService(t, c.URL).begin()
			s.ask("GET", "/api/v1/jobs", nil)
			<-c.came // now it has spans
			if j := s.ended(s.submit(source("good"))); j.State != job.Done {
				t.Errorf("it ended %s", j.State)
			}
			if status, _ := s.ask("GET", "/api/v1/rules", nil); status != http.StatusOK {
				t.Errorf("a request is answered with %d", status)
			}
			s.stop()
			lines, spans := s.log.undelivered(t)
			// Two processes: each logs once at first, and once at the end.
			if spans != 8 || len(lines) > 4 {
				t.Errorf("%d spans in %d lines, want 8 in at most 4: %q", spans, len(lines), lines)
			}
			for _, line := range lines {
				if len(line) > 1000 || strings.ContainsAny(line, "\x1b\x00\u202e") || strings.Contains(line, `\u001b`) {
					t.Errorf("it says %q", line)
				}
			}
		})
	}
}

// A collector that does not exist is the same.
func TestNoCollector(t *testing.T) {
	c := newCollector(t, nil)
	c.Close()
	s := newService(t, c.URL).begin()
	if j := s.ended(s.submit(source("good"))); j.State != job.Done {
		t.Errorf("it ended %s", j.State)
	}
	s.stop()
	if lines, spans := s.log.undelivered(t); spans != 6 {
		t.Errorf("%d spans, want 6: %q", spans, lines)
	}
}

// Stop does not wait if its context has ended.
func TestStopAtOnce(t *testing.T) {
	c := newCollector(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := newService(t, c.URL)
	tracer := s.tracer(c.URL, "x")
	_, r := tracer.Request(t.Context(), http.Header{})
	r.End("GET /x", "GET", http.StatusOK)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tracer.Stop(ctx)
	if _, spans := s.log.undelivered(t); spans != 1 {
		t.Errorf("%d spans are told to be lost, want 1", spans)
	}
}
