//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// TestCrowd submits two hundred requests at once, while other clients are slow
// or disconnect. Each request is exactly one job, and afterwards nothing is
// left of them.
func TestCrowd(t *testing.T) {
	t.Parallel()
	p := plainPlace(t)
	s := p.serve(t, "--rate", "100000")
	a := s.api(t)
	data := filepath.Join(p.home, "data")
	first := a.accepted(scanned(), "first.tgz", packed(t, map[string]string{"server.py": "print(0)\n"}))
	a.ended(first)
	before := s.holds(a)

	crowd, disperse := context.WithCancel(t.Context())
	var nuisances sync.WaitGroup
	met := s.pester(crowd, a, &nuisances, p.keyOf(t, data, "others"), first)
	ids := make([]string, 200)
	a.together(len(ids), func(i int) { ids[i] = a.submitOne(i) })
	want := map[string]int{} // the jobs of each kind of request
	for i, id := range ids {
		want[kindOf(i)+" "+id]++
	}
	jobs := slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(want) != 12 || len(jobs) != 12 || slices.Contains(jobs, "") {
		t.Errorf("%d kinds of requests became %d jobs, want 12", len(want), len(jobs))
	}
	for _, id := range jobs {
		if j := a.ended(id); j.State != job.Done || j.Attempt != 1 {
			t.Errorf("job %s ended %s after %d attempts: %+v", id, j.State, j.Attempt, j.Problem)
		}
	}
	disperse()
	nuisances.Wait()
	http.DefaultClient.CloseIdleConnections()
	var now held
	a.wait("everybody to be gone", func() bool {
		now = s.holds(a)
		return now.files <= before.files && now.goroutines <= before.goroutines+4
	}, func() any { return fmt.Sprintf("%+v, before %+v: %v", now, before, s.files(t)) })
	if uploads, err := os.ReadDir(filepath.Join(data, "files", "uploads")); err != nil || len(uploads) != 1+6+3+1 {
		t.Errorf("%d uploads are kept, %v", len(uploads), err)
	}
	if left := p.left(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Logf("%d submissions became %d jobs beside %d nuisances; open files before %d, after %d; goroutines before %d, after %d",
		len(ids), len(jobs), met.Load(), before.files, now.files, before.goroutines, now.goroutines)
}

// kindOf is the kind of a request: most ask for one of six archives, which are
// shared; some for one of three under another name; some force a new run.
func kindOf(i int) string {
	switch {
	case i < 137:
		return fmt.Sprintf("shared-%d", i%6)
	case i < 197:
		return fmt.Sprintf("named-%d", i%3)
	}
	return fmt.Sprintf("forced-%d", i)
}

// submitOne submits a request of a kind.
func (a *api) submitOne(i int) string {
	a.Helper()
	kind := kindOf(i)
	group, _, _ := strings.Cut(kind, "-")
	text := kind
	var headers []string
	switch group {
	case "named":
		headers = []string{"Idempotency-Key", kind}
	case "forced":
		text = "the same"
	}
	form, body := a.formWith(scanned(), group != "shared", "x.tgz", packed(a, map[string]string{"server.py": "print('" + text + "')\n"}))
	got := a.ask(http.MethodPost, "/api/v1/assess", strings.NewReader(string(body)), append(headers, "Content-Type", form)...)
	if got == nil || got.status != http.StatusAccepted {
		a.Errorf("%s: %v", kind, got)
		return ""
	}
	return got.id
}

// together does something n times at once.
func (a *api) together(n int, do func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	wg.Wait()
}

// keyOf is a key for another project.
func (p place) keyOf(t *testing.T, data, project string) string {
	t.Helper()
	added := p.run(t, nil, "serve", "keys", "add", "--data", data, "--project", project, "--name", "crowd")
	if code := added.wait(); code != program.ExitOK {
		t.Fatalf("exit %d: %s", code, added.stderr.String())
	}
	return strings.TrimSpace(added.stdout.String())
}

// pester runs misbehaving clients until ctx ends, and counts them.
func (s *serving) pester(ctx context.Context, a *api, wg *sync.WaitGroup, other, running string) *atomic.Int64 {
	host := strings.TrimPrefix(s.url, "http://")
	request := func(key, method, path, rest string) string {
		return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s", method, path, key, rest)
	}
	form, body := a.form(scanned(), "slow.tgz", []byte(strings.Repeat("x", 1<<20)))
	upload := fmt.Sprintf("Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s", form, len(body), body[:len(body)/2])
	met := &atomic.Int64{}
	each := func(n int, text string, vanishes bool, wait time.Duration) {
		for range n {
			wg.Go(func() {
				for ctx.Err() == nil {
					met.Add(1)
					pest(ctx, host, text, vanishes, wait)
				}
			})
		}
	}
	const slowly = 100 * time.Millisecond
	each(40, request(s.key, "GET", "/api/v1/jobs", "X-Slow: "), false, slowly)
	each(20, request(s.key, "POST", "/api/v1/assess", "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"), false, slowly)
	each(20, request(other, "POST", "/api/v1/assess", upload), false, slowly)
	each(10, request(s.key, "GET", "/api/v1/jobs/"+running+"/events", "\r\n"), false, slowly)
	each(10, request(s.key, "POST", "/api/v1/assess", upload), true, 0)
	each(10, request(s.key, "GET", "/api/v1/jobs/"+running+"/report", "\r\n"), true, 0)
	return met
}

// pest sends a text and then a byte now and then, or disconnects at once.
func pest(ctx context.Context, host, text string, vanishes bool, wait time.Duration) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return
	}
	defer conn.Close()
	if vanishes {
		_ = conn.(*net.TCPConn).SetLinger(0) // disconnect with a reset
	}
	if _, err := io.WriteString(conn, text); err != nil || vanishes {
		time.Sleep(100 * time.Millisecond)
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if _, err := io.WriteString(conn, "x"); err != nil {
			return
		}
	}
}

// files are the open files of a process, without its database connections,
// whose number may vary.
func (s *serving) files(t *testing.T) []string {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && !strings.Contains(to, "mcpsf.db") {
			open = append(open, filepath.Base(to))
		}
	}
	slices.Sort(open)
	return open
}

// held is the number of open files and goroutines of a process.
type held struct{ files, goroutines int }

var goroutines = regexp.MustCompile(`(?m)^go_goroutines ([0-9]+)$`)

func (s *serving) holds(a *api) held {
	a.Helper()
	http.DefaultClient.CloseIdleConnections()
	got := a.get("/metrics")
	if got == nil {
		return held{}
	}
	m := goroutines.FindSubmatch(got.text)
	if m == nil {
		a.Fatalf("no goroutines in %s", got.text)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return held{len(s.files(a.T)), n}
}
