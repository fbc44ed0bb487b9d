package server

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

type page struct {
	Jobs []job.Job
	Next string
}

func TestJobs(t *testing.T) {
	each(t, func(w *world) {
		done := w.done("alpha submitter", "npm:weather@1.0.0")
		var ids []string
		for i := range 5 {
			ids = append(ids, w.submit("alpha submitter", source(fmt.Sprintf("npm:other@1.0.%d", i))))
		}
		other := w.submit("beta submitter", source("npm:secret@1.0.0"))

		var j job.Job
		w.ask("alpha reader", "GET", "/api/v1/jobs/"+done, nil).into(t, &j)
		if j.ID != done || j.State != job.Done || j.Result == nil || j.Result.Name != "weather" {
			t.Errorf("%+v", j)
		}
		for query, want := range map[string]int{
			"": 6, "?state=done": 1, "?state=failed": 0, "?band=HIGH": 1, "?q=WEATHER": 1, "?q=secret": 0, "?q=%25": 0,
			"?name=weather": 1, "?name=weath": 0, "?limit=2": 2, "?before=" + ids[2]: 3,
		} {
			var p page
			w.ask("alpha reader", "GET", "/api/v1/jobs"+query, nil).into(t, &p)
			if len(p.Jobs) != want {
				t.Errorf("%q: %d jobs, want %d", query, len(p.Jobs), want)
			}
		}
		var seen []string
		for next := ""; ; {
			var p page
			w.ask("alpha reader", "GET", "/api/v1/jobs?limit=2"+next, nil).into(t, &p)
			for _, j := range p.Jobs {
				seen = append(seen, j.ID)
			}
			if p.Next == "" {
				break
			}
			next = "&before=" + p.Next
		}
		if len(seen) != 6 || seen[0] != ids[4] || seen[5] != done {
			t.Errorf("page by page: %v", seen)
		}
		for _, query := range []string{
			"?state=Done", "?band=high", "?limit=0", "?limit=201", "?limit=x", "?before=1", "?before=" + done + "%00", "?q=%00", "?name=%ff", "?q=a&q=b",
			"?nonsense=1", "?name=" + longText(301),
		} {
			if res := w.ask("alpha reader", "GET", "/api/v1/jobs"+query, nil); res.StatusCode != http.StatusBadRequest {
				t.Errorf("%q: %s", query, res.Status)
			}
		}
		// Jobs of another project do not exist for any role.
		for _, who := range []string{"alpha reader", "alpha submitter", "alpha admin"} {
			for _, path := range []string{"", "/events", "/report", "/artifacts", "/artifacts/report.json"} {
				if res := w.ask(who, "GET", "/api/v1/jobs/"+other+path, nil); res.StatusCode != http.StatusNotFound {
					t.Errorf("%s: %s: %s", who, path, res.Status)
				}
			}
			if res := w.ask(who, "GET", "/api/v1/compare?old="+other+"&new="+done, nil); res.StatusCode != http.StatusNotFound {
				t.Errorf("%s compares with it: %s", who, res.Status)
			}
		}
		theirs, nobodys := w.ask("alpha submitter", "DELETE", "/api/v1/jobs/"+other, nil), w.ask("alpha submitter", "DELETE", "/api/v1/jobs/"+job.NewID(), nil)
		if theirs.StatusCode != http.StatusNotFound || string(theirs.text) != string(nobodys.text) {
			t.Errorf("it can be told from one that is not there: %s, %s", theirs.text, nobodys.text)
		}
	})
}

func longText(n int) string { return fmt.Sprintf("%0*d", n, 0) }

func TestCancel(t *testing.T) {
	each(t, func(w *world) {
		cancel := func(id string) (int, job.Job) {
			var j job.Job
			res := w.ask("alpha submitter", "DELETE", "/api/v1/jobs/"+id, nil)
			res.into(t, &j)
			return res.StatusCode, j
		}
		waiting := w.submit("alpha submitter", source("npm:a@1.0.0"))
		if status, j := cancel(waiting); status != http.StatusAccepted || j.State != job.Cancelled {
			t.Errorf("one that waits: %d %+v", status, j)
		}
		if status, j := cancel(waiting); status != http.StatusOK || j.State != job.Cancelled {
			t.Errorf("again: %d %+v", status, j)
		}
		running := w.submit("alpha submitter", source("npm:b@1.0.0"))
		w.claim()
		if status, j := cancel(running); status != http.StatusAccepted || j.State != job.Running || !j.Cancelling {
			t.Errorf("one that runs: %d %+v", status, j)
		}
		if res := w.ask("alpha reader", "DELETE", "/api/v1/jobs/"+running, nil); res.StatusCode != http.StatusForbidden {
			t.Errorf("a reader: %s", res.Status)
		}
	})
}
