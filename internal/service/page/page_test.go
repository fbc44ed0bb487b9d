package page_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// A key opens a session; without one, pages redirect to the sign-in and back.
func TestSignIn(t *testing.T) {
	w := newWorld(t)
	res := w.get("", "/history?q=a+b&state=done")
	if to := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || to != "/sign-in?next=%2Fhistory%3Fq%3Da%2Bb%26state%3Ddone" {
		t.Errorf("%s to %q", res.Status, to)
	}
	if res := w.get("", "/sign-in?next=/history?q=x"); res.StatusCode != http.StatusOK || !strings.Contains(res.text, `name="next" value="/history?q=x"`) {
		t.Errorf("%s: %s", res.Status, res.text)
	}
	for _, key := range []string{"", "mcpsf_x", w.keys["alpha reader"] + "a"} {
		res := w.post("", "/sign-in", url.Values{"key": {key}, "next": {"/rules"}})
		if res.StatusCode != http.StatusUnauthorized || len(res.Cookies()) > 0 || !strings.Contains(res.text, `role="alert"`) || !strings.Contains(res.text, `value="/rules"`) {
			t.Errorf("%q: %s, %v", key, res.Status, res.Cookies())
		}
		if key != "" && strings.Contains(res.text, key) {
			t.Error("the page repeats the key")
		}
	}
	res = w.post("", "/sign-in", url.Values{"key": {" " + w.keys["alpha reader"] + "\n"}, "next": {"/rules"}})
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/rules" || len(res.Cookies()) != 1 {
		t.Fatalf("%s, %v", res.Status, res.Cookies())
	}
	cookie := res.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("%v", cookie)
	}
	if res := w.ask("", "GET", "/rules", nil, "Cookie", cookie.String()); res.StatusCode != http.StatusOK || !strings.Contains(res.text, "reader of alpha") {
		t.Errorf("with a session: %s", res.Status)
	}
	if res := w.ask("", "GET", "/sign-in?next=/keys", nil, "Cookie", cookie.String()); res.Header.Get("Location") != "/keys" {
		t.Errorf("signed in already: %s", res.Status)
	}
	res = w.post("", "/sign-out", nil, "Cookie", cookie.String())
	if res.StatusCode != http.StatusSeeOther || len(res.Cookies()) != 1 || res.Cookies()[0].MaxAge >= 0 {
		t.Errorf("signing out: %s, %v", res.Status, res.Cookies())
	}
}

// Signing in redirects only within this service.
func TestNext(t *testing.T) {
	w := newWorld(t)
	for next, want := range map[string]string{
		"/runs/1": "/runs/1", "/history?q=%2F": "/history?q=%2F", "/packages/@a%2Fb": "/packages/@a%2Fb", "": "/",
		"https://evil.example/": "/", "//evil.example": "/", `/\evil.example`: "/", "/..//evil.example": "/", "javascript:alert(1)": "/", "evil": "/", "/sign-in": "/", "/a\r\nX: y": "/", "/%5cevil.example": "/%5cevil.example",
	} {
		res := w.post("", "/sign-in", url.Values{"key": {w.keys["alpha reader"]}, "next": {next}})
		if got := res.Header.Get("Location"); got != want {
			t.Errorf("%q leads to %q", next, got)
		}
	}
}

// What a role does not allow is neither shown nor done.
func TestRoles(t *testing.T) {
	w := newWorld(t)
	id := w.queue(job.Request{Source: "npm:a"})
	for _, tt := range []struct {
		who, method, path string
		status            int
	}{
		{"alpha reader", "GET", "/", 200}, {"alpha reader", "GET", "/keys", 403}, {"alpha reader", "POST", "/runs", 403}, {"alpha reader", "POST", "/runs/" + id + "/cancel", 403}, {"alpha reader", "POST", "/keys", 403},
		{"alpha submitter", "GET", "/keys", 403}, {"alpha submitter", "POST", "/keys/abcdefghijkl/revoke", 403}, {"alpha admin", "GET", "/keys", 200},
		{"beta admin", "GET", "/runs/" + id, 404}, {"beta admin", "POST", "/runs/" + id + "/cancel", 404}, {"beta admin", "GET", "/?again=" + id, 404}, {"beta admin", "GET", "/runs/" + id + "/events", 404},
		{"alpha reader", "GET", "/runs/x", 404}, {"alpha reader", "GET", "/runs/" + job.NewID(), 404}, {"", "POST", "/runs", 303}, {"", "GET", "/queue", 401}, {"", "GET", "/runs/" + id + "/events", 401},
		{"alpha reader", "HEAD", "/runs/" + id, 200}, {"", "HEAD", "/runs/" + id, 303}, {"alpha reader", "GET", "/nothing", 404},
	} {
		if res := w.ask(tt.who, tt.method, tt.path, nil); res.StatusCode != tt.status {
			t.Errorf("%s %s as %s: %s", tt.method, tt.path, tt.who, res.Status)
		}
	}
	if text := w.get("alpha reader", "/").text; strings.Contains(text, `id="submit"`) || strings.Contains(text, `href="/keys"`) {
		t.Error("a reader is offered what it cannot do")
	}
	if text := w.get("alpha reader", "/runs/"+id).text; strings.Contains(text, "/cancel") {
		t.Error("a reader is offered to cancel")
	}
	j, err := w.store.Job(t.Context(), "alpha", id)
	if err != nil || j.State != job.Queued {
		t.Errorf("%v, %v", j, err)
	}
}

// form returns a form with a file, or without one if name is "".
func form(t *testing.T, fields map[string][]string, name, content string) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	m := multipart.NewWriter(body)
	for field, values := range fields {
		for _, v := range values {
			if err := m.WriteField(field, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := m.CreateFormFile("archive", name)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return body, m.FormDataContentType()
}

func (w *world) submit(fields map[string][]string, name, content string, headers ...string) *reply {
	w.Helper()
	body, kind := form(w.T, fields, name, content)
	return w.ask("alpha submitter", "POST", "/runs", body, append([]string{"Content-Type", kind}, headers...)...)
}

func TestSubmit(t *testing.T) {
	w := newWorld(t)
	res := w.submit(map[string][]string{
		"source": {" npm:weather@1.0.0 "}, "profile": {"safe"}, "command": {`node "my server.js" --x`}, "env_name": {"TOKEN", ""}, "env_value": {"s3cret", ""},
		"network": {"allow"}, "hosts": {"a.example, b.example"}, "seed": {"7"}, "cpus": {"2"}, "memory": {"512m"}, "timeout": {"2m"}, "no_repository": {"on"},
	}, "", "")
	id, ok := strings.CutPrefix(res.Header.Get("Location"), "/runs/")
	if res.StatusCode != http.StatusSeeOther || !ok {
		t.Fatalf("%s: %s", res.Status, res.text)
	}
	j, err := w.store.Job(t.Context(), "alpha", id)
	if err != nil {
		t.Fatal(err)
	}
	r := j.Request
	if r.Source != "npm:weather@1.0.0" || r.Profile != "safe" || len(r.Command) != 3 || r.Command[1] != "my server.js" || r.Options.Network != "allow=a.example,b.example" ||
		*r.Options.Seed != 7 || r.Options.CPUs != 2 || r.Options.Memory != "512m" || !r.Options.NoRepository || r.Options.MayAttack {
		t.Errorf("%+v", r)
	}
	if value, ok := r.Env["TOKEN"]; !ok || value != "" || len(r.Env) != 1 {
		t.Errorf("%+v", r.Env)
	}
	if c := w.claim("w"); len(c.EncryptedEnv) == 0 || bytes.Contains(c.EncryptedEnv, []byte("s3cret")) {
		t.Error("the value is not encrypted")
	}
	// The same request gives the same run, unless a new one is forced.
	fields := map[string][]string{"source": {"npm:b@1.0.0"}}
	first := w.submit(fields, "", "").Header.Get("Location")
	if again := w.submit(fields, "", "").Header.Get("Location"); again != first {
		t.Errorf("%q, then %q", first, again)
	}
	fields["force"] = []string{"on"}
	if again := w.submit(fields, "", "").Header.Get("Location"); again == first || again == "" {
		t.Errorf("%q, then %q", first, again)
	}
}

func TestSubmitArchive(t *testing.T) {
	w := newWorld(t)
	res := w.submit(map[string][]string{"source": {""}}, "server.tgz", "bytes")
	j, err := w.store.Job(t.Context(), "alpha", strings.TrimPrefix(res.Header.Get("Location"), "/runs/"))
	if err != nil {
		t.Fatalf("%s: %v", res.Status, err)
	}
	f, err := w.files.Open(t.Context(), "uploads/"+j.Request.Archive)
	if err != nil || f.Size() != 5 || j.Request.ArchiveName != "server.tgz" {
		t.Errorf("%v: %+v", err, j.Request)
	}
	_ = f.Close()
}

// A refused form is shown again as it was filled in, with the reason.
func TestSubmitRefused(t *testing.T) {
	w := newWorld(t)
	for name, tt := range map[string]struct {
		fields map[string][]string
		file   string
		want   string
	}{
		"nothing":   {map[string][]string{}, "", "Source is missing"},
		"a file":    {map[string][]string{"source": {"/etc/passwd"}}, "", "Unsupported source"},
		"private":   {map[string][]string{"source": {"http://127.0.0.1/mcp"}}, "", "private network"},
		"both":      {map[string][]string{"source": {"npm:a"}}, "a.zip", "not both"},
		"name":      {map[string][]string{"source": {""}}, "a.exe", "file name must end in"},
		"quote":     {map[string][]string{"source": {"npm:a"}, "command": {`node "x`}}, "", "unclosed quote"},
		"seed":      {map[string][]string{"source": {"npm:a"}, "seed": {"x"}}, "", "The seed must be a number"},
		"hosts":     {map[string][]string{"source": {"npm:a"}, "hosts": {"a.example"}}, "", "Hosts to allow need the network"},
		"twice":     {map[string][]string{"source": {"npm:a"}, "env_name": {"A", "A"}, "env_value": {"1", "2"}}, "", "Duplicate environment variable"},
		"detectors": {map[string][]string{"source": {"npm:a"}, "detectors": {"no-such-rule"}}, "", "no-such-rule"},
	} {
		res := w.submit(tt.fields, tt.file, "bytes")
		if res.StatusCode != http.StatusBadRequest || !strings.Contains(res.text, `role="alert"`) || !strings.Contains(res.text, tt.want) {
			t.Errorf("%s: %s: %s", name, res.Status, res.text)
		}
		if source := tt.fields["source"]; source != nil && !strings.Contains(res.text, `name="source" type="text" value="`+source[0]+`"`) {
			t.Errorf("%s: what was filled in is lost", name)
		}
	}
	if res := w.post("alpha submitter", "/runs", url.Values{"source": {"npm:a"}}); res.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("a form of another kind: %s", res.Status)
	}
	jobs, err := w.store.Jobs(t.Context(), "alpha", &store.Filter{})
	if err != nil || len(jobs) > 0 {
		t.Errorf("%v, %v", jobs, err)
	}
	files, err := w.files.List(t.Context(), "uploads")
	if err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// Pages of other sites can change nothing, whatever cookie the browser sends.
func TestCrossSite(t *testing.T) {
	w := newWorld(t)
	id := w.queue(job.Request{Source: "npm:a"})
	res := w.post("", "/sign-in", url.Values{"key": {w.keys["alpha admin"]}})
	cookie := res.Cookies()[0].String()
	for _, path := range []string{"/runs", "/runs/" + id + "/cancel", "/keys", "/keys/abcdefghijkl/revoke", "/sign-in", "/sign-out"} {
		for _, from := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
			if res := w.post("", path, url.Values{"name": {"x"}, "role": {"admin"}}, append([]string{"Cookie", cookie}, from...)...); res.StatusCode != http.StatusForbidden {
				t.Errorf("POST %s with %q: %s", path, from, res.Status)
			}
		}
	}
	if res := w.post("", "/runs/"+id+"/cancel", nil, "Cookie", cookie, "Sec-Fetch-Site", "same-origin"); res.StatusCode != http.StatusSeeOther {
		t.Errorf("our own page: %s", res.Status)
	}
	if j, err := w.store.Job(t.Context(), "alpha", id); err != nil || j.State != job.Cancelled {
		t.Errorf("%v, %v", j, err)
	}
}

// The page of a run states its result in one line.
func TestRunStates(t *testing.T) {
	w := newWorld(t)
	quarantine := func(id string) {
		c := w.claim("w")
		if c.Job.ID != id {
			t.Fatalf("claimed %s", c.Job.ID)
		}
		w.finish(c, &store.Outcome{State: job.Quarantined, Problem: &job.Problem{Code: mcpsf.CodeInternal, Message: "the assessment crashed: 3 times"}})
	}
	for _, tt := range []struct {
		state string
		want  []string
		not   string
		end   func(id string)
	}{
		{"queued", []string{"data-live", "queued", "/cancel", `http-equiv="refresh"`}, "iframe", func(string) {}},
		{"cancelled", []string{"The run was cancelled.", "/?again="}, "data-live", func(id string) {
			if _, err := w.store.Cancel(t.Context(), "alpha", id); err != nil {
				t.Fatal(err)
			}
		}},
		{"running", []string{"data-live", `value="40"`, "drive", "3 tools", "/cancel"}, "iframe", func(string) {
			w.progress(w.claim("w"), job.Progress{Percent: 40, Step: "drive", Text: "3 tools"})
		}},
		{"failed", []string{"There is no such package.", "/?again="}, "data-live", func(string) { w.finish(w.claim("w"), failedWith("there is no such package")) }},
		{"quarantined", []string{"Quarantined, not tried again: the assessment crashed: 3 times."}, "data-live", quarantine},
		{"done", []string{
			"CRITICAL", "Secret exfiltration", `<iframe class="report" sandbox="allow-scripts" src="/api/v1/jobs/`, "format=sarif", "format=markdown", "evidence.tar.zst", "/?again=",
		}, "data-live", func(string) { w.leave(w.claim("w"), thief(t)) }},
	} {
		id := w.queue(job.Request{Source: "npm:" + tt.state, Env: map[string]string{"TOKEN": ""}})
		tt.end(id)
		res := w.get("alpha submitter", "/runs/"+id)
		for _, want := range append(tt.want, "npm:"+tt.state, "TOKEN") {
			if !strings.Contains(res.text, want) {
				t.Errorf("%s: no %q in %s", tt.state, want, res.text)
			}
		}
		if strings.Contains(res.text, tt.not) {
			t.Errorf("%s: %s is there", tt.state, tt.not)
		}
		if tt.state == "queued" { // remove it from the queue
			if _, err := w.store.Cancel(t.Context(), "alpha", id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// If a report is lost, the page is still shown.
func TestLostReport(t *testing.T) {
	w := newWorld(t)
	id := w.done("npm:a", thief(t))
	if err := w.files.Remove(t.Context(), "jobs/"+id); err != nil {
		t.Fatal(err)
	}
	if res := w.get("alpha reader", "/runs/"+id); res.StatusCode != http.StatusOK || !strings.Contains(res.text, "The report cannot be read.") || strings.Contains(res.text, "<iframe") {
		t.Errorf("%s: %s", res.Status, res.text)
	}
}

func TestAgain(t *testing.T) {
	w := newWorld(t)
	seed := uint64(9)
	id := w.queue(job.Request{
		Archive: "00", ArchiveName: "a.zip", Command: []string{"node", "it's x", ""}, Env: map[string]string{"B": "", "A": ""}, Profile: "aggressive",
		Options: job.Options{Network: "allow=a.example", Seed: &seed, ScanOnly: true},
	})
	text := w.get("alpha submitter", "/?again="+id).text
	for _, want := range []string{
		"Select the file again: a.zip.", "Values of environment variables are not kept", `value="node &#39;it&#39;\&#39;&#39;s x&#39; &#39;&#39;"`, `value="aggressive" selected`,
		`name="env_name" type="text" value="A"`, `name="scan_only" checked`, `name="force" checked`, `value="9"`, `value="a.example"`, `value="allow" selected`, "<details class=\"more\" open>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestHistory(t *testing.T) {
	w := newWorld(t)
	s := thief(t)
	for i := range 55 {
		w.queue(job.Request{Source: "npm:waiting-" + string(rune('a'+i%26))})
	}
	for i := range 55 {
		c := w.claim("w")
		if i < 50 {
			w.finish(c, failedWith("no"))
			continue
		}
		w.leave(c, named(s, "weather", "1.0."+string(rune('0'+i-50)), mcpsf.BandHigh, 70))
	}
	first := w.get("alpha reader", "/history").text
	if n := strings.Count(first, `href="/runs/`); n != 50 {
		t.Errorf("%d runs on the first page", n)
	}
	next := between(first, `<a href="/history?before=`, `"`)
	second := w.get("alpha reader", "/history?before="+next).text
	if n := strings.Count(second, `href="/runs/`); n != 5 || !strings.Contains(second, ">Newest<") || strings.Contains(second, ">Older<") {
		t.Errorf("%d runs on the second page", n)
	}
	for query, want := range map[string]int{
		"state=done": 5, "band=HIGH": 5, "band=PASS": 0, "name=weather": 5, "name=weath": 0, "q=waiting-a": 3, "q=waiting-a&state=failed": 2, "q=&state=&band=&name=": 50, "q=%25": 0, "unknown=1&q=waiting-b": 3,
	} {
		res := w.get("alpha reader", "/history?"+query)
		if n := strings.Count(res.text, `href="/runs/`); n != want || res.StatusCode != http.StatusOK {
			t.Errorf("%s: %d runs, want %d", query, n, want)
		}
	}
	for _, query := range []string{"state=x", "band=x", "before=x"} {
		if res := w.get("alpha reader", "/history?"+query); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", query, res.Status)
		}
	}
	if n := strings.Count(w.get("beta reader", "/history").text, `href="/runs/`); n != 0 {
		t.Errorf("another project sees %d runs", n)
	}
}

func between(s, a, b string) string {
	_, s, _ = strings.Cut(s, a)
	s, _, _ = strings.Cut(s, b)
	return s
}

func TestCompare(t *testing.T) {
	w := newWorld(t)
	s := thief(t)
	before := w.done("npm:weather@1.0.0", honest(s, "weather", "1.0.0"))
	after := w.done("npm:weather@1.1.0", named(s, "weather", "1.1.0", mcpsf.BandCritical, 100))
	for _, runs := range []string{"run=" + after + "&run=" + before, "run=" + before + "&run=" + after} {
		if to := w.get("alpha reader", "/compare?"+runs).Header.Get("Location"); to != "/compare?new="+after+"&old="+before {
			t.Errorf("%s leads to %s", runs, to)
		}
	}
	text := w.get("alpha reader", "/compare?old="+before+"&new="+after).text
	for _, want := range []string{"npm:weather@1.0.0", "npm:weather@1.1.0", `<li class="new">`, "secret-exfiltration", "No changes."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if text := w.get("alpha reader", "/compare?old="+after+"&new="+before).text; !strings.Contains(text, `<li class="gone">`) || strings.Contains(text, `<li class="new">`) {
		t.Error("what is gone is not told")
	}
	if text := w.get("alpha reader", "/compare?old="+after+"&new="+after).text; !strings.Contains(text, "No differences.") {
		t.Error("a run differs from itself")
	}
	waits := w.queue(job.Request{Source: "npm:a"})
	for query, status := range map[string]int{
		"": 400, "old=" + before: 400, "run=" + before: 400, "run=x&run=y": 404, "old=x&new=y": 404, "old=" + before + "&new=" + job.NewID(): 404, "old=" + before + "&new=" + waits: 409,
	} {
		if res := w.get("alpha reader", "/compare?"+query); res.StatusCode != status {
			t.Errorf("%q: %s", query, res.Status)
		}
	}
	if res := w.get("beta reader", "/compare?old="+before+"&new="+after); res.StatusCode != http.StatusNotFound {
		t.Errorf("another project: %s", res.Status)
	}
}

func TestTrend(t *testing.T) {
	w := newWorld(t)
	s := thief(t)
	w.done("npm:@a/weather@1.0.0", honest(s, "@a/weather", "1.0.0"))
	w.done("npm:@a/weather@1.1.0", named(s, "@a/weather", "1.1.0", mcpsf.BandInconclusive, 0))
	w.done("npm:@a/weather@1.2.0", named(s, "@a/weather", "1.2.0", mcpsf.BandHigh, 70))
	for _, path := range []string{"/packages/@a/weather", "/packages/@a%2Fweather", "/packages/%40a%2Fweather"} {
		res := w.get("alpha reader", path)
		for _, want := range []string{`d="M20 96L100 30"`, `class="dot unsure" d="M60 100h0"`, "1.0.0", "1.2.0", "INCONCLUSIVE"} {
			if !strings.Contains(res.text, want) {
				t.Errorf("%s: no %s in %s", path, want, res.text)
			}
		}
	}
	for _, path := range []string{"/packages/", "/packages/none", "/packages/%00"} {
		if res := w.get("alpha reader", path); res.StatusCode != http.StatusNotFound && res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	if res := w.get("beta reader", "/packages/@a/weather"); res.StatusCode != http.StatusNotFound {
		t.Errorf("another project: %s", res.Status)
	}
}

func TestRules(t *testing.T) {
	w := newWorld(t)
	set, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	all := w.get("alpha reader", "/rules").text
	for _, r := range set.Rules() {
		if !strings.Contains(all, "<code>"+r.ID+"</code>") {
			t.Errorf("%s is missing", r.ID)
		}
	}
	some := w.get("alpha reader", "/rules?q=SSRF-by").text
	if n := strings.Count(some, `class="rule"`); n < 1 || n > 5 || !strings.Contains(some, "ssrf-by-header") {
		t.Errorf("%d rules", n)
	}
	if text := w.get("alpha reader", "/rules?severity=critical").text; strings.Contains(text, "<b>high</b>") || !strings.Contains(text, "<b>critical</b>") {
		t.Error("others than the critical ones")
	}
	if text := w.get("alpha reader", "/rules?q=CWE-200").text; !strings.Contains(text, "CWE-200") {
		t.Error("ids are not found")
	}
	if text := w.get("alpha reader", "/rules?q=nosuchthing").text; !strings.Contains(text, "No matching rules.") {
		t.Error(text)
	}
}

func TestKeys(t *testing.T) {
	w := newWorld(t)
	res := w.post("alpha admin", "/keys", url.Values{"name": {"build"}, "role": {"submitter"}})
	secret := between(res.text, `<code id="secret">`, "<")
	if res.StatusCode != http.StatusCreated || !strings.HasPrefix(secret, "mcpsf_") || res.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%s: %s", res.Status, res.text)
	}
	w.keys["made"] = secret
	if res := w.get("made", "/"); res.StatusCode != http.StatusOK || !strings.Contains(res.text, "<b>build</b>") {
		t.Errorf("the key does not open: %s", res.Status)
	}
	if text := w.get("alpha admin", "/keys").text; strings.Contains(text, secret[20:]) || !strings.Contains(text, "build") {
		t.Error("the key is shown twice, or not at all")
	}
	if res := w.post("alpha admin", "/keys", url.Values{"name": {""}, "role": {"root"}}); res.StatusCode != http.StatusBadRequest || !strings.Contains(res.text, `role="alert"`) {
		t.Errorf("%s", res.Status)
	}
	id := secret[6:18]
	if res := w.post("beta admin", "/keys/"+id+"/revoke", nil); res.StatusCode != http.StatusNotFound {
		t.Errorf("another project revokes: %s", res.Status)
	}
	if res := w.post("alpha admin", "/keys/"+id+"/revoke", nil); res.StatusCode != http.StatusSeeOther {
		t.Errorf("%s", res.Status)
	}
	if res := w.get("made", "/"); res.StatusCode != http.StatusSeeOther {
		t.Errorf("a revoked key: %s", res.Status)
	}
	if text := w.get("alpha admin", "/keys").text; !strings.Contains(text, `<tr class="over">`) {
		t.Error("nothing tells that it is over")
	}
}

// Many clients watch the queue; what they see is at most a moment old.
func TestQueue(t *testing.T) {
	w := newWorld(t)
	for range 35 {
		w.queue(job.Request{Source: "npm:waits"})
	}
	text := w.get("alpha reader", "/").text
	if n := strings.Count(text, "npm:waits"); n != 30 || strings.Contains(text, `id="waiting-more" hidden`) {
		t.Errorf("%d wait", n)
	}
	if text := w.get("beta reader", "/").text; strings.Contains(text, "npm:waits") {
		t.Error("another project's queue is shown")
	}
	w.progress(w.claim("w"), job.Progress{Percent: 7, Step: "install"})
	for until := time.Now().Add(time.Minute); !strings.Contains(w.get("alpha reader", "/").text, "install"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("what runs is never shown")
		}
	}
}
