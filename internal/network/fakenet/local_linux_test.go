package fakenet_test

import (
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// localWorld is what a network served at localhost.
type localWorld struct {
	mu    sync.Mutex
	ended []fakenet.End
	sent  map[string]string // by the destination of the flow
	sends []wire.Record     // the changes of sender that the kernel recorded
}

// runLocal runs Python in a sandbox with a network that serves ports 9200, 8123 and 5432
// of the machine itself, and, from the script's first output line on, port 9201.
func runLocal(t *testing.T, script string) (*localWorld, string) {
	t.Helper()
	sandboxtest.Require(t)
	run, err := box.NewRunDir(filepath.Join(t.TempDir(), "runs"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Remove() })
	if err := os.WriteFile(filepath.Join(run.Stage(), "script.py"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	opts := &box.Options{
		Artifact: &mcpsf.Artifact{Dir: run.Stage(), Runtime: mcpsf.RuntimePython, Command: []string{"python3", "script.py"}},
		Run:      run, Machine: box.Machine{Now: time.Now()},
		Network: box.Network{Link: true, Local: []uint16{9200, 8123, 5432}},
	}
	sandboxtest.Interpreter(t, mcpsf.RuntimePython, opts)
	running, err := box.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Stop()
	w := &localWorld{sent: map[string]string{}}
	network, err := fakenet.New(t.Context(), running.Link(), &fakenet.Options{
		Names: names.New(1, nil, false), Refused: func(fakenet.Flow) {}, Lookup: func(fakenet.Lookup) {},
		Local: running.Carrier().Ends, LocalHost: host.New(&host.Options{Seed: 1}),
		Sent: func(f fakenet.Flow, _ string, p []byte) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.sent[f.Name+" "+f.To.String()] += string(p)
		},
		Ended: func(e fakenet.End) { w.mu.Lock(); defer w.mu.Unlock(); w.ended = append(w.ended, e) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer network.Close()
	over := make(chan error, 1)
	go func() {
		over <- running.Each(t.Context(), func(r *wire.Record) error {
			if r.Op == wire.OpTransmit {
				w.sends = append(w.sends, *r)
			}
			return nil
		})
	}()
	go func() { _, _ = io.Copy(os.Stderr, running.Stderr()) }()
	var first [1]byte
	if _, err := io.ReadFull(running.Stdout(), first[:]); err != nil {
		t.Fatal(err)
	}
	running.ServeLocal([]uint16{9200, 8123, 5432, 9201})
	_, _ = running.Stdin().Write([]byte("\n"))
	out, err := io.ReadAll(running.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	<-running.Done()
	_ = running.Stop()
	if err := <-over; err != nil {
		t.Error(err)
	}
	return w, string(first[:]) + string(out)
}

// Ports that are served answer at every name of the machine; all others are refused, also
// other loopback addresses, and a port that is served later once it is. A program of the
// sandbox that listens has its port for itself, even after it has ended.
func TestLocalhost(t *testing.T) {
	w, out := runLocal(t, `
import json, socket, urllib.request, errno
def try_(host, port):
    s = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    s.settimeout(10)
    try: s.connect((host, port))
    except OSError as e: return errno.errorcode.get(e.errno, str(e))
    finally: s.close()
    return "open"
def get(url, **more):
    with urllib.request.urlopen(urllib.request.Request(url, **more), timeout=10) as r: return r.status
print(">", try_("127.0.0.1", 9201), flush=True)
input()
print(get("http://localhost:9200/notes/_search", data=b'{"query":"groceries"}', headers={"Content-Type": "application/json"}))
print(get("http://127.0.0.1:8123/api/"), get("http://[::1]:8123/api/"), get("http://localhost:9201/late"))
print(try_("127.0.0.2", 9200), try_("127.9.8.7", 9200), try_("127.0.0.1", 9202), try_("::1", 9202), try_("192.168.1.23", 9200))
print(sorted({try_("127.0.0.1", p) for p in range(1, 1025)}))
own = socket.socket(); own.bind(("127.0.0.1", 8123)); own.listen()
client = socket.create_connection(("127.0.0.1", 8123)); peer, _ = own.accept(); peer.sendall(b"mine")
print(client.recv(10)); client.close(); peer.close(); own.close()
print(try_("127.0.0.1", 8123), try_("127.0.0.1", 9200))
big = get("http://localhost:9200/notes/_bulk", data=b"x" * (1 << 20))
print(big)
`)
	const want = "> ECONNREFUSED\n200\n200 200 200\nECONNREFUSED ECONNREFUSED ECONNREFUSED ECONNREFUSED ECONNREFUSED\n" +
		"['ECONNREFUSED']\nb'mine'\nECONNREFUSED open\n200\n"
	if out != want {
		t.Errorf("the server got\n%s", out)
	}
	names := map[string]bool{}
	for _, e := range w.ended {
		names[e.Name+" "+e.To.String()+" "+e.Service] = true
		if e.From.Addr() != e.To.Addr() || e.From.Port() == 0 || !e.On.To.Addr().IsPrivate() {
			t.Errorf("a flow is from %s to %s, on %s", e.From, e.To, e.On.To)
		}
	}
	for _, flow := range []string{"localhost [::1]:9200 http", "localhost 127.0.0.1:8123 http", "localhost [::1]:8123 http", "localhost [::1]:9201 http"} {
		if !names[flow] {
			t.Errorf("no flow %s: %v", flow, names)
		}
	}
	if len(names) > 6 {
		t.Errorf("flows %v", names)
	}
	if n := len(w.sent["localhost [::1]:9200"]); n < 1<<20 {
		t.Errorf("%d bytes sent to port 9200 were seen", n)
	}
	if !slices.ContainsFunc(w.sends, func(r wire.Record) bool {
		return r.Port == 9200 && netip.MustParseAddr(r.Addr).IsLoopback() && r.Local != 0
	}) {
		t.Error("who sent was not recorded")
	}
}
