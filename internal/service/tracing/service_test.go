package tracing_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

var builtin = sync.OnceValues(rules.Builtin)

// service is a server and a worker, each with its own tracer, as if on two
// machines.
type service struct {
	*testing.T

	store *store.Store
	api   *server.Server
	at    *httptest.Server
	key   string
	log   journal
	// stop ends everything, and sends the remaining spans.
	stop func()
}

// newService makes a service whose traces go to a collector.
func newService(t *testing.T, collector string) *service {
	t.Helper()
	return newServiceWith(t, collector, collector)
}

// newServiceWith has a collector for each of the two, "" for none.
func newServiceWith(t *testing.T, ofServer, ofWorker string) *service {
	t.Helper()
	for _, kv := range os.Environ() { // remove settings of the test machine
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
	s := &service{T: t}
	dir := t.TempDir()
	var err error
	if s.store, err = store.Open(t.Context(), filepath.Join(dir, "db")); err != nil {
		t.Fatal(err)
	}
	files, err := blob.Open(t.Context(), filepath.Join(dir, "files"), blob.Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := secretbox.New(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	set, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	front, back := s.tracer(ofServer, "server"), s.tracer(ofWorker, "worker")
	if s.api, err = server.New(server.Options{Store: s.store, Files: files, Key: key, Rules: set, Version: "v1.2.3", Telemetry: server.Telemetry{Tracer: front}}); err != nil {
		t.Fatal(err)
	}
	s.at = httptest.NewUnstartedServer(nil)
	s.at.Config = s.api.HTTP()
	k, text, hash := server.NewKey("alpha", "test", job.Submitter)
	if err := s.store.AddKey(t.Context(), k, hash); err != nil {
		t.Fatal(err)
	}
	s.key = text
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		worker.New(worker.Options{
			Store: s.store, Files: files, Key: key, Name: "w", Slots: 1, Machine: worker.Machine{Command: command, Dir: func() (string, func(), error) {
				dir, err := os.MkdirTemp(dir, "job-")
				return dir, func() { _ = os.RemoveAll(dir) }, err
			}},
			Times:     worker.Times{Idle: 20 * time.Millisecond, Retry: 10 * time.Millisecond},
			Telemetry: worker.Telemetry{Logger: slog.New(slog.DiscardHandler), Tracer: back},
		}).Run(ctx)
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		s.api.Close()
		s.at.Close()
		front.Stop(context.Background())
		back.Stop(context.Background())
		back.Stop(context.Background()) // may be called repeatedly
		_, _ = s.store.Close(), files.Close()
	})
	t.Cleanup(s.stop)
	return s
}

// begin starts server and worker.
func (s *service) begin() *service {
	s.at.Start()
	return s
}

func (s *service) tracer(collector, instance string) *tracing.Tracer {
	s.Helper()
	if collector == "" {
		return nil
	}
	to, err := tracing.Endpoint(collector, func(string) string { return "" })
	if err != nil {
		s.Fatal(err)
	}
	t, err := tracing.New(s.Context(), tracing.Options{Endpoint: to, Version: "v1.2.3", Instance: instance, Logger: slog.New(slog.NewJSONHandler(&s.log, nil))})
	if err != nil {
		s.Fatal(err)
	}
	return t
}

// command starts this program as the process of a job.
func command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), role+"=job")
	return cmd
}

// ask sends a request and returns its status. Headers come in pairs.
func (s *service) ask(method, path string, body any, headers ...string) (status int, answer []byte) {
	s.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.Context(), method, s.at.URL+path, bytes.NewReader(text))
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.key)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := s.at.Client().Do(req)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil {
		s.Fatal(err)
	}
	return res.StatusCode, b.Bytes()
}

// submit queues a job, and returns its id.
func (s *service) submit(request map[string]any, headers ...string) string {
	s.Helper()
	status, answer := s.ask("POST", "/api/v1/assess", request, headers...)
	var made struct {
		ID string `json:"job_id"`
	}
	if err := json.Unmarshal(answer, &made); err != nil || status != http.StatusAccepted {
		s.Fatalf("%d, %v: %s", status, err, answer)
	}
	return made.ID
}

// ended waits for a job to end.
func (s *service) ended(id string) *job.Job {
	s.Helper()
	for range 6000 {
		j, err := s.store.Job(s.Context(), "alpha", id)
		if err != nil {
			s.Fatal(err)
		}
		if j.State.Ended() {
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.Fatalf("job %s never ends", id)
	return nil
}

// journal keeps the log.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// undelivered returns the log messages about lost spans, and the number of those.
func (j *journal) undelivered(t *testing.T) (lines []string, spans int) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	for line := range strings.Lines(j.text.String()) {
		var l struct {
			Msg   string
			Spans int
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Msg != "traces were not delivered" {
			t.Errorf("%v: %.200s", err, line)
		}
		lines, spans = append(lines, line), spans+l.Spans
	}
	return lines, spans
}

func source(name string) map[string]any {
	return map[string]any{"source": "npm:" + name, "env": map[string]string{"TOKEN": marker + "hunter2"}, "command": []string{"node", fmt.Sprint(marker, ".js")}}
}
