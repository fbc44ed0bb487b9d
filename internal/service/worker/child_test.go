package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

// role makes the test program the process of a job, or a worker to be killed.
const role = "MCPSF_TEST_ROLE"

var postgres *storetest.Postgres

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "job":
		child()
		return
	case "worker":
		other()
		return
	}
	os.Exit(func() int {
		pg, err := storetest.Start(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer pg.Stop()
		postgres = pg
		return m.Run()
	}())
}

// streamed is how many events a job of "stream" reports.
const streamed = 200

func report(l job.Line) {
	text, _ := json.Marshal(l)
	fmt.Println(string(text))
}

// child does what the source of its job names.
func child() {
	in := bufio.NewReader(os.Stdin)
	line, _ := in.ReadBytes('\n')
	var t job.Task
	if err := json.Unmarshal(line, &t); err != nil {
		panic(err)
	}
	keep := func(text string) {
		_ = os.MkdirAll(t.Output, 0o755)
		_ = os.WriteFile(filepath.Join(t.Output, "report.json"), []byte(text), 0o600)
	}
	done := func() {
		report(job.Line{Done: &job.Result{Name: "x", Version: "1", Band: mcpsf.BandPass, Tool: "test"}})
	}
	switch what := strings.TrimPrefix(t.Request.Source, "npm:"); what {
	case "", "good":
		report(job.Line{Progress: &job.Progress{Percent: 50, Step: "drive", Text: "half"}})
		report(job.Line{Event: json.RawMessage(`{"seq":1}`)})
		text := fmt.Sprint(t.Request.Env)
		if t.Archive != "" {
			b, err := os.ReadFile(t.Archive)
			text = fmt.Sprint(t.Archive, " ", string(b), err)
		}
		keep(text)
		done()
	case "crash":
		report(job.Line{Progress: &job.Progress{Percent: 9, Step: "start"}})
		os.Exit(3)
	case "usage":
		report(job.Line{Failed: &job.Problem{Code: mcpsf.CodeUsage, Message: "there is no such package"}})
	case "weather":
		report(job.Line{Failed: &job.Problem{Code: mcpsf.CodeUnavailable, Message: "the registry is down"}})
	case "hang":
		_, _ = io.Copy(io.Discard, in)
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "flood":
		for range 60_000 {
			report(job.Line{Event: json.RawMessage(`{"seq":1,"x":"` + strings.Repeat("x", 500) + `"}`)})
		}
		keep("flooded")
		done()
	case "lie":
		done()
	case "stream":
		for i := range streamed {
			report(job.Line{Event: json.RawMessage(fmt.Sprintf(`{"seq":%d}`, i+1))})
			time.Sleep(20 * time.Millisecond)
		}
		keep("streamed")
		done()
	case "noise":
		fmt.Println("this is no JSON\n\n{}\n[1]\n{\"progress\":7}")
		keep("noise")
		done()
	case "long":
		fmt.Println(strings.Repeat("x", job.MaxLine+10))
		keep("x")
		done()
	default: // a number of milliseconds
		d, _ := time.ParseDuration(what + "ms")
		time.Sleep(d)
		keep("slept")
		done()
	}
}

// command starts this program as the process of a job.
func command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), role+"=job")
	return cmd
}

// other is a worker in a process of its own.
func other() {
	ctx := context.Background()
	s, err := store.Open(ctx, os.Getenv("MCPSF_TEST_DATABASE"))
	if err != nil {
		panic(err)
	}
	files, err := blob.Open(ctx, os.Getenv("MCPSF_TEST_FILES"), blob.Credentials{})
	if err != nil {
		panic(err)
	}
	key, err := secretbox.Load(filepath.Join(os.Getenv("MCPSF_TEST_FILES"), "..", "secret"))
	if err != nil {
		panic(err)
	}
	New(Options{
		Store: s, Files: files, Key: key, Name: fmt.Sprint(os.Getpid()), Slots: 3, Tries: 1000,
		Machine: Machine{Command: command, Dir: dirIn(os.Getenv("MCPSF_TEST_TEMP"))}, Times: Times{Lease: 2 * time.Second},
		Telemetry: Telemetry{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))},
	}).Run(ctx)
}

// bench is a worker in this process with its stores.
type bench struct {
	*testing.T
	store *store.Store
	files blob.Store
	key   *secretbox.Key
	opts  Options
	temp  string
}

// dirIn makes directories of jobs.
func dirIn(temp string) func() (string, func(), error) {
	return func() (string, func(), error) {
		dir, err := os.MkdirTemp(temp, "job-")
		return dir, func() { _ = os.RemoveAll(dir) }, err
	}
}

func newBench(t *testing.T, database string) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	dir := t.TempDir()
	files, err := blob.Open(t.Context(), filepath.Join(dir, "files"), blob.Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := secretbox.Load(filepath.Join(dir, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, store: s, files: files, key: key, temp: t.TempDir()}
	b.opts = Options{
		Store: s, Files: files, Key: key, Name: "w", Slots: 2,
		Machine: Machine{Command: command, Dir: dirIn(b.temp)}, Telemetry: Telemetry{Logger: slog.New(slog.DiscardHandler)},
		Times: Times{
			Idle: 20 * time.Millisecond, Lease: 20 * time.Second, Retry: 10 * time.Millisecond, Stop: 200 * time.Millisecond, Grace: time.Millisecond,
		},
	}
	return b
}

// work runs the worker until stop is called, which waits for it.
func (b *bench) work() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		New(b.opts).Run(ctx)
	}()
	stop = func() { cancel(); <-ended }
	b.Cleanup(stop)
	return stop
}

func (b *bench) add(what string, env map[string]string) string {
	b.Helper()
	n := &store.New{ID: job.NewID(), Project: "p", Request: job.Request{Source: "npm:" + what}}
	if env != nil {
		text, _ := json.Marshal(env)
		encrypted, err := b.key.Encrypt(text, []byte(n.ID))
		if err != nil {
			b.Fatal(err)
		}
		n.EncryptedEnv = encrypted
	}
	j, _, err := b.store.Add(b.Context(), n)
	if err != nil {
		b.Fatal(err)
	}
	return j.ID
}

// until waits until a job meets a condition.
func (b *bench) until(id string, good func(*job.Job) bool) *job.Job {
	b.Helper()
	for range 3000 {
		j, err := b.store.Job(b.Context(), "p", id)
		if err != nil {
			b.Fatal(err)
		}
		if good(j) {
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Fatalf("job %s never gets there", id)
	return nil
}

func (b *bench) ended(id string) *job.Job {
	b.Helper()
	return b.until(id, func(j *job.Job) bool { return j.State.Ended() })
}

// kept returns a stored file of a job.
func (b *bench) kept(j *job.Job, name string) string {
	b.Helper()
	f, err := b.files.Open(b.Context(), fmt.Sprintf("jobs/%s/%d/%s", j.ID, j.Attempt, name))
	if err != nil {
		b.Error(err)
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		b.Error(err)
	}
	return string(text)
}
