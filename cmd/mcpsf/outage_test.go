//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/sse"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

// busyServer is an MCP server whose only tool causes events for some seconds.
const busyServer = `
import json, sys, time
def work(seconds):
    end, n = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        n += 1
        if n %% 50 == 0: open("/tmp/trail-%%d" %% n, "w").close()
        time.sleep(0.001)
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {}
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "case", "version": "1"}}
    if m["method"] == "tools/list":
        r = {"tools": [{"name": "work", "description": "works", "inputSchema": {"type": "object"}}]}
    if m["method"] == "tools/call":
        work(%d)
        r = {"content": [{"type": "text", "text": "done"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`

// TestOutage disconnects the database while a job runs and others are
// submitted, in several ways. All jobs end, none begins twice; the service
// reports the problem and answers promptly; subscribers miss no event. In make
// faults the outage lasts 30 seconds; [TestFaults] kills the database.
func TestOutage(t *testing.T) {
	t.Parallel()
	gone := 6
	if n, err := strconv.Atoi(os.Getenv("MCPSF_FAULT_SECONDS")); err == nil {
		gone = n
	}
	pg, err := storetest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Stop()
	p := newPlace(t, 0, 0)
	// A lease is shorter than the outage, so that it would expire, and as long as it
	// can be: a busy machine renews it late.
	f := &faults{T: t, pg: pg, place: p, database: pg.Database(t), listen: freeAddress(t), flags: []string{"--lease", fmt.Sprintf("%ds", gone-1)}}
	f.start()
	f.key = f.newKey()
	a := &api{t, "http://" + f.listen, f.key}
	a.wait("the service", func() bool { got := a.get("/readyz"); return got != nil && got.status == http.StatusOK }, func() any { return nil })
	for _, way := range []struct {
		name string
		end  func() (again func() error)
	}{
		{"frozen", func() func() error {
			thaw, err := pg.Freeze()
			if err != nil {
				t.Fatal(err)
			}
			return func() error { thaw(); return nil }
		}},
		{"shut down", func() func() error { pg.Shutdown(); return func() error { return pg.Resume(t.Context()) } }},
	} {
		t.Run(way.name, func(t *testing.T) {
			o := &outage{api: &api{t, a.url, a.key}, faults: f, seconds: gone, data: filepath.Join(p.home, "data")}
			o.run(way.end)
		})
	}
}

type outage struct {
	*api
	faults  *faults
	seconds int
	data    string
}

func (o *outage) run(end func() func() error) {
	o.Helper()
	slow := o.accepted(driven(), "busy.tgz", packed(o, map[string]string{
		"server.py": fmt.Sprintf(busyServer, o.seconds+3), "NAME": o.Name(),
	}))
	heard := o.follow(slow)
	o.driving(slow)
	again := end()
	began := time.Now()
	var wg sync.WaitGroup
	others := make([]string, 6)
	for i := range others {
		wg.Go(func() { others[i] = o.submitted(fmt.Sprintf("%s-%d.tgz", filepath.Base(o.Name()), i)) })
	}
	longest := o.complains(slow)
	time.Sleep(time.Until(began.Add(time.Duration(o.seconds) * time.Second)))
	if err := again(); err != nil {
		o.Fatal(err)
	}
	took := time.Since(began)
	wg.Wait()
	for _, id := range append(others, slow) {
		o.whole(id, o.data)
		if n := o.faults.started(id); n != 1 {
			o.Errorf("job %s began %d times; the processes wrote:\n%s", id, n, o.faults.logs())
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(others)))) != len(others) {
		o.Errorf("jobs were mixed up: %v", others)
	}
	events, streams := heard.all(o)
	o.missesNothing(slow, events)
	o.Logf("gone for %.1f s: the slowest refusal took %.1f s; %d events came by %d streams", took.Seconds(), longest.Seconds(), len(events), streams)
}

// complains checks that the service reports the problem during the outage,
// whatever is requested; it returns when all requests were answered.
func (o *outage) complains(id string) (longest time.Duration) {
	o.Helper()
	var slowest atomic.Int64
	var wg sync.WaitGroup
	for path, body := range map[string]string{
		"/readyz": "", "/api/v1/jobs": "", "/api/v1/jobs/" + id: "", "/api/v1/jobs/" + id + "/events": "", "/api/v1/jobs/" + id + "/report": "",
		"/api/v1/assess": `{"source":"npm:never@1.0.0"}`,
	} {
		wg.Go(func() {
			if path == "/readyz" {
				time.Sleep(time.Second) // its answer may be that old
			}
			begun := time.Now()
			got := o.get(path)
			if body != "" {
				got = o.ask(http.MethodPost, path, bytes.NewReader([]byte(body)), "Content-Type", "application/json")
			}
			if took := int64(time.Since(begun)); took > slowest.Load() {
				slowest.Store(took)
			}
			if got == nil || got.status != http.StatusServiceUnavailable || got.kind != "unavailable" && got.kind != "timeout" {
				o.Errorf("%s without a database: %v", path, got)
			}
		})
	}
	wg.Wait()
	if got := o.get("/healthz"); got == nil || got.status != http.StatusOK {
		o.Errorf("/healthz without a database: %v", got)
	}
	return time.Duration(slowest.Load())
}

// submitted submits like mcpsf does: it retries until there is an answer.
func (o *outage) submitted(name string) string {
	c, err := executor.NewCloud(o.url, o.key)
	if err != nil {
		o.Error(err)
		return ""
	}
	archive := packed(o, map[string]string{"server.py": "print('" + name + "')\n"})
	got, err := c.Submit(o.Context(), scanned(), false, &executor.Archive{Name: name, Open: openBytes(archive)})
	if err != nil {
		o.Errorf("%s: %v", name, err)
		return ""
	}
	return got.ID
}

// listening is a client that subscribes to a job's events, like browsers do.
type listening struct {
	done    chan struct{}
	events  []int64
	streams int
}

// follow subscribes until the job has ended. A stream that ends early, or is
// refused, is resumed.
func (o *outage) follow(id string) *listening {
	l := &listening{done: make(chan struct{})}
	ctx, cancel := context.WithTimeout(o.Context(), 5*time.Minute)
	o.Cleanup(cancel)
	go func() {
		defer close(l.done)
		ended := false
		p := &sse.Parser{Max: 1 << 20, Head: 1 << 10, Emit: func(e sse.Event) {
			var event struct{ Seq int64 }
			if e.Name == "event" && json.Unmarshal(e.Data, &event) == nil {
				l.events = append(l.events, event.Seq)
			}
			ended = ended || e.Name == "end"
		}}
		for !ended && ctx.Err() == nil {
			l.streams += o.stream(ctx, id, p)
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return l
}

// stream subscribes once.
func (o *outage) stream(ctx context.Context, id string, p *sse.Parser) int {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url+"/api/v1/jobs/"+id+"/events", nil)
	if err != nil {
		return 0
	}
	req.Header.Set("Authorization", "Bearer "+o.key)
	if p.Last != "" {
		req.Header.Set("Last-Event-ID", p.Last)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := res.Body.Read(buf)
		p.Feed(buf[:n])
		if err != nil {
			return 1
		}
	}
}

// all waits for the end.
func (l *listening) all(o *outage) (events []int64, streams int) {
	o.Helper()
	<-l.done
	return l.events, l.streams
}

// missesNothing compares the received events with the stored ones.
func (o *outage) missesNothing(id string, heard []int64) {
	o.Helper()
	got := o.get("/api/v1/jobs/" + id + "/artifacts/events.jsonl")
	if got == nil {
		o.Fatal("there are no events")
	}
	var kept []int64
	for line := range bytes.Lines(got.text) {
		var event struct{ Seq int64 }
		if err := json.Unmarshal(line, &event); err != nil {
			o.Fatal(err)
		}
		kept = append(kept, event.Seq)
	}
	if !slices.Equal(heard, kept) || len(kept) < 10 {
		o.Errorf("heard %v\nkept %d events", heard, len(kept))
	}
}
