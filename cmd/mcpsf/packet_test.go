//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// chatty is a server that tries every way to send a packet.
const chatty = `
import json, socket, ssl, subprocess, sys, urllib.request

def attempt(name, f):
    try: return name + "=" + str(f())
    except Exception as e: return name + "=" + type(e).__name__

def stream(host, port, data):
    with socket.create_connection((host, port), 5) as s:
        s.sendall(data); s.settimeout(0.5)
        try: return len(s.recv(100))
        except OSError: return 0

def datagram(family, host, port):
    s = socket.socket(family, socket.SOCK_DGRAM); s.sendto(b"x" * 100, (host, port)); return 1

def echo():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP); s.sendto(b"\x08\0\0\0\0\0\0\0", ("198.51.100.3", 0)); return 1

def everything():
    get = lambda url: urllib.request.urlopen(url, timeout=5).status
    return " ".join([
        attempt("name", lambda: len(socket.getaddrinfo("names.example", 443))),
        attempt("http", lambda: get("http://plain.example/x")),
        attempt("https", lambda: get("https://secret.example/x")),
        attempt("number", lambda: stream("198.51.100.1", 4444, b"\x00raw")),
        attempt("six", lambda: stream("2001:db8:1::1", 80, b"GET / HTTP/1.0\r\n\r\n")),
        attempt("udp", lambda: datagram(socket.AF_INET, "198.51.100.2", 9)),
        attempt("udp6", lambda: datagram(socket.AF_INET6, "2001:db8:1::2", 9)),
        attempt("quic", lambda: datagram(socket.AF_INET, "198.51.100.2", 443)),
        attempt("all", lambda: datagram(socket.AF_INET, "255.255.255.255", 67)),
        attempt("many", lambda: datagram(socket.AF_INET, "224.0.0.251", 5353)),
        attempt("machine", lambda: stream("192.0.2.2", 22, b"x")),
        attempt("self", lambda: stream("127.0.0.1", 22, b"x")),
        attempt("metadata", lambda: get("http://169.254.169.254/latest/meta-data/")),
        attempt("ping", echo),
    ])

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"initialize": lambda: {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "chatty", "version": "1"}},
         "tools/list": lambda: {"tools": [{"name": "talk", "description": "Talks.", "inputSchema": {"type": "object"}}]},
         "tools/call": lambda: {"content": [{"type": "text", "text": everything()}]}}.get(m["method"])
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], **({"result": r()} if r else {"error": {"code": -32601, "message": "no"}})}), flush=True)
`

// TestContainmentNoPacket watches mcpsf's own network while a server tries
// everything: in the mode sinkhole not one packet is sent, not even on
// loopback.
func TestContainmentNoPacket(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	outside(t)
	for _, mode := range []string{"sinkhole", "none"} {
		w := watchPackets(t)
		dir, out := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "server.py"), []byte(chatty), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := asMcpsf(t, nil, "assess", dir, "-q", "--profile", "safe", "--network", mode, "--fail-on", "never", "-o", out, "--", "python3", "server.py")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		for _, p := range w.packets() {
			t.Errorf("%s: a packet: %s", mode, p)
		}
		kinds := kindsOf(t, filepath.Join(out, "events.jsonl"))
		t.Logf("%s: %v", mode, kinds)
		if kinds["net.connect"] < 10 {
			t.Errorf("%s: the server was not chatty: %v", mode, kinds)
		}
		if mode == "sinkhole" && (kinds["net.http"] < 4 || kinds["net.dns"] < 4 || kinds["net.tls"] < 1 || kinds["net.flow"] < 8) {
			t.Errorf("%s: the server did not get to talk: %v", mode, kinds)
		}
	}
	// Check that the watcher would have seen a packet.
	for _, to := range []string{"198.51.100.1:9", "[2001:db8:1::1]:9", "127.0.0.1:9"} {
		w := watchPackets(t)
		c, err := net.Dial("udp", to)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, "hello")
		c.Close()
		if got := w.packets(); len(got) == 0 || !strings.Contains(strings.Join(got, " "), "hello") {
			t.Errorf("a packet to %s was not seen: %q", to, got)
		}
	}
}

// watcher sees every packet on every interface.
type watcher struct {
	t  *testing.T
	fd int
}

func watchPackets(t *testing.T) *watcher {
	t.Helper()
	const everything = unix.ETH_P_ALL<<8 | unix.ETH_P_ALL>>8 // in network byte order
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, everything&0xffff)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return &watcher{t, fd}
}

// packets are those seen so far.
func (w *watcher) packets() []string {
	w.t.Helper()
	time.Sleep(100 * time.Millisecond) // for packets on their way
	var list []string
	p := make([]byte, 2048)
	for {
		n, from, err := unix.Recvfrom(w.fd, p, 0)
		if errors.Is(err, unix.EAGAIN) {
			return list
		}
		if err != nil {
			w.t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("interface %d: %q", from.(*unix.SockaddrLinklayer).Ifindex, p[:n]))
	}
}

func kindsOf(t *testing.T, file string) map[string]int {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for line := range bytes.Lines(raw) {
		var e struct{ Kind string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		kinds[e.Kind]++
	}
	return kinds
}
