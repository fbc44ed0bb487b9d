package host

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
)

// tool runs an installed program that trusts only the run's authority, or skips
// the test.
func (w *world) tool(t *testing.T, stdin, name string, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here", name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ca := w.caFile(t)
	for i := range args {
		args[i] = strings.NewReplacer("$CA", ca, "$ADDR", w.addr, "$PORT", w.port()).Replace(args[i])
	}
	home := t.TempDir()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = home
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "PYTHONPATH=" + os.Getenv("PYTHONPATH"), "HOME=" + home, "PYENV_ROOT=" + os.Getenv("HOME") + "/.pyenv",
		"NODE_EXTRA_CA_CERTS=" + ca, "NODE_NO_WARNINGS=1", "SSL_CERT_FILE=" + ca, "REQUESTS_CA_BUNDLE=" + ca, "GIT_SSL_CAINFO=" + ca,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@a.example", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@a.example",
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *world) port() string { _, port, _ := net.SplitHostPort(w.addr); return port }

func TestCurl(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		stdin  string
		has    string
		method string
		url    string
		body   string
		form   string // the version
	}{
		{"1.1", []string{"--http1.1", "https://api.example/v1/x"}, "", `"id":`, "GET", "https://api.example/v1/x", "", "1.1"},
		{"1.0", []string{"--http1.0", "https://api.example/v1/x"}, "", `"id":`, "GET", "https://api.example/v1/x", "", "1.0"},
		{"2", []string{"--http2", "https://api.example/v1/x"}, "", `"id":`, "GET", "https://api.example/v1/x", "", "2"},
		{"2 post", []string{"--http2", "-d", "k=SECRET", "https://api.example/v1/x"}, "", `"ok":true`, "POST", "https://api.example/v1/x", "k=SECRET", "2"},
		{"2 in clear", []string{"--http2-prior-knowledge", "http://api.example/v1/x"}, "", `"id":`, "GET", "http://api.example/v1/x", "", "2"},
		{"2 by upgrade", []string{"--http2", "http://api.example/v1/x"}, "", `"id":`, "GET", "http://api.example/v1/x", "", "1.1"},
		{"chunked upload", []string{"--http1.1", "-T", "-", "https://api.example/up"}, "SECRET", `"ok":true`, "PUT", "https://api.example/up", "SECRET", "1.1"},
		{"expect", []string{"--http1.1", "-H", "Expect: 100-continue", "-d", "SECRET", "https://api.example/up"}, "", `"ok":true`, "POST", "https://api.example/up", "SECRET", "1.1"},
		{"compressed", []string{"--compressed", "https://api.example/users"}, "", `[{"count"`, "GET", "https://api.example/users", "", "2"},
		{"head", []string{"-I", "https://api.example/users"}, "", "200", "HEAD", "https://api.example/users", "", "2"},
		{"range", []string{"-r", "0-4", "https://api.example/a.csv"}, "", "id,na", "GET", "https://api.example/a.csv", "", "2"},
		{"form", []string{"-F", "f=SECRET", "https://api.example/up"}, "", `"ok":true`, "POST", "https://api.example/up", "", "2"},
		{"1.2", []string{"--tls-max", "1.2", "https://api.example/v1/x"}, "", `"id":`, "GET", "https://api.example/v1/x", "", "2"},
		{"script", []string{"https://get.example/install.sh"}, "", "#!/bin/sh", "GET", "https://get.example/install.sh", "", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := uint16(443)
			if strings.Contains(tt.args[len(tt.args)-1], "http://") {
				port = 80
			}
			w := start(t, nil, "api.example", port)
			out, err := w.tool(t, tt.stdin, "curl", append([]string{"-sS", "--fail", "--noproxy", "*", "--cacert", "$CA", "--connect-to", "::127.0.0.1:$PORT"}, tt.args...)...)
			if err != nil || !strings.Contains(out, tt.has) {
				t.Fatalf("%v: %s", err, out)
			}
			r := w.requests()[0]
			if r.Method != tt.method || r.URL != tt.url || r.Version != tt.form || tt.body != "" && r.Body != tt.body {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestCurlOnOneConnection(t *testing.T) {
	for _, version := range []string{"--http1.1", "--http2"} {
		w := start(t, nil, "api.example", 443)
		out, err := w.tool(t, "", "curl", "-sS", "--fail", "--noproxy", "*", "--cacert", "$CA", "--connect-to", "::127.0.0.1:$PORT", version,
			"https://api.example/a/[1-20]")
		if err != nil || strings.Count(out, `"id":`) != 20 {
			t.Errorf("%v: %s", err, out)
		}
		if ends := w.end(t, 1); len(ends) != 1 || len(w.requests()) != 20 {
			t.Errorf("%d connections, %d requests", len(ends), len(w.requests()))
		}
	}
}

// TestCurlRejects has clients that do not trust our authority, or pin a key.
func TestCurlRejects(t *testing.T) {
	for name, args := range map[string][]string{
		"unknown certificate authority": {"--cacert", "/dev/null"},
		closedLate:                      {"--cacert", "$CA", "--pinnedpubkey", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},
	} {
		w := start(t, nil, "api.example", 443)
		if name != closedLate {
			other, err := authority.New(strings.NewReader(strings.Repeat("x", 32)), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			args[1] = filepath.Join(t.TempDir(), "other.pem")
			if err := os.WriteFile(args[1], other.PEM(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := w.tool(t, "", "curl", append([]string{"-sS", "--noproxy", "*", "--connect-to", "::127.0.0.1:$PORT", "https://api.example/"}, args...)...)
		if err == nil {
			t.Errorf("curl was content: %s", out)
		}
		w.end(t, 1)
		if got := w.handshakes(); len(got) != 1 || got[0].Rejected != name {
			t.Errorf("told: %+v", got[0])
		}
	}
}

const nodeScript = `
const https = require('https'), http2 = require('http2'), zlib = require('zlib');
const base = 'https://localhost:' + process.argv[1];
(async () => {
  let r = await fetch(base + '/v1/users', {headers: {'x-key': 'SECRET'}});
  if (!Array.isArray(await r.json())) throw new Error('no list');
  r = await fetch(base + '/v1/x', {method: 'POST', body: JSON.stringify({k: 'fetched'}), headers: {'content-type': 'application/json'}});
  if (!(await r.json()).ok) throw new Error('not ok');
  r = await fetch(base + '/v1/messages', {method: 'POST', body: '{"stream":true}'});
  if (!(await r.text()).includes('message_stop')) throw new Error('no stream');
  r = await fetch(base + '/d', {method: 'POST', body: zlib.gzipSync('zipped'), headers: {'content-encoding': 'gzip'}});
  await r.text();
  const agent = new https.Agent({keepAlive: true});
  for (let i = 0; i < 3; i++) await new Promise((ok, no) => {
    const q = https.request(base + '/n/' + i, {method: 'PUT', agent}, (s) => { s.resume(); s.on('end', ok); });
    q.on('error', no); q.write('streamed'); q.end(' body');
  });
  agent.destroy();
  await new Promise((ok, no) => {
    const c = http2.connect(base); c.on('error', no);
    const s = c.request({':path': '/h2', ':method': 'POST'});
    s.on('response', (h) => { if (h[':status'] !== 200) no(new Error('status ' + h[':status'])); });
    s.resume(); s.on('end', () => { c.close(); ok(); }); s.end('over two');
  });
  if (globalThis.WebSocket) await new Promise((ok, no) => {
    const w = new WebSocket('wss://localhost:' + process.argv[1] + '/live');
    w.onopen = () => w.send('{"frame":"SECRET"}');
    w.onmessage = () => w.close();
    w.onclose = ok; w.onerror = no;
  });
  console.log('done');
})().catch((e) => { console.error(e); process.exit(1); });
`

func TestNode(t *testing.T) {
	w := start(t, nil, "localhost", 443)
	out, err := w.tool(t, "", "node", "--experimental-websocket", "-e", nodeScript, "$PORT")
	if err != nil || !strings.Contains(out, "done") {
		t.Fatalf("%v: %s", err, out)
	}
	all := w.all("body")
	for _, want := range []string{`{"k":"fetched"}`, "zipped", "streamed body", "over two"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
	if got := w.all("header x-key"); got != "SECRET" {
		t.Errorf("header: %q", got)
	}
	if got := w.all("frame"); got != "" && !strings.HasPrefix(got, `{"frame":"SECRET"}`) {
		t.Errorf("frames: %q", got)
	}
}

const nodePin = `
const https = require('https');
https.get('https://localhost:' + process.argv[1], {checkServerIdentity: () => new Error('pinned')}, () => console.log('content')).on('error', () => {});
`

func TestNodeRejects(t *testing.T) {
	w := start(t, nil, "localhost", 443)
	if out, err := w.tool(t, "", "node", "-e", nodePin, "$PORT"); err != nil || strings.Contains(out, "content") {
		t.Fatalf("%v: %s", err, out)
	}
	w.end(t, 1)
	if got := w.handshakes(); len(got) != 1 || got[0].Rejected == "" {
		t.Errorf("told: %+v", got[0])
	}
}

const pythonScript = `
import json, sys, ssl, urllib.request, http.client, socket
port = int(sys.argv[1]); base = 'https://localhost:%d' % port
c = ssl.create_default_context()
assert isinstance(json.load(urllib.request.urlopen(base + '/v1/users', context=c)), list)
q = urllib.request.Request(base + '/v1/x', data=b'posted by urllib', headers={'X-Key': 'SECRET'})
assert json.load(urllib.request.urlopen(q, context=c))['ok']
h = http.client.HTTPSConnection('localhost', port, context=c)
for i in range(3):
    h.request('POST', '/n/%d' % i, body=iter([b'chunk', b'ed']), encode_chunked=True, headers={'Transfer-Encoding': 'chunked'})
    assert h.getresponse().read()
h.close()
try:
    import requests
except ImportError:
    requests = None
if requests:
    s = requests.Session()
    assert s.get(base + '/v1/users').json()
    assert s.post(base + '/v1/x', json={'by': 'requests'}).json()['ok']
    s.close()
print('done')
`

func TestPython(t *testing.T) {
	w := start(t, nil, "localhost", 443)
	out, err := w.tool(t, "", "python3", "-c", pythonScript, "$PORT")
	if err != nil || !strings.Contains(out, "done") {
		t.Fatalf("%v: %s", err, out)
	}
	all := w.all("body")
	for _, want := range []string{"posted by urllib", "chunkedchunkedchunked"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
}

func TestGit(t *testing.T) {
	w := start(t, nil, "localhost", 443)
	out, err := w.tool(t, "", "git", "clone", "https://localhost:$PORT/team/project.git", "copy")
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script := `set -e; git init -q r; cd r; for i in $(seq 500); do echo "all that was stolen $i"; done > f; git add f; git commit -q -m "what was found"
git push -q https://localhost:$PORT/team/project.git HEAD:refs/heads/main; git ls-remote https://localhost:$PORT/x.git`
	if out, err = w.tool(t, "", "sh", "-c", script); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := false
	for _, r := range w.requests() {
		found = found || strings.HasSuffix(r.URL, "/team/project.git/git-receive-pack") && strings.Contains(r.Body, "refs/heads/main")
	}
	if !found {
		t.Error("the push was not seen")
	}
	for _, want := range []string{"what was found", "all that was stolen 499\n"} {
		if !strings.Contains(w.all("body"), want) {
			t.Errorf("%q was pushed and is not seen", want)
		}
	}
}

func TestOpenSSL(t *testing.T) {
	w := start(t, nil, "api.example", 443)
	for _, version := range []string{"-tls1_2", "-tls1_3"} {
		out, err := w.tool(t, "GET /v1/x HTTP/1.0\r\n\r\n", "openssl", "s_client", "-connect", "$ADDR", "-servername", "api.example",
			"-verify_return_error", "-verify_hostname", "api.example", "-CAfile", "$CA", "-ign_eof", version)
		if err != nil || !strings.Contains(out, "Verify return code: 0 (ok)") || !strings.Contains(out, `"id":`) {
			t.Errorf("%s: %v: %s", version, err, out)
		}
	}
}
