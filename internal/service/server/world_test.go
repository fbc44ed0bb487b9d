package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

var builtin = sync.OnceValues(rules.Builtin)

// memory is a file store for tests.
type memory struct {
	mu     sync.Mutex
	files  map[string][]byte
	broken error
}

var _ blob.Store = (*memory)(nil)

func (m *memory) Put(_ context.Context, name string, r io.Reader) (int64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return 0, m.broken
	}
	m.files[name] = data
	return int64(len(data)), nil
}

func (m *memory) Open(_ context.Context, name string) (blob.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.files[name]
	switch {
	case m.broken != nil:
		return nil, m.broken
	case !ok:
		return nil, blob.ErrNotFound
	}
	return memoryFile{bytes.NewReader(data)}, nil
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// huge is the content of a file that claims to exceed maxEvents.
const huge = "huge"

func (f memoryFile) Size() int64 {
	if f.Reader.Size() == int64(len(huge)) {
		return maxEvents + 1
	}
	return f.Reader.Size()
}

func (m *memory) Ready(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.broken
}

func (m *memory) List(_ context.Context, dir string) ([]blob.Info, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return nil, m.broken
	}
	var list []blob.Info
	for name, data := range m.files {
		if strings.HasPrefix(name, dir+"/") {
			list = append(list, blob.Info{Name: name, Size: int64(len(data))})
		}
	}
	slices.SortFunc(list, func(a, b blob.Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

func (m *memory) Remove(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for file := range m.files {
		if file == name || strings.HasPrefix(file, name+"/") {
			delete(m.files, file)
		}
	}
	return nil
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broken = err
}

func (m *memory) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// world is a service with two projects, and its clients.
type world struct {
	*testing.T

	server *Server
	store  *store.Store
	files  *memory
	at     *httptest.Server
	client *http.Client
	// keys are by project and role: "alpha reader".
	keys map[string]string
	ids  map[string]string
}

// each runs a test on a service with either database.
func each(t *testing.T, f func(w *world)) { eachWith(t, func(*Server, *Options) {}, f) }

// eachWith changes the setup: tweak is called twice, first with a nil server to
// set the options, then with the server before it starts.
func eachWith(t *testing.T, tweak func(*Server, *Options), f func(w *world)) {
	t.Helper()
	storetest.Each(t, postgres, func(t *testing.T, database string) { f(newWorld(t, database, tweak)) })
}

func newWorld(t *testing.T, database string, tweak func(*Server, *Options)) *world {
	t.Helper()
	s, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	key, err := secretbox.New(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	set, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, store: s, files: &memory{files: map[string][]byte{}}, keys: map[string]string{}, ids: map[string]string{}}
	o := Options{Store: s, Files: w.files, Key: key, Rules: set, Version: "v1.2.3", Limits: Limits{Submissions: 10_000}}
	tweak(nil, &o)
	if w.server, err = New(o); err != nil {
		t.Fatal(err)
	}
	w.server.timeouts.poll = 20 * time.Millisecond
	tweak(w.server, &o)
	w.at = httptest.NewUnstartedServer(nil)
	w.at.Config = w.server.HTTP()
	w.at.Start()
	t.Cleanup(func() {
		w.server.Close()
		w.at.Close()
	})
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	t.Cleanup(transport.CloseIdleConnections)
	w.client = &http.Client{
		Transport:     &checker{t: t, to: transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, project := range []string{"alpha", "beta"} {
		for _, role := range job.Roles() {
			w.addKey(project, role)
		}
	}
	return w
}

func (w *world) addKey(project string, role job.Role) {
	w.Helper()
	k, text, hash := NewKey(project, "test", role)
	if err := w.store.AddKey(w.Context(), k, hash); err != nil {
		w.Fatal(err)
	}
	w.keys[project+" "+string(role)], w.ids[project+" "+string(role)] = text, k.ID
}

// reply is an answer that was read completely.
type reply struct {
	*http.Response

	text []byte
}

func (r *reply) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(r.text, v); err != nil {
		t.Fatalf("%v: %s", err, r.text)
	}
}

// problem returns the type of a problem, without the common prefix.
func (r *reply) problem() string {
	var p struct{ Type string }
	if r.Header.Get("Content-Type") != "application/problem+json" || json.Unmarshal(r.text, &p) != nil {
		return ""
	}
	return strings.TrimPrefix(p.Type, "urn:mcpsf:problem:")
}

// header is a header of a request.
type header struct{ name, value string }

// ask sends a request with the key of who, "" for none. A body that is no string
// or reader is sent as JSON.
func (w *world) ask(who, method, path string, body any, headers ...header) *reply {
	w.Helper()
	req := w.request(who, method, path, body, headers...)
	res, err := w.client.Do(req)
	if err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	return &reply{res, text}
}

func (w *world) request(who, method, path string, body any, headers ...header) *http.Request {
	w.Helper()
	var from io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		from = strings.NewReader(b)
	case io.Reader:
		from = b
	default:
		text, err := json.Marshal(body)
		if err != nil {
			w.Fatal(err)
		}
		from = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(w.Context(), method, w.at.URL+path, from)
	if err != nil {
		w.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key := w.keys[who]; key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for _, h := range headers {
		if h.name == "Host" {
			req.Host = h.value
		}
		req.Header.Set(h.name, h.value)
	}
	return req
}

// submit queues a job and returns its id.
func (w *world) submit(who string, body any, headers ...header) string {
	w.Helper()
	res := w.ask(who, "POST", "/api/v1/assess", body, headers...)
	if res.StatusCode != http.StatusAccepted {
		w.Fatalf("%s: %s", res.Status, res.text)
	}
	var s submission
	res.into(w, &s)
	return s.ID
}

func source(name string) map[string]any { return map[string]any{"source": name} }

// claim takes the next job.
func (w *world) claim() *store.Claim {
	w.Helper()
	c, err := w.store.Claim(w.Context(), "worker", time.Minute)
	if err != nil || c == nil {
		w.Fatalf("%v, %v", c, err)
	}
	return c
}

func (w *world) tell(c *store.Claim, lines ...string) {
	w.Helper()
	if err := w.store.Tell(w.Context(), c, []byte(strings.Join(lines, "\n")+"\n")); err != nil {
		w.Fatal(err)
	}
}

func (w *world) finish(c *store.Claim, state job.State) {
	w.Helper()
	o := &store.Outcome{State: state}
	switch state {
	case job.Done:
		o.Result = &job.Result{Name: "weather", Version: "1.0.0", Digest: "sha256:aa", Band: mcpsf.BandHigh, Score: 70, Findings: 1, Tool: "v1.2.3", Bytes: 99}
	case job.Failed:
		o.Problem = &job.Problem{Code: mcpsf.CodeUsage, Message: "there is no such package"}
	}
	if err := w.store.Finish(w.Context(), c, o); err != nil {
		w.Fatal(err)
	}
}

func (w *world) put(c *store.Claim, name string, data []byte) {
	w.Helper()
	if _, err := w.files.Put(w.Context(), fmt.Sprintf("jobs/%s/%d/%s", c.Job.ID, c.Job.Attempt, name), bytes.NewReader(data)); err != nil {
		w.Fatal(err)
	}
}

// done submits a job and ends it with a report.
func (w *world) done(who, src string) string {
	w.Helper()
	id := w.submit(who, source(src))
	c := w.claim()
	if c.Job.ID != id {
		w.Fatalf("claimed %s instead of %s", c.Job.ID, id)
	}
	w.leave(c)
	w.finish(c, job.Done)
	return id
}

// leave stores the files of a job as a worker does.
func (w *world) leave(c *store.Claim) {
	w.Helper()
	var text bytes.Buffer
	if err := report.Write(&text, report.FormatJSON, sampleReport(), nil, report.Style{}); err != nil {
		w.Fatal(err)
	}
	w.put(c, report.FileName, text.Bytes())
	text.Reset()
	events := trace.Create(&text)
	for _, e := range sampleEvents() {
		if err := events.Write(e); err != nil {
			w.Fatal(err)
		}
	}
	if err := events.Close(); err != nil {
		w.Fatal(err)
	}
	w.put(c, report.EventsName, text.Bytes())
	w.put(c, "evidence.tar.zst", []byte("0123456789"))
}

const hostile = "<script>alert(1)</script>\r\n\nevent: end\ndata: x\u202e"

func sampleReport() *mcpsf.Report {
	return &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion, Tool: mcpsf.ToolInfo{Name: "mcpsf", Version: "v1.2.3"},
		Run:      mcpsf.Run{ID: "20260102-030405-7f3a", Seed: 42, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Duration: 3.2},
		Target:   mcpsf.Target{Source: "npm:weather@1.0.0"},
		Artifact: mcpsf.Artifact{Kind: "npm", Name: "weather", Version: "1.0.0", Digest: "sha256:aa", Command: []string{"node", hostile}},
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandHigh, Score: 70, Behaviour: mcpsf.Answer{Band: mcpsf.BandHigh, Score: 70}, Weakness: mcpsf.Answer{Band: mcpsf.BandPass}, Decides: mcpsf.CategoryBehaviour, Action: "review", Confidence: mcpsf.Confidence{Level: mcpsf.ConfidenceHigh}},
		Summary:  "It is " + hostile,
		Findings: []mcpsf.Finding{{ID: "odd", Fingerprint: "01", Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved, Message: hostile, Evidence: []int64{2}}},
	}
}

func sampleEvents() []mcpsf.Event {
	return []mcpsf.Event{
		{Seq: 1, Phase: mcpsf.PhaseStart, Kind: mcpsf.KindSandboxStart, Sandbox: &mcpsf.SandboxDetail{Text: "up"}},
		{Seq: 2, T: 0.25, Phase: mcpsf.PhaseStart, PID: 1, Proc: "node", Kind: mcpsf.KindProcessExec,
			Process: &mcpsf.ProcessDetail{Path: "/usr/bin/node", Args: []string{"node", hostile}}},
		{Seq: 3, T: 1, Phase: mcpsf.PhaseStop, Kind: mcpsf.KindSandboxStop, Sandbox: &mcpsf.SandboxDetail{Text: "down"}},
	}
}

func outcomeNamed(name string) *store.Outcome {
	return &store.Outcome{State: job.Done, Result: &job.Result{Name: name, Band: mcpsf.BandPass, Tool: "v1.2.3"}}
}
