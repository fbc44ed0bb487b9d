package page_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
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
	"github.com/mcpsf/mcpsf/internal/service/page"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

var builtin = sync.OnceValues(rules.Builtin)

// world is a service with pages, and its users.
type world struct {
	*testing.T

	api   *server.Server
	store *store.Store
	files *blob.Dir
	at    *httptest.Server
	// client follows no redirects.
	client *http.Client
	// keys are by project and role: "alpha reader".
	keys map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), filepath.Join(dir, "mcpsf.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	files, err := blob.OpenDir(filepath.Join(dir, "files"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	key, err := secretbox.New(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	set, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	api, err := server.New(server.Options{
		Store: s, Files: files, Key: key, Rules: set, Version: "v1.2.3", Limits: server.Limits{Submissions: 1000, Streams: 100}, Public: server.Public{Hosts: []string{"mcpsf.example"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := page.Mount(api, page.Options{Store: s, Rules: set}); err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, api: api, store: s, files: files, keys: map[string]string{}}
	w.at = httptest.NewUnstartedServer(nil)
	w.at.Config = api.HTTP()
	w.at.Start()
	t.Cleanup(func() {
		api.Close()
		w.at.Close()
	})
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	w.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, project := range []string{"alpha", "beta"} {
		for _, role := range job.Roles() {
			w.addKey(project, string(role)+" of "+project, role)
		}
	}
	return w
}

func (w *world) addKey(project, name string, role job.Role) {
	w.Helper()
	k, text, hash := server.NewKey(project, name, role)
	if err := w.store.AddKey(w.Context(), k, hash); err != nil {
		w.Fatal(err)
	}
	w.keys[project+" "+string(role)] = text
}

// reply is an answer that was read completely.
type reply struct {
	*http.Response

	text string
}

// ask sends a request with the key of who, "" for none.
func (w *world) ask(who, method, path string, body io.Reader, headers ...string) *reply {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), method, w.at.URL+path, body)
	if err != nil {
		w.Fatal(err)
	}
	if key := w.keys[who]; key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := w.client.Do(req)
	if err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	return &reply{res, string(text)}
}

func (w *world) get(who, path string) *reply {
	w.Helper()
	return w.ask(who, "GET", path, nil)
}

// post sends a form without a file.
func (w *world) post(who, path string, fields url.Values, headers ...string) *reply {
	w.Helper()
	return w.ask(who, "POST", path, strings.NewReader(fields.Encode()), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

// queue adds a job as the API does.
func (w *world) queue(request job.Request) string {
	w.Helper()
	j, _, err := w.store.Add(w.Context(), &store.New{ID: job.NewID(), Project: "alpha", Request: request, Force: true})
	if err != nil {
		w.Fatal(err)
	}
	return j.ID
}

func (w *world) claim(worker string) *store.Claim {
	w.Helper()
	c, err := w.store.Claim(w.Context(), worker, time.Minute)
	if err != nil || c == nil {
		w.Fatalf("%v, %v", c, err)
	}
	return c
}

func (w *world) tell(c *store.Claim, lines ...any) {
	w.Helper()
	var text bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&text).Encode(l); err != nil {
			w.Fatal(err)
		}
	}
	if err := w.store.Tell(w.Context(), c, text.Bytes()); err != nil {
		w.Fatal(err)
	}
}

func (w *world) progress(c *store.Claim, p job.Progress) {
	w.Helper()
	if _, err := w.store.Renew(w.Context(), c, p, time.Minute); err != nil {
		w.Fatal(err)
	}
	w.tell(c, map[string]any{"progress": p})
}

func (w *world) finish(c *store.Claim, o *store.Outcome) {
	w.Helper()
	if err := w.store.Finish(w.Context(), c, o); err != nil {
		w.Fatal(err)
	}
}

// stored is a run as a worker stores it.
type stored struct {
	report *mcpsf.Report
	events []mcpsf.Event
}

// leave stores the files of a run as a worker does, and ends the job.
func (w *world) leave(c *store.Claim, s stored) {
	w.Helper()
	put := func(name string, text []byte) {
		if _, err := w.files.Put(w.Context(), fmt.Sprintf("jobs/%s/%d/%s", c.Job.ID, c.Job.Attempt, name), bytes.NewReader(text)); err != nil {
			w.Fatal(err)
		}
	}
	var text bytes.Buffer
	if err := report.Write(&text, report.FormatJSON, s.report, nil, report.Style{}); err != nil {
		w.Fatal(err)
	}
	put(report.FileName, bytes.Clone(text.Bytes()))
	text.Reset()
	events := trace.Create(&text)
	for i := range s.events {
		if err := events.Write(s.events[i]); err != nil {
			w.Fatal(err)
		}
	}
	if err := events.Close(); err != nil {
		w.Fatal(err)
	}
	put(report.EventsName, text.Bytes())
	put("evidence.tar.zst", []byte("0123456789"))
	r := s.report
	w.finish(c, &store.Outcome{State: job.Done, Result: &job.Result{
		Name: r.Artifact.Name, Version: r.Artifact.Version, Digest: r.Artifact.Digest, Band: r.Verdict.Band, Score: r.Verdict.Score,
		Findings: len(r.Findings), Tool: r.Tool.Version, Bytes: int64(text.Len()),
	}})
}

// done queues a job and ends it with a stored run.
func (w *world) done(source string, s stored) string {
	w.Helper()
	id := w.queue(job.Request{Source: source})
	c := w.claim("worker-1")
	if c.Job.ID != id {
		w.Fatalf("claimed %s instead of %s", c.Job.ID, id)
	}
	w.leave(c, s)
	return id
}

// thief is a stored run of examples/thief-python.
func thief(t testing.TB) stored {
	t.Helper()
	dir := filepath.Join("..", "..", "report", "html", "testdata", "thief")
	r, err := report.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "events.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := stored{report: r}
	for d := json.NewDecoder(z); ; {
		var e mcpsf.Event
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return s
		} else if err != nil {
			t.Fatal(err)
		}
		s.events = append(s.events, e)
	}
}

// named returns the run with another name, version and verdict.
func named(s stored, name, version string, band mcpsf.Band, score int) stored {
	r := *s.report
	r.Artifact.Name, r.Artifact.Version = name, version
	r.Verdict.Band, r.Verdict.Score = band, score
	r.Summary = ""
	return stored{&r, s.events}
}

// honest is a run without findings.
func honest(s stored, name, version string) stored {
	h := named(s, name, version, mcpsf.BandPass, 4)
	h.report.Findings, h.report.Verdict.Action = nil, "use it"
	return stored{h.report, s.events[:min(len(s.events), 200)]}
}

// beside runs what in the background until shortly after the test ends.
func (w *world) beside(what func(context.Context)) {
	ctx, cancel := context.WithCancel(w.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		what(ctx)
	}()
	w.Cleanup(func() {
		cancel()
		<-done
	})
}

func failedWith(message string) *store.Outcome {
	return &store.Outcome{State: job.Failed, Problem: &job.Problem{Code: mcpsf.CodeUsage, Message: message}}
}

func pathEscape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
