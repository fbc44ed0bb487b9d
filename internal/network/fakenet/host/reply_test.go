package host

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"debug/pe"
	"encoding/json"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// asked is the reply to a request that is written as "METHOD URL", with headers
// as "Name: value" and a body after an empty string.
func asked(t testing.TB, h *Host, line string, rest ...string) (*services.Answer, []Observation) {
	t.Helper()
	var told []Observation
	method, address, _ := strings.Cut(line, " ")
	u := mustURL(t, address)
	s := &web{session: &session{h: h, tls: u.Scheme == "https", port: 443, v: &Visit{
		To: netip.MustParseAddrPort("192.0.2.80:443"), Tell: func(o Observation) { told = append(told, o) },
	}}}
	r := &request{Request: services.Request{Method: method, Target: u.RequestURI(), Host: u.Host, Version: "1.1"}}
	for i, f := range rest {
		if f == "" {
			r.body = s.newIntake(nil)
			r.body.take([]byte(rest[i+1]))
			break
		}
		name, value, _ := strings.Cut(f, ": ")
		r.Fields = append(r.Fields, services.Field{Name: name, Value: value})
	}
	s.locate(r)
	return s.finish(r, s.answer(r)), told
}

func TestReplies(t *testing.T) {
	h := New(testOptions(t))
	for _, tt := range []struct {
		ask  string
		rest []string
		code int
		kind string
		has  string
	}{
		{"GET https://servicereference.us-east-1.amazonaws.com/", nil, 200, "application/json", `"service":"s3","url":"https://servicereference.us-east-1.amazonaws.com/v1/s3/s3.json"`},
		{"GET https://servicereference.us-east-1.amazonaws.com/v1/s3/s3.json", nil, 200, "application/json", `"IsList":true`},
		{"GET https://huggingface.co/api/spaces/some.One/FLUX.1-x/host", nil, 200, "application/json", `"host":"https://some-one-flux-1-x.hf.space"`},
		{"GET https://some-one-flux-1-x.hf.space/config", nil, 200, "application/json", `"api_name":"predict"`},
		{"GET https://some-one-flux-1-x.hf.space/gradio_api/info", nil, 200, "application/json", `"/predict":{"parameters"`},
		{"GET https://html.duckduckgo.com/html/?q=x", []string{"Accept: text/html"}, 200, "text/html", `class="result__snippet"`},
		{"GET https://links.duckduckgo.com/d.js?q=x", nil, 200, "application/javascript", "DDG.pageLayout.load('d',"},
		{"GET https://www.youtube.com/watch?v=x", nil, 200, "text/html", `"captionTracks":[{"baseUrl":`},
		{"GET https://www.youtube.com/api/timedtext?v=x", nil, 200, "text/xml", "<transcript>"},
		{"GET https://search.example/_cat/indices?format=json", []string{"Accept: application/vnd.elasticsearch+json; compatible-with=8"}, 200, "application/json", `"index":`},
		{"GET https://api.example/users", nil, 200, "application/json", `[{"count":`},
		{"GET https://api.example/users?page=2", nil, 200, "application/json", `[]`},
		{"GET https://api.example/users/17", nil, 200, "application/json", `"created_at":"`},
		{"GET https://a.example/status", nil, 200, "application/json", `"id":`},
		{"POST https://api.example/users", []string{"", "{}"}, 201, "application/json", `"id":`},
		{"POST https://a.example/collect", []string{"", "x"}, 200, "application/json", `"ok":true`},
		{"PUT https://a.example/file", nil, 200, "application/json", `"ok":true`},
		{"DELETE https://a.example/users/1", nil, 204, "", ""},
		{"GET https://a.example/", nil, 200, "text/html", "<!doctype html>"},
		{"GET https://a.example/about", []string{"Accept: text/html,*/*"}, 200, "text/html", "<!doctype html>"},
		{"GET https://api.example/", nil, 200, "application/json", "{"},
		{"GET https://a.example/robots.txt", nil, 404, "text/html", "404"},
		{"GET https://a.example/favicon.ico", nil, 200, "image/x-icon", ""},
		{"GET https://a.example/.well-known/openid-configuration", nil, 200, "application/json", `"token_endpoint":"https://a.example/oauth/token"`},
		{"GET https://a.example/.well-known/security.txt", nil, 404, "text/html", "404"},
		{"POST https://auth.example/oauth/token", []string{"", "grant_type=x"}, 200, "application/json", `"access_token":"ya29.`},
		{"POST https://a.example/graphql", []string{"", `{"query":"{a}"}`}, 200, "application/json", `{"data":{"a":"`},
		{"POST https://slack.com/api/chat.postMessage", []string{"", "{}"}, 200, "application/json", `"ok":true`},
		{"POST https://hooks.slack.example/services/a", []string{"", "{}"}, 200, "text/plain", "ok"},
		{"POST https://api.telegram.example/bot1:a/sendMessage", []string{"", "{}"}, 200, "application/json", `"message_id":`},
		{"POST https://chat.example/api/webhooks/1/a", []string{"", "{}"}, 204, "", ""},
		{"POST https://llm.example/v1/chat/completions", []string{"", "{}"}, 200, "application/json", `"role":"assistant"`},
		{"POST https://llm.example/v1/chat/completions", []string{"", `{"stream": true}`}, 200, "text/event-stream", "data: [DONE]\n\n"},
		{"POST https://llm.example/v1/messages", []string{"", "{}"}, 200, "application/json", `"stop_reason":"end_turn"`},
		{"POST https://llm.example/v1/messages", []string{"", `{"stream":true}`}, 200, "text/event-stream", "event: message_stop\n"},
		{"POST https://llm.example/v1/embeddings", []string{"", "{}"}, 200, "application/json", `"embedding":[`},
		{"POST https://llm.example/v1/responses", []string{"", "{}"}, 200, "application/json", `"output_text"`},
		{"POST https://llm.example/v1beta/models/g:generateContent", []string{"", "{}"}, 200, "application/json", `"candidates"`},
		{"GET https://llm.example/v1/models", nil, 200, "application/json", `"object":"list"`},
		{"GET https://api.github.com/user", nil, 200, "application/json", `"login":`},
		{"GET https://api.github.com/repos/a/b", nil, 200, "application/json", `"default_branch":"main"`},
		{"GET https://api.github.com/repos/a/b/issues", nil, 200, "application/json", `"labels_url":`},
		{"POST https://api.github.com/repos/a/b/issues", []string{"", "{}"}, 201, "application/json", `"html_url":`},
		{"POST https://api.notion.com/v1/search", []string{"", "{}"}, 200, "application/json", `"has_more":false`},
		{"GET https://api.weather.example/forecast?city=Oslo", nil, 200, "application/json", `"temp":`},
		{"GET https://api.ipify.example/?format=json", nil, 200, "application/json", `{"ip":"203.0.113.`},
		{"GET https://ifconfig.example/", nil, 200, "text/plain", "203.0.113."},
		{"GET https://registry.npmjs.example/left-pad", nil, 200, "application/json", `"integrity":"sha512-`},
		{"GET https://registry.npmjs.example/..%2f..%2fx", nil, 404, "application/json", `"error"`},
		{"GET https://pypi.example/simple/requests/", nil, 200, "text/html", "pypi:repository-version"},
		{"GET https://pypi.example/pypi/x/json", nil, 404, "application/json", "Not Found"},
		{"OPTIONS https://a.example/x", []string{"Origin: https://b.example"}, 204, "", ""},
		{"BREW https://a.example/x", nil, 405, "application/json", "error"},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			a, told := asked(t, h, tt.ask, tt.rest...)
			if a.Status != tt.code || !strings.HasPrefix(a.Kind(), tt.kind) || !strings.Contains(string(a.Body), tt.has) {
				t.Errorf("%d %s %.300q", a.Status, a.Kind(), a.Body)
			}
			if strings.HasPrefix(a.Kind(), "application/json") && !json.Valid(a.Body) {
				t.Error("not valid JSON")
			}
			if len(told) != 0 {
				t.Errorf("told: %+v", told)
			}
			again, _ := asked(t, New(testOptions(t)), tt.ask, tt.rest...)
			if diff := cmp.Diff(a.Shown, again.Shown); diff != "" {
				t.Errorf("another reply for the same seed: %s", diff)
			}
		})
	}
}

func TestSeedMatters(t *testing.T) {
	o := testOptions(t)
	one, _ := asked(t, New(o), "GET https://api.example/users/1")
	o.Seed++
	two, _ := asked(t, New(o), "GET https://api.example/users/1")
	if bytes.Equal(one.Body, two.Body) {
		t.Error("the seed does not matter")
	}
}

// TestNoEcho sends a secret in every place of a request.
func TestNoEcho(t *testing.T) {
	h := New(testOptions(t))
	for _, address := range []string{
		"https://a.example/SECRET", "https://api.example/users/SECRET", "https://a.example/x?q=SECRET", "https://a.example/SECRET.png",
		"https://api.github.com/users/SECRET", "https://a.example/SECRET/info/refs", "https://a.example/weather/SECRET", "http://169.254.169.254/latest/SECRET",
		"https://pypi.example/simple/SECRET/", "https://a.example/SECRET.zip",
	} {
		for _, method := range []string{"GET", "POST", "PUT", "OPTIONS"} {
			a, _ := asked(t, h, method+" "+address, "User-Agent: SECRET", "Accept: */*, SECRET", "Origin: SECRET", "Range: bytes=SECRET", "", "SECRET")
			all := string(a.Body)
			for _, f := range a.Fields {
				all += f.Name + f.Value
			}
			if strings.Contains(all, "SECRET") {
				t.Errorf("%s %s: %s", method, address, all)
			}
		}
	}
}

func TestScripts(t *testing.T) {
	h := New(testOptions(t))
	for _, tt := range []struct{ address, agent, accept, want string }{
		{"https://a.example/x/setup.sh", "", "", "text/x-sh"},
		{"https://a.example/x/a.PS1", "", "", "text/plain"},
		{"https://a.example/a.py?v=1", "", "", "text/x-python"},
		{"https://a.example/a.js", "node", "", "application/javascript"},
		{"https://a.example/a.mjs", "axios/1.7", "application/json, text/plain, */*", "application/javascript"},
		{"https://a.example/a.js", "Mozilla/5.0", "text/html,*/*", "application/javascript"},
		{"https://raw.githubusercontent.com/a/b/main/x.py", "node", "*/*", "text/x-python"},
		{"https://gist.githubusercontent.com/a/0123/raw", "python-urllib/3.11", "", "text/x-python"},
		{"https://gist.githubusercontent.com/a/0123/raw/4567/x.sh", "curl/8.1", "*/*", "text/x-sh"},
		{"https://a.example/install", "curl/8.1", "*/*", "text/x-sh"},
		{"https://deb.a.example/setup_20.x", "curl/8.1", "*/*", "text/x-sh"},
		{"https://get.a.example/", "Wget/1.2", "*/*", "text/x-sh"},
		{"https://evil.sh/", "curl/8.1", "*/*", "text/x-sh"},
		{"https://paste.example/raw/abc", "python-requests/2", "*/*", "text/x-python"},
		{"https://paste.example/raw/abc", "axios/1.7", "application/json, text/plain, */*", "application/javascript"},
		{"https://paste.example/raw/abc", "", "", "application/javascript"},
		{"https://a.example/get.php?file=stage2.sh", "curl/8.1", "*/*", "text/x-sh"},
		{"https://a.example/install", "Mozilla/5.0 WindowsPowerShell/5.1", "", "text/plain"},
		{"https://api.evil.example/stage2.sh", "curl/8.1", "*/*", "text/x-sh"},
		{"https://api.github.com/repos/a/b/contents/x.py", "node", "application/vnd.github.v3.raw", "text/x-python"},

		{"https://api.github.com/repos/a/b/contents/x.py", "node", "*/*", ""},
		{"https://api.github.com/repos/a/b/contents/x.py", "octokit", "application/vnd.github.v3+json", ""},
		{"https://git.example/api/v4/projects/1/repository/files/x.py", "node", "*/*", ""},
		{"https://api.npms.example/v2/package/chart.js", "node", "*/*", ""},
		{"https://registry.npmjs.example/chart.js", "node", "*/*", ""},
		{"https://a.example/api/size?file=chart.js", "node", "*/*", ""},
		{"https://a.example/a.py", "node", "application/json", ""},
		{"https://paste.example/raw/config.json", "node", "*/*", ""},
		{"https://paste.example/raw/abc", "node", "application/json", ""},
		{"https://a.example/", "curl/8.1", "*/*", ""},
		{"https://api.example/init", "node", "application/json", ""},
		{"https://a.example/v1/update", "node", "*/*", ""},
		{"https://a.example/run", "axios/1.7", "application/json, text/plain, */*", ""},
		{"https://a.example/update", "", "", ""},
		{"https://a.example/install", "Mozilla/5.0", "*/*", ""},
		{"https://a.example/api/config", "node", "*/*", ""},
	} {
		a, _ := asked(t, h, "GET "+tt.address, "User-Agent: "+tt.agent, "Accept: "+tt.accept)
		ours := strings.Contains(string(a.Shown), "/v1/version/")
		if ours != (tt.want != "") || ours && !strings.HasPrefix(a.Kind(), tt.want) {
			t.Errorf("%s: %s %.60q", tt.address, a.Kind(), a.Shown)
		}
		if head, _ := asked(t, h, "HEAD "+tt.address, "User-Agent: "+tt.agent, "Accept: "+tt.accept); !bytes.Equal(head.Shown, a.Shown) {
			t.Errorf("HEAD %s is about something else", tt.address)
		}
	}
	a, _ := asked(t, h, "GET https://a.example/a.js", "Sec-Fetch-Dest: script")
	if strings.Contains(string(a.Body), "/v1/version/") {
		t.Error("a page's script is taken for one that was fetched to be run")
	}
}

// TestReports runs a fetched script and makes the request that it makes.
func TestReports(t *testing.T) {
	w := start(t, nil, "localhost", 0) // the script reports to the host that served it
	out, err := w.tool(t, "", "sh", "-c", "curl -fsS --noproxy '*' https://localhost:$PORT/x/install.sh > s.sh && CURL_CA_BUNDLE=$CA sh s.sh")
	if err != nil || out != "" {
		t.Fatalf("%v: %s", err, out)
	}
	w.end(t, 2)
	want := &mcpsf.ExecProofDetail{What: mcpsf.ExecProofScript, Source: "https://localhost:" + w.port() + "/x/install.sh", Detail: "sh"}
	if diff := cmp.Diff([]*mcpsf.ExecProofDetail{want}, w.hits()); diff != "" {
		t.Error(diff)
	}
}

// TestReportsByName has clients that can only look up names.
func TestReportsByName(t *testing.T) {
	h := New(testOptions(t))
	a, _ := asked(t, h, "GET https://a.example/x.sh")
	found := regexp.MustCompile(`_v=\$\(\( (\d+) \* (\d+)`).FindStringSubmatch(string(a.Shown))
	if found == nil {
		t.Fatalf("no numbers in %s", a.Shown)
	}
	one, _ := strconv.Atoi(found[1])
	two, _ := strconv.Atoi(found[2])
	name := "v" + strconv.Itoa(one*two) + ".a.example"
	want := &mcpsf.ExecProofDetail{What: mcpsf.ExecProofScript, Source: "https://a.example/x.sh", Detail: "sh"}
	if diff := cmp.Diff(want, h.Reported(name)); diff != "" {
		t.Error(diff)
	}
	_, told := asked(t, h, "GET https://dns.example/resolve?name="+name)
	if len(told) != 2 || told[1].ExecProof == nil {
		t.Errorf("over HTTPS: %+v", told)
	}
	if h.Reported("v1.a.example") != nil {
		t.Error("anything is a report")
	}
}

func TestDownloads(t *testing.T) {
	h := New(testOptions(t))
	body := func(name string) []byte {
		a, _ := asked(t, h, "GET https://dl.example/v1/"+name)
		if a.Status != 200 {
			t.Errorf("%s: %d", name, a.Status)
		}
		return a.Body
	}
	for _, name := range []string{"a.png", "a.gif", "a.jpg", "a.JPEG"} {
		if _, _, err := image.Decode(bytes.NewReader(body(name))); err != nil {
			t.Error(name, err)
		}
	}
	for _, name := range []string{"a.zip", "a-1.0-py3-none-any.whl", "a.jar"} {
		p := body(name)
		if z, err := zip.NewReader(bytes.NewReader(p), int64(len(p))); err != nil || len(z.File) == 0 {
			t.Error(name, err)
		}
	}
	for _, name := range []string{"a.tgz", "a-1.2.tar.gz"} {
		z, err := gzip.NewReader(bytes.NewReader(body(name)))
		if err != nil {
			t.Error(name, err)
			continue
		}
		if _, err := tar.NewReader(z).Next(); err != nil {
			t.Error(name, err)
		}
	}
	for _, name := range []string{"a.elf", "tool-linux-amd64", "tool_1.2_linux_x86_64", "a.bin"} {
		if f, err := elf.NewFile(bytes.NewReader(body(name))); err != nil || len(f.Progs) != 1 {
			t.Error(name, err)
		}
	}
	if f, err := pe.NewFile(bytes.NewReader(body("a.exe"))); err != nil || len(f.Sections) != 1 {
		t.Error("exe", err)
	}
	if p := body("a.pdf"); !bytes.HasPrefix(p, []byte("%PDF-1.4")) || !bytes.HasSuffix(p, []byte("%%EOF\n")) {
		t.Errorf("pdf: %q", p)
	}
}

func TestRanges(t *testing.T) {
	h := New(testOptions(t))
	full, _ := asked(t, h, "GET https://dl.example/a.csv")
	size := len(full.Body)
	for _, tt := range []struct {
		spec string
		code int
		want []byte
	}{
		{"bytes=0-3", 206, full.Body[:4]}, {"bytes=4-", 206, full.Body[4:]}, {"bytes=-5", 206, full.Body[size-5:]},
		{"bytes=0-99999", 206, full.Body}, {"bytes=-99999", 206, full.Body}, {"bytes=99999-", 416, nil}, {"bytes=5-2", 416, nil},
		{"bytes=a-b", 416, nil}, {"bytes=-0", 416, nil}, {"bytes=0-1,3-4", 200, full.Body}, {"lines=1-2", 200, full.Body},
		{"bytes=-9223372036854775808", 416, nil}, {"bytes=0-9223372036854775807", 206, full.Body},
	} {
		a, _ := asked(t, h, "GET https://dl.example/a.csv", "Range: "+tt.spec)
		if a.Status != tt.code || !bytes.Equal(a.Body, tt.want) {
			t.Errorf("%s: %d %q", tt.spec, a.Status, a.Body)
		}
	}
}

func TestHeadAndCompression(t *testing.T) {
	h := New(testOptions(t))
	a, _ := asked(t, h, "GET https://api.example/users", "Accept-Encoding: br, gzip")
	z, err := gzip.NewReader(bytes.NewReader(a.Body))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.ReadFrom(z)
	if !bytes.Equal(b.Bytes(), a.Shown) {
		t.Error("what is told is not what was sent")
	}
	if a, _ := asked(t, h, "GET https://api.example/users", "Accept-Encoding: gzip;q=0"); !bytes.Equal(a.Body, a.Shown) {
		t.Error("was compressed against the client's will")
	}
	if a, _ := asked(t, h, "HEAD https://api.example/users"); len(a.Body) != 0 || len(a.Shown) == 0 {
		t.Error("HEAD has a body")
	}
}

func TestElsewhere(t *testing.T) {
	o := testOptions(t)
	o.Location = func(name string) (string, bool) { return "http://127.8.9.10/", name == "r1.a.example" }
	h := New(o)
	for host, code := range map[string]int{"r1.a.example": 302, "r2.a.example": 200} {
		a, _ := asked(t, h, "GET https://"+host+"/x")
		if a.Status != code || code == 302 != (headerOf(a, "Location") == "http://127.8.9.10/") {
			t.Errorf("%s: %d %v", host, a.Status, a.Fields)
		}
	}
}

func headerOf(a *services.Answer, name string) string {
	for _, f := range a.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
