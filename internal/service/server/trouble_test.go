package server

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// A full disk is reported as such, without its path; submissions work again when
// there is space.
func TestNoRoom(t *testing.T) {
	now := time.Now()
	clock := func(_ *Server, o *Options) { o.Now = func() time.Time { return now } }
	eachWith(t, clock, func(w *world) {
		archive := part{"archive", "a.zip", "x"}
		w.files.fail(fmt.Errorf("write /srv/files/x: %w", syscall.ENOSPC))
		res := w.upload("alpha submitter", archive)
		if res.StatusCode != http.StatusInsufficientStorage || res.problem() != "no-room" || res.Header.Get("Retry-After") == "" || strings.Contains(string(res.text), "/srv") {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		if res := w.ask("", "GET", "/readyz", nil); res.StatusCode != http.StatusServiceUnavailable || res.problem() != "no-room" {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		w.files.fail(nil)
		now = now.Add(2 * time.Second)
		if res := w.ask("", "GET", "/readyz", nil); res.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		if res := w.upload("alpha submitter", archive); res.StatusCode != http.StatusAccepted {
			t.Errorf("%s: %s", res.Status, res.text)
		}
	})
}

// An unreachable database is reported as such. Event streams stay open, and
// continue when it is back.
func TestDatabaseGone(t *testing.T) {
	w := newWorld(t, postgres.Database(t), func(*Server, *Options) {})
	id := w.submit("alpha submitter", source("npm:a@1.0.0"))
	c := w.claim()
	l := w.listen("alpha reader", id, "")
	w.tell(c, progress(1))
	l.expect(running, `progress {"percent":1}`)
	postgres.Kill()
	for range maxFailures + 5 { // more often than a watch may fail for other reasons
		for _, path := range []string{"/api/v1/jobs", "/api/v1/jobs/" + id, "/api/v1/jobs/" + id + "/events", "/readyz"} {
			if res := w.ask("alpha reader", "GET", path, nil); res.StatusCode != http.StatusServiceUnavailable || res.problem() != "unavailable" || res.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %s: %s", path, res.Status, res.text)
			}
		}
	}
	if res := w.ask("alpha submitter", "POST", "/api/v1/assess", source("npm:b@1.0.0")); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%s: %s", res.Status, res.text)
	}
	if err := postgres.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the database is back, and the service does not see it", func() bool { return w.store.Ready(t.Context()) == nil })
	w.tell(c, progress(2))
	w.finish(c, job.Done)
	l.expect(`progress {"percent":2}`, doneState, "end done")
	l.over()
}

// begin starts an upload and sends only its beginning.
func (w *world) begin(who string) net.Conn {
	w.Helper()
	conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = conn.Close() })
	kind, body := formOf(w, part{"archive", "a.zip", strings.Repeat("x", 1<<20)})
	fmt.Fprintf(conn, "POST /api/v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		w.keys[who], kind, len(body), body[:300])
	return conn
}

// Slow uploads of a project block that project only.
func TestUploadsOfOthers(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.uploadSlot = 50 * time.Millisecond
		}
	}
	eachWith(t, tweak, func(w *world) {
		var slow []net.Conn
		for range maxUploading {
			slow = append(slow, w.begin("alpha submitter"))
		}
		eventually(t, "the slow ones do not come in", func() bool { return len(w.server.Submissions.uploads.running) == maxUploading/2 })
		if res := w.upload("alpha submitter", part{"archive", "b.zip", "x"}); res.StatusCode != http.StatusServiceUnavailable || res.problem() != "busy" {
			t.Errorf("of the same project: %s: %s", res.Status, res.text)
		}
		if res := w.upload("beta submitter", part{"archive", "b.zip", "x"}); res.StatusCode != http.StatusAccepted {
			t.Errorf("of another project: %s: %s", res.Status, res.text)
		}
		for _, c := range slow {
			_ = c.Close()
		}
		eventually(t, "they are still there", func() bool {
			w.server.Submissions.uploads.projects.mu.Lock()
			defer w.server.Submissions.uploads.projects.mu.Unlock()
			return len(w.server.Submissions.uploads.running) == 0 && len(w.server.Submissions.uploads.projects.projects) == 0
		})
		if res := w.upload("alpha submitter", part{"archive", "b.zip", "x"}); res.StatusCode != http.StatusAccepted {
			t.Errorf("when they have gone: %s: %s", res.Status, res.text)
		}
	})
}

// A client that sends single bytes, so that no read times out, is cut off by the
// minimum rate.
func TestUploadAtLeast(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.read = 200 * time.Millisecond
		}
	}
	w := newWorld(t, t.TempDir()+"/db", tweak)
	conn := w.begin("alpha submitter")
	go func() {
		for {
			if _, err := io.WriteString(conn, "x"); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	answer := make([]byte, 13)
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 408 " {
		t.Errorf("%q, %v", answer, err)
	}
}
