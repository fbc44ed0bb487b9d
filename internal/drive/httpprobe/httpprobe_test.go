package httpprobe

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestReadLearnsRoutesAndNames(t *testing.T) {
	for name, tt := range map[string]struct {
		text         string
		paths, names []string
	}{
		"express": {
			"app.get(\"/sse\", async (req, res) => { const query = req.query; if (query.transportType === 'stdio') run(query.command); });",
			[]string{"/sse"}, []string{"transportType", "command"},
		},
		"unpacked":   {`router.post('/api/start/:id', async (req, res) => { const { program, args = [] } = req.body;`, []string{"/api/start/1"}, []string{"program", "args"}},
		"flask":      {`@app.route("/launch")` + "\ndef launch():\n    return run(request.args.get('cmd'), request.args['mode'])", []string{"/launch"}, []string{"cmd", "mode"}},
		"by hand":    {`if (url.pathname === "/open") { spawn(url.searchParams.get("app")) }`, []string{"/open"}, []string{"app"}},
		"in Python":  {`if self.path.startswith("/run"):` + "\n    qs.get('program')", []string{"/run"}, []string{"program"}},
		"a page":     {`<a href="/files/list">x</a><form action='/save'>`, []string{"/files/list", "/save"}, nil},
		"a template": {"fetch(`${base}/config?x=${y}`)", []string{"/config"}, nil},
		"a disk":     {`open("/etc/passwd"); open("/usr/bin/env"); href="/a.png"; document.querySelectorAll("x")`, nil, nil},
	} {
		var l Learned
		l.Read(tt.text)
		for _, want := range tt.paths {
			if !slices.Contains(l.Ask(1000), want) {
				t.Errorf("%s: %q lacks %q", name, l.Paths, want)
			}
		}
		for _, want := range tt.names {
			if !slices.Contains(l.Names, want) {
				t.Errorf("%s: %q lacks %q", name, l.Names, want)
			}
		}
		if tt.paths == nil && len(l.Paths)+len(l.Guesses)+len(l.Names) > 0 {
			t.Errorf("%s: learned %q, %q", name, l.Paths, l.Names)
		}
	}
}

func TestLearnedIsBounded(t *testing.T) {
	var l Learned
	var b strings.Builder
	for i := range 5000 {
		b.WriteString(`app.get("/p` + strings.Repeat("x", i%70) + `/` + string(rune('a'+i%26)) + `") query.n` + strings.Repeat("y", i%29) + ";")
	}
	l.Read(b.String())
	if len(l.Paths) > maxPaths || len(l.Names) > maxNames || len(l.Ask(20)) != 20 {
		t.Errorf("%d paths, %d names", len(l.Paths), len(l.Names))
	}
}

func TestRequestBearsWhatItAimsAt(t *testing.T) {
	names := []string{"command", "args", "env", "transportType", "file", "url", "q", "config"}
	for _, tt := range []struct {
		kind  Kind
		where string
		want  string
	}{
		{Program, "command", "mcx"}, {Shell, "q", "example$(mcx)'$(mcx)'"}, {File, "file", "mcx"}, {Address, "url", "mcx"},
	} {
		payload := Payload{Kind: tt.kind, Word: "mcx"}
		r := Request{Method: http.MethodGet, Path: "/x", Names: payload.Fitting(names), Payload: payload}
		if !payload.Bears(r.Names) || payload.Bears([]string{"args"}) {
			t.Errorf("%v: bears what it should not, or not what it should", tt.kind)
		}
		at, err := url.Parse(r.Target())
		if err != nil || at.Query().Get(tt.where) != tt.want || at.Query().Get("args") != "[]" && tt.kind != Address {
			t.Errorf("%v: %s, %v", tt.kind, r.Target(), err)
		}
		r.Method = http.MethodPost
		var body map[string]any
		if err := json.Unmarshal(r.Body(), &body); err != nil || body[tt.where] != tt.want {
			t.Errorf("%v: %s, %v", tt.kind, r.Body(), err)
		}
		if inner, ok := body["config"].(map[string]any); !ok || inner[tt.where] != tt.want || inner["config"] != nil {
			t.Errorf("%v: %s holds nothing", tt.kind, r.Body())
		}
	}
}

func TestPageSendsWhatBrowsersSend(t *testing.T) {
	get := Request{Method: http.MethodGet, Path: "/", Page: true}
	if h := get.Header(); h.Get("Origin") != "" || h.Get("Sec-Fetch-Site") != "cross-site" {
		t.Errorf("an image: %v", h)
	}
	post := Request{Method: http.MethodPost, Path: "/", Page: true}
	if h := post.Header(); h.Get("Origin") == "" || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
		t.Errorf("a form: %v", h)
	}
	post.Page = false
	if h := post.Header(); h.Get("Origin") != "" || h.Get("Content-Type") != "application/json" || h.Get("Authorization")+h.Get("Cookie") != "" {
		t.Errorf("a program: %v", h)
	}
	allowed := http.Header{"Access-Control-Allow-Origin": {"*"}, "Access-Control-Allow-Headers": {"Content-Type"}}
	if !Permits(204, allowed) || Permits(403, allowed) || Permits(204, http.Header{"Access-Control-Allow-Origin": {"https://own.example"}, "Access-Control-Allow-Headers": {"*"}}) {
		t.Error("permission is read wrongly")
	}
}

func TestHeadersForLeadsElsewhere(t *testing.T) {
	var l Learned
	l.Read(`url = headers.get(b"X-Desk-Url"); token = headers.get("x-desk-personal-token"); host = headers.get("x-forwarded-host"); headers.get("x-api-key")`)
	h := l.HeadersFor("http://127.1.2.3/")
	if h.Get("X-Desk-Url") != "http://127.1.2.3/" || h.Get("X-Desk-Personal-Token") == "" || h.Get("X-Forwarded-Host")+h.Get("X-Api-Key") != "" {
		t.Errorf("it wears %v", h)
	}
	var none Learned
	none.Read(`headers.get("x-desk-personal-token")`)
	if none.HeadersFor("http://127.1.2.3/") != nil {
		t.Error("a token alone leads nowhere")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("app.get('/x', (req) => req.query.y)")
	f.Add("{{{{}}}} = req.body /:{<>}")
	f.Fuzz(func(t *testing.T, text string) {
		var l Learned
		l.Read(text)
		for _, p := range l.Ask(1000) {
			if !strings.HasPrefix(p, "/") || strings.ContainsAny(p, "\r\n ?#") {
				t.Errorf("%q cannot be asked for", p)
			}
		}
	})
}
