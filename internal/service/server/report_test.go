package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

func TestReport(t *testing.T) {
	each(t, func(w *world) {
		id := w.done("alpha submitter", "npm:weather@1.0.0")
		at := "/api/v1/jobs/" + id + "/report"
		for _, tt := range []struct{ accept, query, want string }{
			{"", "", "application/json"}, {"*/*", "", "application/json"}, {"application/json", "", "application/json"}, {"application/*", "", "application/json"},
			{"application/sarif+json", "", "application/sarif+json"}, {"text/markdown", "", "text/markdown; charset=utf-8"}, {"text/html", "", "text/html; charset=utf-8"},
			{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "", "text/html; charset=utf-8"},
			{"text/html;q=0.1, application/sarif+json;q=0.5, image/png", "", "application/sarif+json"}, {"*/*;q=0.1, application/json;q=0", "", "application/sarif+json"},
			{"text/html", "?format=markdown", "text/markdown; charset=utf-8"}, {"image/png", "?format=json", "application/json"}, {"image/png", "?format=sarif", "application/sarif+json"},
			{"application/json;q=x, ;;;, text/html;q=NaN, text/markdown;q=0.2", "", "text/markdown; charset=utf-8"},
		} {
			res := w.ask("alpha reader", "GET", at+tt.query, nil, header{"Accept", tt.accept})
			if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != tt.want {
				t.Errorf("%q %s: %s %s", tt.accept, tt.query, res.Status, res.Header.Get("Content-Type"))
			}
		}
		for accept, want := range map[string]int{"image/png": 406, "text/html;q=0": 406, "x": 406} {
			if res := w.ask("alpha reader", "GET", at, nil, header{"Accept", accept}); res.StatusCode != want {
				t.Errorf("%q: %s", accept, res.Status)
			}
		}
		for _, format := range []string{"", "pdf", "timeline", "jsonl"} {
			if res := w.ask("alpha reader", "GET", at+"?format="+format, nil); res.StatusCode != http.StatusBadRequest {
				t.Errorf("%q: %s", format, res.Status)
			}
		}
		testReportTexts(w, at)
	})
}

func testReportTexts(w *world, at string) {
	w.Helper()
	var r mcpsf.Report
	w.ask("alpha reader", "GET", at, nil).into(w, &r)
	if r.Verdict.Band != mcpsf.BandHigh || r.Findings[0].Message != hostile {
		w.Errorf("%+v", r)
	}
	page := w.ask("alpha reader", "GET", at+"?format=html", nil)
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(string(page.text), "<!doctype html>") || strings.Contains(string(page.text), "<script>alert") {
		w.Error("the page is none, or runs what the target says")
	}
	for _, want := range []string{"sandbox allow-scripts", "script-src 'sha256-", "default-src 'none'"} {
		if !strings.Contains(policy, want) || strings.Contains(policy, "unsafe") || strings.Contains(policy, "allow-same-origin") {
			w.Errorf("the policy is %s", policy)
		}
	}
	if text := string(w.ask("alpha reader", "GET", at+"?format=markdown", nil).text); !strings.Contains(text, "weather") {
		w.Error(text)
	}
	part := w.ask("alpha reader", "GET", at, nil, header{"Range", "bytes=0-0"})
	if part.StatusCode != http.StatusPartialContent || string(part.text) != "{" {
		w.Errorf("%s: %q", part.Status, part.text)
	}
}

func TestReportThatIsNotThere(t *testing.T) {
	each(t, func(w *world) {
		queued := w.submit("alpha submitter", source("npm:a@1.0.0"))
		check := func(kind string) {
			t.Helper()
			if res := w.ask("alpha reader", "GET", "/api/v1/jobs/"+queued+"/report", nil); res.StatusCode != http.StatusConflict || res.problem() != kind {
				t.Errorf("%s %s, want %s", res.Status, res.text, kind)
			}
			if res := w.ask("alpha reader", "GET", "/api/v1/compare?old="+queued+"&new="+queued, nil); res.StatusCode != http.StatusConflict {
				t.Errorf("compared: %s", res.Status)
			}
		}
		check("not-done")
		c := w.claim()
		check("not-done")
		w.finish(c, job.Failed)
		check("no-report")
		// Broken or missing files are reported as our failure.
		lost := w.submit("alpha submitter", source("npm:b@1.0.0"))
		c = w.claim()
		w.finish(c, job.Done)
		at := "/api/v1/jobs/" + lost + "/report"
		for _, text := range []string{"", "{", "{}", `{"schema_version":"3"}`} {
			if text != "" {
				w.put(c, report.FileName, []byte(text))
			}
			if res := w.ask("alpha reader", "GET", at+"?format=html", nil); res.StatusCode != http.StatusInternalServerError {
				t.Errorf("%q: %s", text, res.Status)
			}
		}
		w.leave(c)
		w.put(c, report.EventsName, []byte("{}\n"))
		if res := w.ask("alpha reader", "GET", at+"?format=html", nil); res.StatusCode != http.StatusInternalServerError {
			t.Errorf("broken events: %s", res.Status)
		}
		if err := w.files.Remove(t.Context(), "jobs/"+lost+"/1/"+report.EventsName); err != nil {
			t.Fatal(err)
		}
		if res := w.ask("alpha reader", "GET", at+"?format=html", nil); res.StatusCode != http.StatusOK {
			t.Errorf("no events: %s", res.Status)
		}
		w.put(c, report.EventsName, []byte(huge))
		if res := w.ask("alpha reader", "GET", at+"?format=html", nil); res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("too many events: %s", res.Status)
		}
	})
}

func TestArtifacts(t *testing.T) {
	each(t, func(w *world) {
		id := w.done("alpha submitter", "npm:weather@1.0.0")
		at := "/api/v1/jobs/" + id + "/artifacts"
		_, _ = w.files.Put(t.Context(), "jobs/"+id+"/1/sub/we ird\"\r\n.html", strings.NewReader("<script>alert(1)</script>"))
		_, _ = w.files.Put(t.Context(), "jobs/"+id+"/2/other", strings.NewReader("of another attempt"))
		_, _ = w.files.Put(t.Context(), "uploads/secret", strings.NewReader("of somebody else"))
		var list struct{ Artifacts []Artifact }
		w.ask("alpha reader", "GET", at, nil).into(t, &list)
		if len(list.Artifacts) != 4 || list.Artifacts[2].Name != "report.json" || list.Artifacts[1].Size != 10 {
			t.Errorf("%+v", list)
		}
		for _, a := range list.Artifacts {
			res := w.ask("alpha reader", "GET", a.Href, nil)
			if res.StatusCode != http.StatusOK || int64(len(res.text)) != a.Size || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment; filename=") ||
				!strings.Contains(res.Header.Get("Content-Security-Policy"), "sandbox;") || res.Header.Get("Content-Type") == "text/html" {
				t.Errorf("%+v: %s %v", a, res.Status, res.Header)
			}
		}
		if got := w.ask("alpha reader", "GET", list.Artifacts[3].Href, nil).Header.Get("Content-Disposition"); got != "attachment; filename=we_ird___.html" {
			t.Errorf("%q", got)
		}
		file := at + "/evidence.tar.zst"
		for value, want := range map[string]string{"bytes=2-4": "234", "bytes=-3": "789", "bytes=8-": "89", "bytes=0-99": "0123456789"} {
			if res := w.ask("alpha reader", "GET", file, nil, header{"Range", value}); res.StatusCode != http.StatusPartialContent || string(res.text) != want {
				t.Errorf("%s: %s %q", value, res.Status, res.text)
			}
		}
		if res := w.ask("alpha reader", "GET", file, nil, header{"Range", "bytes=10-"}); res.StatusCode != http.StatusRequestedRangeNotSatisfiable || res.problem() != "range" || res.Header.Get("Content-Disposition") != "" {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		for _, name := range []string{
			"nothing", "..%2f2%2fother", "%2e%2e%2f2%2fother", "..%5c2%5cother", "%2e%2e/2/other", "%2Fetc%2Fpasswd", "/etc/passwd", "report.json%00", "%00", ".", "%2e", "./report.json", "%2e%2freport.json",
			"sub", "sub%2f", "REPORT.JSON", "report.json%2f..%2freport.json", "%252e%252e%252f2%252fother", "..%2f..%2f..%2fuploads%2fsecret", "jobs%2f" + id + "%2f1%2freport.json", "%ff",
		} {
			req := w.request("alpha reader", "GET", "", nil)
			req.URL = literal(t, w.at.URL+at+"/"+name)
			res, err := w.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusNotFound {
				t.Errorf("%q: %s", name, res.Status)
			}
		}
		waiting := w.submit("alpha submitter", source("npm:a@1.0.0"))
		w.ask("alpha reader", "GET", "/api/v1/jobs/"+waiting+"/artifacts", nil).into(t, &list)
		if len(list.Artifacts) > 0 {
			t.Errorf("a job that was not begun has %+v", list)
		}
		w.files.fail(http.ErrServerClosed)
		if res := w.ask("alpha reader", "GET", at, nil); res.StatusCode != http.StatusInternalServerError {
			t.Errorf("broken files: %s", res.Status)
		}
	})
}

func TestCompareAndTrend(t *testing.T) {
	each(t, func(w *world) {
		first := w.done("alpha submitter", "npm:weather@1.0.0")
		second := w.done("alpha submitter", "npm:weather@1.0.1")
		var c struct {
			Old, New struct{ Name string }
			Findings []json.RawMessage
		}
		res := w.ask("alpha reader", "GET", "/api/v1/compare?old="+first+"&new="+second, nil)
		res.into(t, &c)
		if c.Old.Name != "weather" || c.New.Name != "weather" || len(c.Findings) != 0 {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		for query, want := range map[string]int{
			"": 400, "?old=" + first: 400, "?old=x&new=" + first: 404, "?old=" + first + "&new=" + job.NewID(): 404, "?old=" + first + "&new=..%2f": 404,
		} {
			if res := w.ask("alpha reader", "GET", "/api/v1/compare"+query, nil); res.StatusCode != want {
				t.Errorf("%q: %s", query, res.Status)
			}
		}
		scoped := w.submit("alpha submitter", source("@scope/name"))
		claim := w.claim()
		if err := w.store.Finish(t.Context(), claim, outcomeNamed("@scope/name")); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]string{
			"weather": {first, second}, "@scope/name": {scoped}, "@scope%2fname": {scoped}, "nothing": {}, "weather/trend": {},
		} {
			var trend struct {
				Name   string
				Points []point
			}
			w.ask("alpha reader", "GET", "/api/v1/packages/"+name+"/trend", nil).into(t, &trend)
			var ids []string
			for _, p := range trend.Points {
				ids = append(ids, p.ID)
			}
			if strings.Join(ids, " ") != strings.Join(want, " ") {
				t.Errorf("%s: %v, want %v", name, ids, want)
			}
			w.ask("beta reader", "GET", "/api/v1/packages/"+name+"/trend", nil).into(t, &trend)
			if len(trend.Points) > 0 {
				t.Errorf("another project sees %v", trend.Points)
			}
		}
	})
}

func TestRules(t *testing.T) {
	each(t, func(w *world) {
		var list struct {
			Digest string
			Rules  []detector
		}
		w.ask("alpha reader", "GET", "/api/v1/rules", nil).into(t, &list)
		if len(list.Rules) < 10 || list.Rules[0].ID == "" || !strings.HasPrefix(list.Digest, "sha256:") {
			t.Errorf("%+v", list)
		}
	})
}
