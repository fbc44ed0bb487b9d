package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// secret is the credential that the sandbox must never see.
const secret = "c2VjcmV0LXRva2Vu"

// world is a registry, a gateway in front of it, and a client in the sandbox.
type world struct {
	t        *testing.T
	upstream *httptest.Server
	gateway  *Gateway
	addr     string
	client   *http.Client

	mu       sync.Mutex
	asked    []*http.Request
	attempts []Attempt
}

// newWorld serves files by path at the registry, both kinds below the same
// host. change may change the options.
func newWorld(t *testing.T, handler http.Handler, change func(*Options)) *world {
	t.Helper()
	w := &world{t: t}
	w.upstream = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.asked = append(w.asked, r.Clone(context.WithoutCancel(r.Context())))
		w.mu.Unlock()
		handler.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.upstream.Close)
	client := newClient(t, w.upstream.URL, map[string]string{})
	opts := &Options{Client: client, Attempt: func(a Attempt) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.attempts = append(w.attempts, a)
	}}
	if change != nil {
		change(opts)
	}
	w.gateway = New(opts)
	w.addr = serve(t, w.gateway)
	transport := &http.Transport{
		DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", w.addr)
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	w.client = &http.Client{Transport: transport}
	return w
}

// newClient has credentials for the registry at base.
func newClient(t *testing.T, base string, env map[string]string) *registry.Client {
	t.Helper()
	home := t.TempDir()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	npmrc := fmt.Sprintf("registry=%s/npm/\n@acme:registry=%s/acme/\n//%s/npm/:_authToken=%s\n//%s/acme/:_authToken=%s\n",
		base, base, u.Host, secret, u.Host, secret)
	if err := os.WriteFile(home+"/.npmrc", []byte(npmrc), 0o600); err != nil {
		t.Fatal(err)
	}
	index := *u
	index.User = url.UserPassword("me", secret)
	client, err := registry.New(&registry.Options{Home: home, UserAgent: "mcpsf-test", Getenv: func(name string) string {
		if v, ok := env[name]; ok {
			return v
		}
		return map[string]string{"PIP_INDEX_URL": index.String() + "/simple/", "PIP_CONFIG_FILE": os.DevNull}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func serve(t *testing.T, g *Gateway) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, done := g.Server(), make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return l.Addr().String()
}

// do sends a request to the gateway like the sandbox. headers are name, value,
// ...
func (w *world) do(method, address string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = "http://packages.lan" + address
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, address, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	resp, err := w.client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, address, err)
	}
	w.leaks(resp, string(body))
	return resp, string(body)
}

func (w *world) get(address string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	return w.do(http.MethodGet, address, headers...)
}

// leaks fails if an answer reveals the user's settings.
func (w *world) leaks(resp *http.Response, body string) {
	w.t.Helper()
	var all strings.Builder
	_ = resp.Header.Write(&all)
	all.WriteString(body)
	host := strings.TrimPrefix(w.upstream.URL, "http://")
	for _, word := range []string{secret, host, "Set-Cookie", "Location:", "X-Internal"} {
		if strings.Contains(all.String(), word) {
			w.t.Errorf("the sandbox sees %q in %.500q", word, all.String())
		}
	}
}

// raw sends bytes unchanged and returns the status line.
func (w *world) raw(request string) string {
	w.t.Helper()
	conn, err := net.Dial("tcp", w.addr)
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		w.t.Fatal(err)
	}
	line, _ := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSpace(line)
}

func (w *world) requests() []*http.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// recorded is the attempts so far. An answer that fits into the server's buffer
// is sent after its attempt was recorded.
func (w *world) recorded() []Attempt {
	w.gateway.hooks.Lock()
	defer w.gateway.hooks.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.attempts)
}
