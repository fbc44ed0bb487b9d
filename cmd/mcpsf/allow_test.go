//go:build linux

package main

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
)

// realAddress is public, but these tests put it into a network of their own.
const realAddress = "192.175.48.1"

// caller is a server whose tool requests the URLs in its arguments.
const caller = `
import json, os, socket, ssl, sys, urllib.request

def ask(url):
    try:
        context = ssl.create_default_context(cafile="pinned.pem" if os.path.exists("pinned.pem") else None)
        handlers = [urllib.request.HTTPSHandler(context=context), urllib.request.HTTPRedirectHandler()]
        with urllib.request.build_opener(*handlers).open(urllib.request.Request(url, data=b"body=hello"), timeout=8) as r:
            return "%s -> %d %s" % (url, r.status, r.read(60).decode("utf-8", "replace"))
    except Exception as e:
        return "%s -> %s" % (url, e)

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"initialize": lambda: {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "caller", "version": "1"}},
         "tools/list": lambda: {"tools": [{"name": "ask", "description": "Asks.", "inputSchema": {"type": "object"}}]},
         "tools/call": lambda: {"content": [{"type": "text", "text": "\n".join(ask(u) for u in URLS)}]}}.get(m["method"])
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], **({"result": r()} if r else {"error": {"code": -32601, "message": "no"}})}), flush=True)
`

// world is the real Internet of a test.
type world struct {
	ca *authority.Authority

	mu   sync.Mutex
	seen []string
}

// newWorld makes a host api.example at a public address, and others on this
// machine that must not be reached.
func newWorld(t *testing.T) *world {
	t.Helper()
	k := openKernel(t)
	lo := k.up("lo")
	// Connections to these addresses end here, though they are not ours.
	k.route(lo, netip.MustParsePrefix("192.175.48.0/24"), unix.RT_TABLE_LOCAL, unix.RTN_LOCAL, unix.RT_SCOPE_HOST)
	k.address(lo, netip.MustParsePrefix("198.97.38.7/32")) // public, and this machine's own
	names := filepath.Join(t.TempDir(), "hosts")
	text := realAddress + " api.example\n192.175.48.2 other.example\n127.0.0.1 rebound.example\n198.97.38.7 own.example\n10.0.0.1 private.example\n"
	if err := os.WriteFile(names, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(names, "/etc/hosts", "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	w := &world{}
	var err error
	if w.ca, err = authority.New(rand.Reader, time.Now()); err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return w.ca.Leaf(h.ServerName) }}
	for _, port := range []string{"80", "443", "8080"} {
		l, err := net.Listen("tcp", "0.0.0.0:"+port)
		if err != nil {
			t.Fatal(err)
		}
		if port == "443" {
			l = tls.NewListener(l, config)
		}
		server := &http.Server{Handler: w}
		go func() { _ = server.Serve(l) }()
		t.Cleanup(func() { server.Close() })
	}
	return w
}

// ServeHTTP implements [http.Handler].
func (w *world) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	body, _ := io.ReadAll(in.Body)
	at := in.Context().Value(http.LocalAddrContextKey).(net.Addr).String()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, fmt.Sprintf("%s %s %s %s", at, in.Host, in.URL, body))
	fmt.Fprint(out, "really "+in.Host)
}

func (w *world) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	w.seen = nil
	return seen
}

// assess lets a server request these URLs and returns the answers, the report
// and the events.
func (w *world) assess(t *testing.T, pinned bool, urls []string, flags ...string) (said, stderr string, r *mcpsf.Report, events []mcpsf.Event) {
	t.Helper()
	dir, out := t.TempDir(), t.TempDir()
	list, _ := json.Marshal(urls)
	files := map[string][]byte{"server.py": []byte("URLS = " + string(list) + caller), "real.pem": w.ca.PEM()}
	if pinned {
		files["pinned.pem"] = w.ca.PEM()
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"assess", dir, "-q", "--profile", "safe", "--fail-on", "never", "-o", out}, flags...)
	cmd := asMcpsf(t, []string{"SSL_CERT_FILE=" + filepath.Join(dir, "real.pem"), "SSL_CERT_DIR=" + dir + "/none"}, append(args, "--", "python3", "server.py")...)
	var told bytes.Buffer
	cmd.Stderr = &told
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, told.String())
	}
	raw, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	r = &mcpsf.Report{}
	if err := json.Unmarshal(raw, r); err != nil {
		t.Fatal(err)
	}
	if raw, err = os.ReadFile(filepath.Join(out, "events.jsonl")); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		var e mcpsf.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if events = append(events, e); e.Kind == mcpsf.KindMCPResponse && bytes.Contains(e.MCP.Body, []byte(" -> ")) {
			said = string(e.MCP.Body)
		}
	}
	return said, told.String(), r, events
}

// ended are the ends of connections, by destination: the real address, or why
// it was not reached.
func ended(events []mcpsf.Event) []string {
	var list []string
	for _, e := range events {
		if e.Kind == mcpsf.KindNetFlow && e.Flow.Protocol == "tcp" {
			where := e.Net.Name
			if where == "" {
				where = e.Net.Address
			}
			list = append(list, fmt.Sprintf("%s:%d %s %s%s", where, e.Net.Port, e.Flow.Service, e.Flow.Reached, e.Flow.Failed))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestAllowReachesTheNamedHostOnly(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	w := newWorld(t)
	urls := []string{
		"https://api.example/one", "http://api.example/two", "https://other.example/three", "https://" + realAddress + "/four", "http://192.175.48.2/five",
		"http://198.97.38.7/six", "http://127.0.0.1:8080/seven",
	}
	said, stderr, r, events := w.assess(t, false, urls, "--network", "allow=api.example")
	if got, want := w.take(), []string{realAddress + ":443 api.example /one body=hello", realAddress + ":80 api.example /two body=hello"}; !slices.Equal(got, want) {
		t.Errorf("really arrived:\n%s", strings.Join(got, "\n"))
	}
	if !strings.Contains(said, "/one -> 200 really api.example") || strings.Count(said, "really") != 2 {
		t.Errorf("the server got\n%s", said)
	}
	if got, want := ended(events), []string{
		"192.175.48.1:443 tls/http ", "192.175.48.2:80 http ", "198.97.38.7:80 http ",
		"api.example:443 tls/http " + realAddress + ":443", "api.example:80 http " + realAddress + ":80", "other.example:443 tls/http ",
	}; !slices.Equal(got, want) {
		t.Errorf("flows\n%s", strings.Join(got, "\n"))
	}
	for _, e := range events {
		if e.Kind == mcpsf.KindNetHTTP && e.HTTP.URL == "https://api.example/one" &&
			(e.HTTP.Answer != "really api.example" || e.HTTP.Body != "body=hello" || e.Call == "" || e.PID == 0) {
			t.Errorf("told %+v", e)
		}
	}
	if got := r.Coverage.Sandbox.Network; got != "allow=api.example" {
		t.Errorf("the report says the network was %q", got)
	}
	if !strings.Contains(stderr, "warning: the server can really reach api.example") {
		t.Errorf("no warning: %q", stderr)
	}
}

func TestAllowReachesPublicHostsOnly(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	w := newWorld(t)
	urls := []string{
		"https://api.example/1", "http://other.example/2", "http://" + realAddress + "/3", "http://rebound.example:8080/4", "http://own.example:8080/5",
		"http://private.example/6", "http://127.0.0.1:8080/7", "http://198.97.38.7:8080/8", "http://169.254.169.254/latest/meta-data/", "http://gone.example/9",
		"http://[::ffff:127.0.0.1]:8080/10", "http://localhost:8080/11", "http://[64:ff9b::7f00:1]:8080/12", "http://0.0.0.0:8080/13",
	}
	said, _, _, _ := w.assess(t, false, urls, "--network", "allow")
	if got, want := w.take(), []string{
		realAddress + ":443 api.example /1 body=hello", "192.175.48.2:80 other.example /2 body=hello", realAddress + ":80 " + realAddress + " /3 body=hello",
	}; !slices.Equal(got, want) {
		t.Errorf("really arrived:\n%s", strings.Join(got, "\n"))
	}
	for _, name := range []string{"rebound", "own", "private", "gone"} {
		line := said[strings.Index(said, name+".example"):]
		if line, _, _ = strings.Cut(line, `\n`); !strings.Contains(line, "Name or service not known") {
			t.Errorf("%s exists: %s", name, line)
		}
	}
	if strings.Count(said, "really") != 3 {
		t.Errorf("the server got\n%s", said)
	}
}

// A server that trusts only the real host's certificate works when TLS is not
// intercepted.
func TestAllowUntouched(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	w := newWorld(t)
	_, _, _, events := w.assess(t, true, []string{"https://api.example/one"}, "--network", "allow=*.other.test,api.example")
	if got := w.take(); len(got) != 0 {
		t.Errorf("really arrived: %q", got)
	}
	if !slices.ContainsFunc(events, func(e mcpsf.Event) bool { return e.Kind == mcpsf.KindNetTLS && e.TLS.Rejected != "" }) {
		t.Error("the server's refusal was not told")
	}
	said, _, r, events := w.assess(t, true, []string{"https://api.example/one"}, "--network", "allow=api.example", "--no-tls-intercept")
	if got, want := w.take(), []string{realAddress + ":443 api.example /one body=hello"}; !slices.Equal(got, want) || !strings.Contains(said, "really api.example") {
		t.Errorf("really arrived: %q; the server got %s", got, said)
	}
	for _, e := range events {
		if e.Kind == mcpsf.KindNetHTTP || e.Kind == mcpsf.KindNetTLS && (e.TLS.SNI != "api.example" || e.TLS.JA4 == "" || e.TLS.Rejected != "") {
			t.Errorf("told %+v %+v", e.HTTP, e.TLS)
		}
	}
	if got := ended(events); !slices.Equal(got, []string{"api.example:443 tls " + realAddress + ":443"}) {
		t.Errorf("flows %q", got)
	}
	if !slices.ContainsFunc(r.Coverage.Gaps, func(g mcpsf.Gap) bool { return strings.Contains(g.Text, "inside TLS") }) || !strings.Contains(r.Coverage.Sandbox.Network, "TLS not opened") {
		t.Errorf("coverage does not say so: %+v", r.Coverage.Gaps)
	}
}
