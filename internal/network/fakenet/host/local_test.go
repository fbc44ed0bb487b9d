package host

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// atLocalhost lets a client speak to a port of localhost, or of another host, and returns
// what it got until it stopped.
func atLocalhost(t *testing.T, h *Host, name string, port uint16, says ...string) (got, sent string) {
	t.Helper()
	client, server := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.Serve(t.Context(), &Visit{
			Conn: server, Name: name, From: netip.MustParseAddrPort("127.0.0.1:40000"), To: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port),
			Sent: func(_ string, p []byte) { sent += string(p) },
		})
	}()
	for _, text := range says {
		if _, err := io.WriteString(client, text); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 1<<16)
		_ = client.SetReadDeadline(time.Now().Add(3 * time.Second))
		n, _ := client.Read(buffer)
		got += string(buffer[:n])
	}
	_ = client.Close()
	<-done
	return got, sent
}

// An application at localhost gets objects and answers with objects, line by line if its
// client sends lines; the same bytes elsewhere are those of an unknown protocol.
func TestBridge(t *testing.T) {
	h := New(&Options{Seed: 1})
	const question = `{"type": "get_scene", "params": {"name": "wharf"}}`
	got, sent := atLocalhost(t, h, localhost, 9876, question, question+"\n")
	d := json.NewDecoder(strings.NewReader(got))
	for range 2 {
		var answer struct {
			Status string         `json:"status"`
			Result map[string]any `json:"result"`
		}
		if err := d.Decode(&answer); err != nil || answer.Status != "success" || len(answer.Result) == 0 {
			t.Fatalf("answered %s: %v", got, err)
		}
	}
	if !strings.HasSuffix(got, "\n") || strings.Contains(got, "wharf") || sent != question+question+"\n" || len(h.Silent()) > 0 {
		t.Errorf("answered %q, sent was %q, silent are %v", got, sent, h.Silent())
	}
	if got, _ := atLocalhost(t, h, localhost, 6400, `{"jsonrpc":"2.0","id":7,"method":"scene.get"}`); !strings.Contains(got, `"id":7`) || !strings.Contains(got, `"jsonrpc"`) {
		t.Errorf("JSON-RPC is answered with %q", got)
	}
}

// What is not understood is told, so that nobody waits for it.
func TestSilentPorts(t *testing.T) {
	h := New(&Options{Seed: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for port, first := range map[uint16]string{7001: "\x01\x02\x03\x04", 7002: "{never ended"} {
		client, server := net.Pipe()
		go h.Serve(ctx, &Visit{Conn: server, Name: localhost, To: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)})
		if _, err := io.WriteString(client, first); err != nil {
			t.Fatal(err)
		}
		for range 300 {
			if slices.Contains(h.Silent(), port) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = client.Close()
	}
	if got := h.Silent(); !slices.Equal(got, []uint16{7001, 7002}) {
		t.Errorf("silent are %v", got)
	}
}
