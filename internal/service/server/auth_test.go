package server

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

func TestKeys(t *testing.T) {
	each(t, func(w *world) {
		var made struct {
			job.Key

			Secret string
		}
		res := w.ask("alpha admin", "POST", "/api/v1/keys", map[string]string{"name": "CI <b>", "role": "submitter"})
		res.into(t, &made)
		if res.StatusCode != http.StatusCreated || made.Project != "alpha" || made.Role != job.Submitter || !strings.Contains(made.Secret, made.ID) {
			t.Fatalf("%s: %s", res.Status, res.text)
		}
		w.keys["made"] = made.Secret
		if res := w.ask("made", "POST", "/api/v1/assess", source("npm:a")); res.StatusCode != http.StatusAccepted {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		var list struct{ Keys []job.Key }
		res = w.ask("alpha admin", "GET", "/api/v1/keys", nil)
		res.into(t, &list)
		if len(list.Keys) != 4 || strings.Contains(string(res.text), made.Secret[18:]) {
			t.Errorf("%s", res.text)
		}
		if used := list.Keys[len(list.Keys)-1].Used; used == nil {
			t.Error("a key that was used is not known to be")
		}
		// Keys of other projects do not exist for this one.
		for _, id := range []string{w.ids["beta reader"], "nosuchkey123", "x", "..", "%00"} {
			if res := w.ask("alpha admin", "DELETE", "/api/v1/keys/"+id, nil); res.StatusCode != http.StatusNotFound {
				t.Errorf("%q: %s", id, res.Status)
			}
		}
		if res := w.ask("beta reader", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusOK {
			t.Errorf("another project's key was revoked: %s", res.Status)
		}
		if res := w.ask("alpha admin", "DELETE", "/api/v1/keys/"+made.ID, nil); res.StatusCode != http.StatusNoContent {
			t.Errorf("%s: %s", res.Status, res.text)
		}
		if res := w.ask("made", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("a revoked key: %s", res.Status)
		}
		for body, status := range map[string]int{
			`{}`: 400, `{"name":"","role":"reader"}`: 400, `{"name":"x","role":"root"}`: 400, `{"name":"a\u0000","role":"reader"}`: 400, `{"name":"a\u202e","role":"reader"}`: 400,
			`{"name":"x","role":"reader","project":"beta"}`: 400, `{"name":"` + longText(101) + `","role":"reader"}`: 400,
		} {
			if res := w.ask("alpha admin", "POST", "/api/v1/keys", body); res.StatusCode != status {
				t.Errorf("%s: %s", body, res.Status)
			}
		}
	})
}

func TestRoles(t *testing.T) {
	each(t, func(w *world) {
		for _, tt := range []struct {
			method, path string
			body         any
			need         job.Role
		}{
			{"GET", "/api/v1/jobs", nil, job.Reader}, {"GET", "/api/v1/rules", nil, job.Reader}, {"GET", "/api/v1/packages/x/trend", nil, job.Reader},
			{"POST", "/api/v1/assess", source("npm:a"), job.Submitter},
			{"GET", "/api/v1/keys", nil, job.Admin}, {"POST", "/api/v1/keys", map[string]string{"name": "x", "role": "reader"}, job.Admin},
		} {
			for _, role := range job.Roles() {
				res := w.ask("alpha "+string(role), tt.method, tt.path, tt.body)
				if allowed := res.StatusCode < 300; allowed != May(role, tt.need) || !allowed && res.StatusCode != http.StatusForbidden {
					t.Errorf("%s %s as %s: %s", tt.method, tt.path, role, res.Status)
				}
			}
		}
	})
	if May("", job.Reader) || May("root", job.Reader) {
		t.Error("who has no role may read")
	}
}

func TestWrongKeys(t *testing.T) {
	tweak := func(_ *Server, o *Options) { o.Limits.SignIns = 1000 }
	eachWith(t, tweak, func(w *world) {
		good := w.keys["alpha reader"]
		other := w.keys["alpha admin"]
		for _, value := range []string{
			"Bearer", "Bearer ", "Bearer x", "Basic " + good, good, "Bearer " + good + "a", "Bearer " + good[:len(good)-1], "Bearer " + strings.ToUpper(good),
			"Bearer mcpsf_" + strings.Repeat("a", 12) + "_" + strings.Repeat("a", 52), "Bearer " + good[:19] + other[19:], "Bearer " + strings.Repeat("x", 10_000),
			"Bearer mcpsf__", "Bearer mcpsf_' OR 1=1_", "Bearer " + good + " " + good, "Bearer \x7f",
		} {
			req := w.request("", "GET", "/api/v1/jobs", nil)
			req.Header["Authorization"] = []string{value}
			if strings.Contains(value, "\x7f") {
				continue // no client can send it
			}
			res, err := w.client.Do(req)
			if err != nil {
				t.Fatalf("%q: %v", value, err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusUnauthorized || res.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%q: %s", value, res.Status)
			}
		}
		for _, value := range []string{"Bearer " + good, "bearer " + good, "Bearer  " + good} {
			if res := w.ask("", "GET", "/api/v1/jobs", nil, header{"Authorization", value}); res.StatusCode != http.StatusOK {
				t.Errorf("%q: %s", value, res.Status)
			}
		}
		if res := w.ask("", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("no key: %s", res.Status)
		}
	})
}

func TestGuessing(t *testing.T) {
	now := time.Now()
	clock := func(_ *Server, o *Options) {
		o.Limits.SignIns = 5
		o.Now = func() time.Time { return now }
	}
	eachWith(t, clock, func(w *world) {
		if res := w.ask("alpha reader", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusOK {
			t.Fatal(res.Status)
		}
		guess := func() *reply {
			_, text, _ := NewKey("alpha", "", job.Admin)
			return w.ask("", "GET", "/api/v1/jobs", nil, header{"Authorization", "Bearer " + text})
		}
		for i := range 5 {
			if res := guess(); res.StatusCode != http.StatusUnauthorized {
				t.Errorf("guess %d: %s", i, res.Status)
			}
		}
		if res := guess(); res.problem() != "too-many-sign-ins" || res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
			t.Errorf("one guess too many: %s", res.Status)
		}
		// A correct guess does not help now; but a key that was used before is
		// not locked out by others.
		if res := w.ask("alpha admin", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusTooManyRequests {
			t.Errorf("a right guess: %s", res.Status)
		}
		if res := w.ask("alpha reader", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusOK {
			t.Errorf("somebody else at the same address: %s", res.Status)
		}
		if res := w.ask("", "GET", "/healthz", nil); res.StatusCode != http.StatusOK {
			t.Error(res.Status)
		}
		if err := w.store.RevokeKey(t.Context(), "alpha", w.ids["alpha reader"]); err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{http.StatusUnauthorized, http.StatusTooManyRequests} {
			if res := w.ask("alpha reader", "GET", "/api/v1/jobs", nil); res.StatusCode != want {
				t.Errorf("a key that was right, %d: %s", i, res.Status)
			}
		}
		now = now.Add(time.Minute)
		if res := w.ask("alpha admin", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusOK {
			t.Errorf("a minute later: %s", res.Status)
		}
	})
}

func TestSession(t *testing.T) {
	now := time.Now()
	clock := func(s *Server, o *Options) {
		o.Now = func() time.Time { return now }
		if s == nil {
			return
		}
		s.Mount("POST /sign-in", func(w http.ResponseWriter, r *http.Request, k *job.Key) {
			if k != nil {
				w.WriteHeader(http.StatusConflict)
				return
			}
			k, err := s.Sessions.SignIn(w, r, r.FormValue("key"))
			if err != nil {
				http.Error(w, err.Error(), http.StatusUnauthorized)
				return
			}
			_, _ = w.Write([]byte(k.Project))
		})
		s.Mount("POST /sign-out", func(w http.ResponseWriter, r *http.Request, _ *job.Key) { s.Sessions.SignOut(w, r) })
	}
	eachWith(t, clock, func(w *world) {
		w.client.Transport = w.client.Transport.(*checker).to // pages are not in the document
		sign := func(key string, headers ...header) *reply {
			return w.ask("", "POST", "/sign-in", "key="+key, append(headers, header{"Content-Type", "application/x-www-form-urlencoded"})...)
		}
		if res := sign("wrong"); res.StatusCode != http.StatusUnauthorized || len(res.Cookies()) > 0 {
			t.Errorf("%s", res.Status)
		}
		res := sign(w.keys["alpha submitter"])
		if len(res.Cookies()) != 1 || string(res.text) != "alpha" {
			t.Fatalf("%s: %s", res.Status, res.text)
		}
		c := res.Cookies()[0]
		if c.Name != "mcpsf_session" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Path != "/" || strings.Contains(c.Value, w.keys["alpha submitter"][19:]) {
			t.Errorf("%+v", c)
		}
		if res := sign(w.keys["alpha submitter"], header{"X-Forwarded-Proto", "https"}); res.Cookies()[0].Secure {
			t.Error("anybody is believed to speak TLS")
		}
		cookie := header{"Cookie", c.Name + "=" + c.Value}
		if res := w.ask("", "GET", "/api/v1/jobs", nil, cookie); res.StatusCode != http.StatusOK {
			t.Errorf("%s", res.Status)
		}
		if res := sign("x", cookie); res.StatusCode != http.StatusConflict {
			t.Errorf("a page is not told whose request it is: %s", res.Status)
		}
		if res := w.ask("", "GET", "/api/v1/keys", nil, cookie); res.StatusCode != http.StatusForbidden {
			t.Errorf("the session may more than its key: %s", res.Status)
		}
		if res := w.ask("", "GET", "/api/v1/jobs", nil, cookie, header{"Authorization", "Basic eDp5"}); res.StatusCode != http.StatusOK {
			t.Errorf("with the password of a proxy: %s", res.Status)
		}
		testCrossSite(w, cookie)
		for _, bad := range []string{"", "x", "..", c.Value + "x", c.Value[1:], "a" + c.Value, strings.Replace(c.Value, ".", ".9", 1), c.Value[:len(c.Value)-2], longText(5000)} {
			if res := w.ask("", "GET", "/api/v1/jobs", nil, header{"Cookie", c.Name + "=" + bad}); res.StatusCode != http.StatusUnauthorized {
				t.Errorf("%q: %s", bad, res.Status)
			}
		}
		if res := w.ask("", "POST", "/sign-out", "", cookie); len(res.Cookies()) != 1 || res.Cookies()[0].MaxAge >= 0 {
			t.Errorf("%v", res.Cookies())
		}
		now = now.Add(sessionDuration)
		if res := w.ask("", "GET", "/api/v1/jobs", nil, cookie); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("after its time: %s", res.Status)
		}
		now = now.Add(-time.Hour)
		if err := w.store.RevokeKey(t.Context(), "alpha", w.ids["alpha submitter"]); err != nil {
			t.Fatal(err)
		}
		if res := w.ask("", "GET", "/api/v1/jobs", nil, cookie); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("of a revoked key: %s", res.Status)
		}
	})
}

// Pages of other sites cannot change anything with a user's session.
func testCrossSite(w *world, cookie header) {
	w.Helper()
	for name, headers := range map[string][]header{
		"cross-site": {{"Sec-Fetch-Site", "cross-site"}}, "same-site": {{"Sec-Fetch-Site", "same-site"}},
		"a password": {{"Sec-Fetch-Site", "cross-site"}, {"Authorization", "Basic eDp5"}},
		"an origin":  {{"Origin", "https://evil.example"}}, "no origin": {{"Origin", "null"}},
	} {
		for _, ask := range []struct{ method, path string }{{"POST", "/api/v1/assess"}, {"DELETE", "/api/v1/jobs/" + job.NewID()}, {"POST", "/sign-in"}} {
			res := w.ask("", ask.method, ask.path, source("npm:evil"), append(headers, cookie)...)
			if res.StatusCode != http.StatusForbidden || res.problem() != "cross-site" {
				w.Errorf("%s: %s %s: %s", name, ask.method, ask.path, res.Status)
			}
		}
	}
	for name, headers := range map[string][]header{
		"the page itself": {{"Sec-Fetch-Site", "same-origin"}}, "a user": {{"Sec-Fetch-Site", "none"}}, "its origin": {{"Origin", w.at.URL}}, "a program": nil,
	} {
		if res := w.ask("", "POST", "/api/v1/assess", source("npm:a"), append(headers, cookie)...); res.StatusCode != http.StatusAccepted {
			w.Errorf("%s: %s: %s", name, res.Status, res.text)
		}
	}
}
