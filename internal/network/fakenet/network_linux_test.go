package fakenet_test

import (
	"io"
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
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

func TestMain(m *testing.M) {
	box.Dispatch()
	os.Exit(m.Run())
}

// world is a network with one name, and what was observed there.
type world struct {
	mu      sync.Mutex
	lookups []fakenet.Lookup
	refused []fakenet.Flow
	missed  int64
}

func (w *world) names() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for _, l := range w.lookups {
		names = append(names, l.Name+" "+l.Type)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (w *world) flows() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var flows []string
	for _, f := range w.refused {
		flows = append(flows, f.Protocol+" "+f.To.String())
	}
	slices.Sort(flows)
	return slices.Compact(flows)
}

// runScript runs Python in a sandbox on that network and returns its output.
func runScript(t *testing.T, w *world, script string) string {
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
		Run:      run, Machine: box.Machine{Now: time.Now()}, Network: box.Network{Link: true},
	}
	sandboxtest.Interpreter(t, mcpsf.RuntimePython, opts)
	running, err := box.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Stop()
	network, err := fakenet.New(t.Context(), running.Link(), &fakenet.Options{
		Names:   names.New(1, map[string]netip.Addr{"packages.lan": netip.MustParseAddr("192.168.1.10")}, false),
		Serve:   []string{"packages.lan"},
		Lookup:  func(l fakenet.Lookup) { w.mu.Lock(); defer w.mu.Unlock(); w.lookups = append(w.lookups, l) },
		Refused: func(f fakenet.Flow) { w.mu.Lock(); defer w.mu.Unlock(); w.refused = append(w.refused, f) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer network.Close()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			for range 1 << 10 {
				_, _ = w.Write(make([]byte, 32<<10))
			}
			return
		}
		_, _ = io.WriteString(w, "hello "+r.Host)
	})}
	go func() { _ = server.Serve(network.Listen("packages.lan")) }()
	defer server.Close()
	go func() { _ = running.Each(t.Context(), func(*wire.Record) error { return nil }) }()
	go func() { _, _ = io.Copy(os.Stderr, running.Stderr()) }()
	out, err := io.ReadAll(running.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	w.missed = network.Missed()
	return string(out)
}

func TestServedNameIsReachedAndTheRestIsRefused(t *testing.T) {
	var w world
	out := runScript(t, &w, `
import socket, urllib.request
print(urllib.request.urlopen("http://packages.lan/x").read().decode())
print(len(urllib.request.urlopen("http://packages.lan/large").read()))
for host, port in [("evil.example", 443), ("192.0.2.7", 443), ("192.168.1.1", 22), ("2001:db8::1", 80)]:
    try:
        socket.create_connection((host, port), 5); print("connected", host)
    except OSError as e: print(type(e).__name__, host)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("198.51.100.9", 4444)); s.send(b"x")
s.settimeout(5)
try: s.recv(10)
except OSError as e: print(type(e).__name__)
`)
	want := []string{"hello packages.lan", "33554432", "gaierror evil.example", "ConnectionRefusedError 192.0.2.7", "ConnectionRefusedError 192.168.1.1", "ConnectionRefusedError 2001:db8::1", "ConnectionRefusedError"}
	if got := strings.Split(strings.TrimSpace(out), "\n"); !slices.Equal(got, want) {
		t.Errorf("output\n got %q\nwant %q", got, want)
	}
	if got, want := w.names(), []string{"evil.example A", "evil.example AAAA", "packages.lan A", "packages.lan AAAA"}; !slices.Equal(got, want) {
		t.Errorf("lookups\n got %q\nwant %q", got, want)
	}
	if got, want := w.flows(), []string{"tcp 192.0.2.7:443", "tcp 192.168.1.1:22", "tcp [2001:db8::1]:80", "udp 198.51.100.9:4444"}; !slices.Equal(got, want) {
		t.Errorf("refused\n got %q\nwant %q", got, want)
	}
}

// A question is reported even if the target keeps every slot of the resolver
// busy.
func TestQuestionsBehindManyOthersAreTold(t *testing.T) {
	var w world
	runScript(t, &w, `
import socket, struct
def query(name): return struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + b"".join(bytes([len(p)]) + p for p in name.encode().split(b".")) + b"\0\0\1\0\1"
held = []
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
for _ in range(1025): # connections that say nothing keep their slots
    held.append(socket.create_connection(("192.168.1.1", 53), 5))
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(0.5); s.connect(("192.168.1.1", 53))
for i in range(3):
    s.send(query("hidden%d.example" % i))
    try: s.recv(512)
    except OSError: pass
c = socket.create_connection(("192.168.1.1", 53), 5)
try: c.sendall(b"\0\1x"); c.recv(1)
except OSError: pass
`)
	names := w.names()
	for _, name := range []string{"hidden0.example A", "hidden1.example A", "hidden2.example A"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s was not told: %q", name, names)
		}
	}
	if w.missed == 0 {
		t.Error("the conversation that was cut off was not counted")
	}
}

// The sandbox may end before its network.
func TestCloseAfterTheOtherEnd(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	link := os.NewFile(uintptr(pair[0]), "link")
	defer link.Close()
	network, err := fakenet.New(t.Context(), link, &fakenet.Options{Names: names.New(1, nil, false), Lookup: func(fakenet.Lookup) {}, Refused: func(fakenet.Flow) {}})
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Close(pair[1]); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond) // time for the stack to notice
	network.Close()
}

// A client can reuse a port at once after the server closed its last
// connection.
func TestPortsAreTakenAgain(t *testing.T) {
	var w world
	out := runScript(t, &w, `
import socket, time
for i in range(3):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("0.0.0.0", 45000))
    s.settimeout(20)
    s.connect(("packages.lan", 80))
    s.sendall(b"GET / HTTP/1.1\r\nHost: packages.lan\r\nConnection: close\r\n\r\n")
    answer = b""
    while more := s.recv(4096): answer += more
    print(answer.split()[-2:])
    s.close()
    time.sleep(0.3)
`)
	if n := strings.Count(out, "hello"); n != 3 {
		t.Errorf("%d of 3 connections from one port were answered:\n%s", n, out)
	}
}
