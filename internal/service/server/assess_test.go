package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

func TestAssess(t *testing.T) {
	each(t, func(w *world) {
		res := w.ask("alpha submitter", "POST", "/api/v1/assess", map[string]any{
			"source": "npm:weather@1.0.0", "priority": 5, "args": []string{"--x"}, "profile": "safe", "detectors": []string{"decoy-*"},
			"env": map[string]string{"TOKEN": "hunter2"}, "options": map[string]any{"seed": 7, "timeout": "1m", "cpus": 2},
		})
		var s submission
		res.into(t, &s)
		if res.StatusCode != http.StatusAccepted || s.State != job.Queued || s.Shared || res.Header.Get("Location") != "/api/v1/jobs/"+s.ID ||
			s.Links != (links{"/api/v1/jobs/" + s.ID, "/api/v1/jobs/" + s.ID + "/events", "/api/v1/jobs/" + s.ID + "/report", "/runs/" + s.ID}) {
			t.Errorf("%s: %+v", res.Status, s)
		}
		shown := w.ask("alpha reader", "GET", s.Links.Self, nil)
		if strings.Contains(string(shown.text), "hunter2") || !strings.Contains(string(shown.text), `"TOKEN": ""`) {
			t.Errorf("the job shows values: %s", shown.text)
		}
		// The worker gets what was sent, and can decrypt it only with the job's id.
		c := w.claim()
		if c.Job.ID != s.ID || c.Job.Priority != 5 || *c.Job.Request.Options.Seed != 7 {
			t.Errorf("%+v", c.Job)
		}
		values, err := w.server.Sessions.secret.Decrypt(c.EncryptedEnv, []byte(s.ID))
		if err != nil || string(values) != `{"TOKEN":"hunter2"}` {
			t.Errorf("%s, %v", values, err)
		}
	})
}

func TestAssessRefuses(t *testing.T) {
	each(t, func(w *world) {
		deep := `{"source":"npm:a","env":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}"
		for body, want := range map[string]string{
			``:                                     "incomplete",
			`{`:                                    "incomplete",
			`[]`:                                   "cannot be a JSON array",
			`null`:                                 "source is missing",
			`{}`:                                   "source is missing",
			`{"source":"npm:a"} {}`:                "after the JSON value",
			`{"source":"npm:a","sauce":1}`:         `unknown field \"sauce\"`,
			`{"source":"npm:a","options":{"x":1}}`: `unknown field \"x\"`,
			`{"source":1}`:                         "source cannot be a JSON number",
			`{"source":"/etc/passwd"}`:             "unsupported source",
			`{"source":"file:///etc/passwd"}`:      "unsupported source",
			`{"source":"npm:../../etc/passwd"}`:    "unsupported source",
			`{"source":"npm:a","priority":101}`:    "priority must be",
			`{"source":"npm:a","profile":"x"}`:     "profile must be",
			`{"source":"npm:a","detectors":["no-such-rule"]}`:                "no-such-rule",
			`{"source":"npm:a","archive":"` + strings.Repeat("a", 64) + `"}`: "upload the archive",
			`{"archive":"` + strings.Repeat("a", 64) + `"}`:                  "upload the archive",
			`{"archive_name":"x.zip","source":"npm:a"}`:                      "upload the archive",
			`{"source":"http://127.0.0.1/mcp"}`:                              "private network",
			`{"source":"oci:localhost:5000/x"}`:                              "private network",
			`{"source":"npm:a","options":{"image":"10.0.0.1/x"}}`:            "private network",
			`{"source":"npm:a","env":{"A=B":"x"}}`:                           "names in env",
			`{"source":"npm:a","env":{"A":"\u0000"}}`:                        "names in env",
			`{"source":"https://a.example/\u0000"}`:                          "unsupported source",
			deep:                                                             "nested deeper",
		} {
			res := w.ask("alpha submitter", "POST", "/api/v1/assess", body)
			if res.StatusCode != http.StatusBadRequest || !strings.Contains(string(res.text), want) {
				t.Errorf("%.60s: %s: %s, want %q", body, res.Status, res.text, want)
			}
		}
		for kind, want := range map[string]int{
			"application/json; charset=utf-8": http.StatusAccepted, "text/plain": http.StatusUnsupportedMediaType, "": http.StatusUnsupportedMediaType,
			"application/x-www-form-urlencoded": http.StatusUnsupportedMediaType, "multipart/form-data": http.StatusUnsupportedMediaType, ";;": http.StatusUnsupportedMediaType,
		} {
			if res := w.ask("alpha submitter", "POST", "/api/v1/assess", `{"source":"npm:a"}`, header{"Content-Type", kind}); res.StatusCode != want {
				t.Errorf("%q: %s", kind, res.Status)
			}
		}
		res := w.ask("alpha submitter", "POST", "/api/v1/assess", `{"source":"`+strings.Repeat("x", 1<<20)+`"}`)
		if res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("a body that is too large: %s", res.Status)
		}
		for _, name := range []string{strings.Repeat("x", 256), "a b", "ä"} {
			if res := w.ask("alpha submitter", "POST", "/api/v1/assess", source("npm:a"), header{"Idempotency-Key", name}); res.StatusCode != http.StatusBadRequest {
				t.Errorf("%q: %s", name, res.Status)
			}
		}
		if res := w.ask("alpha reader", "POST", "/api/v1/assess", source("npm:a")); res.StatusCode != http.StatusForbidden {
			t.Errorf("a reader: %s", res.Status)
		}
	})
}

func TestSharing(t *testing.T) {
	each(t, func(w *world) {
		ask := func(who string, body map[string]any, headers ...header) submission {
			var s submission
			res := w.ask(who, "POST", "/api/v1/assess", body, headers...)
			if res.StatusCode != http.StatusAccepted {
				t.Fatalf("%s: %s", res.Status, res.text)
			}
			res.into(t, &s)
			return s
		}
		first := ask("alpha submitter", source("npm:a@1.0.0"))
		if again := ask("alpha admin", source("npm:a@1.0.0")); !again.Shared || again.ID != first.ID {
			t.Errorf("%+v", again)
		}
		if theirs := ask("beta submitter", source("npm:a@1.0.0")); theirs.Shared || theirs.ID == first.ID {
			t.Errorf("another project shares: %+v", theirs)
		}
		if own := ask("alpha submitter", map[string]any{"source": "npm:a@1.0.0", "force": true}); own.Shared || own.ID == first.ID {
			t.Errorf("forced: %+v", own)
		}
		secret := ask("alpha submitter", map[string]any{"source": "npm:a@1.0.0", "env": map[string]string{"A": "1"}})
		if other := ask("alpha submitter", map[string]any{"source": "npm:a@1.0.0", "env": map[string]string{"A": "2"}}); other.Shared || secret.Shared {
			t.Error("other variables have the same answer")
		}
	})
}

func TestIdempotency(t *testing.T) {
	each(t, func(w *world) {
		name := header{"Idempotency-Key", "my-1"}
		body := map[string]any{"source": "npm:a@1.0.0", "force": true}
		first := w.submit("alpha submitter", body, name)
		if again := w.submit("alpha submitter", body, name); again != first {
			t.Errorf("%s is not %s", again, first)
		}
		if res := w.ask("alpha submitter", "POST", "/api/v1/assess", source("npm:b@1.0.0"), name); res.problem() != "idempotency-conflict" {
			t.Errorf("another request by the same name: %s %s", res.Status, res.text)
		}
		body["priority"] = 1
		if res := w.ask("alpha submitter", "POST", "/api/v1/assess", body, name); res.problem() != "idempotency-conflict" {
			t.Errorf("another priority by the same name: %s %s", res.Status, res.text)
		}
		if theirs := w.submit("beta submitter", source("npm:b@1.0.0"), name); theirs == first {
			t.Error("the names of projects are mixed up")
		}
	})
}

// Two hundred submissions at once: equal ones become one job, the others one each.
func TestConcurrentSubmissions(t *testing.T) {
	each(t, func(w *world) {
		const clients, kinds = 200, 20
		ids := make([]string, clients)
		var wg sync.WaitGroup
		for i := range clients {
			wg.Go(func() {
				res := w.ask("alpha submitter", "POST", "/api/v1/assess", source(fmt.Sprintf("npm:p%d@1.0.0", i%kinds)))
				var s submission
				if err := json.Unmarshal(res.text, &s); err != nil || res.StatusCode != http.StatusAccepted {
					t.Errorf("%s: %s", res.Status, res.text)
				}
				ids[i] = s.ID
			})
		}
		wg.Wait()
		distinct := map[string]bool{}
		for i, id := range ids {
			distinct[id] = true
			if id != ids[i%kinds] {
				t.Errorf("%d has the job %s, not %s", i, id, ids[i%kinds])
			}
		}
		counts, err := w.store.Counts(t.Context())
		if err != nil || len(distinct) != kinds || counts[job.Queued] != kinds {
			t.Errorf("%d jobs, %v, %v", len(distinct), counts, err)
		}
	})
}

func TestSubmissionLimits(t *testing.T) {
	now := time.Now()
	tweak := func(_ *Server, o *Options) {
		o.Limits.Submissions, o.Limits.Waiting = 3, 2
		o.Now = func() time.Time { return now }
	}
	eachWith(t, tweak, func(w *world) {
		for i := range 2 {
			w.submit("alpha submitter", source(fmt.Sprintf("npm:a@1.0.%d", i)))
		}
		if res := w.ask("alpha submitter", "POST", "/api/v1/assess", source("npm:b")); res.problem() != "queue-full" || res.Header.Get("Retry-After") == "" {
			t.Errorf("a full queue: %s %s", res.Status, res.text)
		}
		if res := w.ask("alpha submitter", "POST", "/api/v1/assess", source("npm:c")); res.problem() != "too-many-submissions" || res.Header.Get("Retry-After") != "20" {
			t.Errorf("too fast: %s %s %v", res.Status, res.text, res.Header)
		}
		w.submit("beta submitter", source("npm:c")) // other projects are not blocked
		if res := w.ask("alpha admin", "POST", "/api/v1/assess", source("npm:a@1.0.0")); res.StatusCode != http.StatusAccepted {
			t.Errorf("another key: %s %s", res.Status, res.text)
		}
	})
}
