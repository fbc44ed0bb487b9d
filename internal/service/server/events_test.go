package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/drive/sse"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// listening is a stream that a client reads.
type listening struct {
	t      testing.TB
	res    *http.Response
	parser sse.Parser
	events []sse.Event
	cancel context.CancelFunc
	// texts is everything that was read.
	texts strings.Builder
}

func (w *world) listen(who, id, last string) *listening {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
	req := w.request(who, "GET", "/api/v1/jobs/"+id+"/events", nil).WithContext(ctx)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := w.client.Do(req)
	if err != nil {
		cancel()
		w.Fatal(err)
	}
	l := &listening{t: w, res: res, cancel: cancel}
	l.parser = sse.Parser{Max: 1 << 20, Head: 1 << 10, Emit: func(e sse.Event) {
		l.events = append(l.events, sse.Event{Name: e.Name, Data: []byte(string(e.Data))})
	}}
	w.Cleanup(l.close)
	return l
}

func (l *listening) close() {
	l.cancel()
	_ = l.res.Body.Close()
}

// next returns the next event, false at the end of the stream.
func (l *listening) next() (string, bool) {
	l.t.Helper()
	buf := make([]byte, 4096)
	for len(l.events) == 0 {
		n, err := l.res.Body.Read(buf)
		l.texts.Write(buf[:n])
		l.parser.Feed(buf[:n])
		if err != nil && len(l.events) == 0 {
			if !errors.Is(err, io.EOF) {
				l.t.Errorf("the stream broke off: %v", err)
			}
			return "", false
		}
	}
	e := l.events[0]
	l.events = l.events[1:]
	var end struct {
		ID    string `json:"job_id"`
		State job.State
	}
	if e.Name == "end" && json.Unmarshal(e.Data, &end) == nil && end.ID != "" {
		return "end " + string(end.State), true
	}
	return e.Name + " " + string(e.Data), true
}

// expect fails unless exactly these events come next.
func (l *listening) expect(want ...string) {
	l.t.Helper()
	var got []string
	for range want {
		e, ok := l.next()
		if !ok {
			break
		}
		got = append(got, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		l.t.Fatalf("(-want +got):\n%s", diff)
	}
}

func (l *listening) over() {
	l.t.Helper()
	if e, ok := l.next(); ok {
		l.t.Errorf("after the end: %s", e)
	}
}

const (
	queued    = `state {"state":"queued","attempt":0}`
	running   = `state {"state":"running","attempt":1}`
	doneState = `state {"state":"done","attempt":1}`
)

func progress(n int) string { return fmt.Sprintf(`{"progress":{"percent":%d}}`, n) }

func TestEventsLive(t *testing.T) {
	each(t, func(w *world) {
		id := w.submit("alpha submitter", source("npm:a@1.0.0"))
		first := w.listen("alpha reader", id, "")
		first.expect(queued)
		c := w.claim()
		first.expect(running)
		w.tell(c, progress(10), `{"note":"hello \u2028 \r\n\n"}`, `nonsense`, `{"event":`+"\r"+`{"seq":1,"kind":"x"}}`)
		first.expect(`progress {"percent":10}`, `note "hello \u2028 \r\n\n"`, `event {"seq":1,"kind":"x"}`)
		// A client that joins later gets all events; one that reconnects gets the new ones.
		w.tell(c, progress(20))
		first.expect(`progress {"percent":20}`)
		if first.parser.Last != "1.2" {
			t.Errorf("the last id is %q", first.parser.Last)
		}
		late, back := w.listen("alpha admin", id, ""), w.listen("alpha submitter", id, "1.1")
		late.expect(running, `progress {"percent":10}`, `note "hello \u2028 \r\n\n"`, `event {"seq":1,"kind":"x"}`, `progress {"percent":20}`)
		back.expect(running, `progress {"percent":20}`)
		if n := watches(w); n != 1 {
			t.Errorf("%d watch one job", n)
		}
		w.tell(c, progress(30))
		w.leave(c)
		w.finish(c, job.Done)
		for _, l := range []*listening{first, late, back} {
			l.expect(`progress {"percent":30}`, doneState, "end done")
			l.over()
		}
		eventually(t, "somebody still watches", func() bool { return watches(w) == 0 })
		if first.parser.Last != "1.end" {
			t.Errorf("the last id is %q", first.parser.Last)
		}
		if res := w.ask("alpha reader", "GET", "/api/v1/jobs/"+id+"/events", nil, header{"Last-Event-ID", "1.end"}); res.StatusCode != http.StatusNoContent {
			t.Errorf("who has seen the end: %s", res.Status)
		}
	})
}

func watches(w *world) int {
	w.server.Events.hub.mu.Lock()
	defer w.server.Events.hub.mu.Unlock()
	return len(w.server.Events.hub.watched)
}

// A new attempt sends its events from the beginning.
func TestEventsOfSecondAttempt(t *testing.T) {
	each(t, func(w *world) {
		id := w.submit("alpha submitter", source("npm:a@1.0.0"))
		c := w.claim()
		w.tell(c, progress(10))
		l := w.listen("alpha reader", id, "")
		l.expect(running, `progress {"percent":10}`)
		if err := w.store.Finish(t.Context(), c, &store.Outcome{State: job.Queued}); err != nil {
			t.Fatal(err)
		}
		l.expect(`state {"state":"queued","attempt":1}`)
		c = w.claim()
		w.tell(c, progress(5))
		l.expect(`state {"state":"running","attempt":2}`, `progress {"percent":5}`)
		back := w.listen("alpha reader", id, "1.1")
		back.expect(`state {"state":"running","attempt":2}`, `progress {"percent":5}`)
		if _, err := w.store.Cancel(t.Context(), "alpha", id); err != nil {
			t.Fatal(err)
		}
		l.expect(`state {"state":"running","attempt":2,"cancelling":true}`)
		w.finish(c, job.Cancelled)
		l.expect(`state {"state":"cancelled","attempt":2}`, "end cancelled")
		l.over()
	})
}

func TestEventsReplayed(t *testing.T) {
	each(t, func(w *world) {
		id := w.submit("alpha submitter", source("npm:weather@1.0.0"))
		c := w.claim()
		w.tell(c, progress(10))
		w.tell(c, progress(20))
		w.leave(c)
		w.finish(c, job.Done)
		var lines []string
		for _, e := range sampleEvents() {
			text, _ := safetext.JSONLine(e)
			lines = append(lines, "event "+strings.TrimSpace(string(text)))
		}
		for last, want := range map[string][]string{
			"": lines, "1.e1": lines[1:], "1.e3": {}, "1.e99": {}, "0.e2": lines, "1.0": lines, "1.99": lines, "x": lines, "1.1": {`progress {"percent":20}`}, "1.2": {},
		} {
			l := w.listen("alpha reader", id, last)
			l.expect(append(append([]string{doneState}, want...), "end done")...)
			l.over()
			if strings.Contains(l.texts.String(), "\r") || strings.Contains(l.texts.String(), "\nevent: end\ndata: x") {
				t.Errorf("the target speaks for us: %q", l.texts.String())
			}
			l.close()
		}
		// A failed job has no file; its live events are kept for a while.
		failed := w.submit("alpha submitter", source("npm:b@1.0.0"))
		c = w.claim()
		w.tell(c, progress(7))
		w.finish(c, job.Failed)
		l := w.listen("alpha reader", failed, "")
		l.expect(`state {"state":"failed","attempt":1}`, `progress {"percent":7}`, "end failed")
		l.over()
	})
}

// More events than fit into any buffer arrive completely and in order.
func TestEventsMany(t *testing.T) {
	each(t, func(w *world) {
		const parts = maxBehind + 50
		id := w.submit("alpha submitter", source("npm:a@1.0.0"))
		c := w.claim()
		var want []string
		for i := range parts {
			w.tell(c, progress(i))
			want = append(want, fmt.Sprintf(`progress {"percent":%d}`, i))
		}
		l := w.listen("alpha reader", id, "")
		l.expect(append([]string{running}, want...)...)
		half := w.listen("alpha reader", id, fmt.Sprintf("1.%d", parts/2))
		half.expect(append([]string{running}, want[parts/2:]...)...)
	})
}

func TestEventsBeat(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.heartbeat = 20 * time.Millisecond
		}
	}
	eachWith(t, tweak, func(w *world) {
		id := w.submit("alpha submitter", source("npm:a@1.0.0"))
		l := w.listen("alpha reader", id, "")
		lines := bufio.NewScanner(l.res.Body)
		for lines.Scan() && lines.Text() != ":" {
		}
		if lines.Err() != nil || lines.Text() != ":" {
			t.Errorf("no sign of life: %v", lines.Err())
		}
		// A stream whose key is revoked ends.
		if err := w.store.RevokeKey(t.Context(), "alpha", w.ids["alpha reader"]); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
		}
		if lines.Err() != nil {
			t.Error(lines.Err())
		}
	})
}

// A client that disconnects is detected; at shutdown all streams end.
func TestEventsEnd(t *testing.T) {
	tweak := func(_ *Server, o *Options) { o.Limits.Streams = 2 }
	eachWith(t, tweak, func(w *world) {
		id := w.submit("alpha submitter", source("npm:a@1.0.0"))
		first, second := w.listen("alpha reader", id, ""), w.listen("alpha reader", id, "")
		first.expect(queued)
		second.expect(queued)
		if res := w.ask("alpha reader", "GET", "/api/v1/jobs/"+id+"/events", nil); res.problem() != "too-many-streams" {
			t.Errorf("a third: %s", res.Status)
		}
		first.close()
		eventually(t, "who vanished is still there", func() bool {
			w.server.Streams.open.mu.Lock()
			defer w.server.Streams.open.mu.Unlock()
			return w.server.Streams.open.open[w.ids["alpha reader"]] == 1
		})
		third := w.listen("alpha reader", id, "")
		third.expect(queued)
		w.server.Close()
		second.over()
		third.over()
		eventually(t, "somebody still watches", func() bool { return watches(w) == 0 })
	})
}

// A client that does not read is cut off; the job and other clients are not blocked.
func TestEventsSlow(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.write = 100 * time.Millisecond
		}
	}
	eachWith(t, tweak, func(w *world) {
		id := w.submit("alpha submitter", source("npm:a@1.0.0"))
		c := w.claim()
		conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.(*net.TCPConn).SetReadBuffer(4096)
		fmt.Fprintf(conn, "GET /api/v1/jobs/%s/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", id, w.keys["alpha reader"])
		open := func() int {
			w.server.Streams.open.mu.Lock()
			defer w.server.Streams.open.mu.Unlock()
			return w.server.Streams.open.open[w.ids["alpha reader"]]
		}
		eventually(t, "it is not listening", func() bool { return open() == 1 })
		large := fmt.Sprintf(`{"note":%q}`, strings.Repeat("x", 256<<10))
		eventually(t, "who does not read still listens", func() bool {
			w.tell(c, large)
			return open() == 0
		})
	})
}

// The hub cuts off a client that is too far behind, whatever the reason.
func TestHubCutsOff(t *testing.T) {
	each(t, func(w *world) {
		w.submit("alpha submitter", source("npm:a@1.0.0"))
		c := w.claim()
		slow := w.server.Events.hub.join(t.Context(), &c.Job, store.Place{Attempt: 1})
		quick := w.server.Events.hub.join(t.Context(), &c.Job, store.Place{Attempt: 1})
		go func() {
			for i := range maxBehind + 10 {
				w.tell(c, progress(i))
			}
		}()
		for i := range maxBehind + 10 {
			if m := <-quick.queue; m.place.Part != int64(i+1) {
				t.Fatalf("part %d came as %d", m.place.Part, i+1)
			}
		}
		n := 0
		for range slow.queue {
			n++
		}
		if n != maxBehind {
			t.Errorf("it got %d", n)
		}
		slow.leave()
		if watches(w) != 1 {
			t.Error("the other one's watch ended")
		}
		quick.leave()
		if watches(w) != 0 {
			t.Error("nobody listens, and it is watched")
		}
	})
}

// The streams of a deleted job end.
func TestEventsOfForgotten(t *testing.T) {
	each(t, func(w *world) {
		j := &job.Job{ID: job.NewID(), Project: "alpha", State: job.Running}
		l := w.server.Events.hub.join(t.Context(), j, store.Place{})
		if m, ok := <-l.queue; ok {
			t.Errorf("%s", m.text)
		}
		l.leave()
	})
}

func FuzzToldText(f *testing.F) {
	f.Add([]byte(progress(1) + "\n" + `{"event":{"a":"\n"}}` + "\n"))
	f.Add([]byte("{\"note\":\r\"x\"}\n{\"note\":\"a\rb\"}\nevent: end\n\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		var names []string
		p := sse.Parser{Max: 1 << 20, Head: 1 << 10, Emit: func(e sse.Event) {
			names = append(names, e.Name)
			if !json.Valid(e.Data) {
				t.Errorf("%q is no JSON", e.Data)
			}
		}}
		text := progressEvents(lines, store.Place{Attempt: 1, Part: 2})
		p.Feed(text)
		for _, name := range names {
			if name != "progress" && name != "event" && name != "note" {
				t.Errorf("an event %q", name)
			}
		}
		if len(names) > 0 && p.Last != "1.2" || strings.Count(string(text), "data: ") < len(names) {
			t.Errorf("%q", text)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"source":"npm:a","options":{"seed":1}}`)
	f.Add(`{"a":"\\\"[[["}`)
	f.Fuzz(func(t *testing.T, text string) {
		var a submitted
		err := decode(strings.NewReader(text), &a)
		if p := (*problem)(nil); err != nil && (!errors.As(err, &p) || p.status != http.StatusBadRequest) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
