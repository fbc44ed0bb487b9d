package gateway

import (
	"bufio"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener with in-memory connections, so that a test's fake clock
// applies to them.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.IPAddr{} }

func (p *pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours
}

// TestSlowClients checks that a stalled client is disconnected after the
// allowed time, and not before.
func TestSlowClients(t *testing.T) {
	const host = "Host: packages.lan\r\n"
	for _, tt := range []struct {
		name, sent string
		after      time.Duration
		answer     string
	}{
		{"header", "GET /npm/x HTTP/1.1\r\n" + host, headerTimeout, ""},
		{"body", "POST /npm/x HTTP/1.1\r\n" + host + "Content-Length: 10\r\n\r\nabc", bodyTimeout, "HTTP/1.1 405 Method Not Allowed"},
		{"body of a GET", "GET /npm/x HTTP/1.1\r\n" + host + "Content-Length: 10\r\n\r\nabc", bodyTimeout, "HTTP/1.1 413 Request Entity Too Large"},
		{"next request", "GET /npm/-/ping HTTP/1.1\r\n" + host + "\r\n", idleTimeout, "HTTP/1.1 200 OK"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				server := New(&Options{}).Server()
				served := make(chan struct{})
				go func() {
					defer close(served)
					_ = server.Serve(l)
				}()
				conn, start := l.dial(), time.Now()
				go func() { _, _ = io.WriteString(conn, tt.sent) }()
				answer, err := io.ReadAll(conn)
				if err != nil {
					t.Errorf("reading: %v", err)
				}
				line, _ := bufio.NewReader(strings.NewReader(string(answer))).ReadString('\n')
				if got := time.Since(start); got < tt.after || got > tt.after+2*time.Second || strings.TrimSpace(line) != tt.answer {
					t.Errorf("given up after %v with %q, want %v with %q", got, line, tt.after, tt.answer)
				}
				conn.Close()
				_ = server.Close()
				<-served
			})
		})
	}
}

// TestClientThatDoesNotRead checks how long an unread answer is held.
func TestClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		g := New(&Options{})
		g.pages.put("npm x  "+acceptNPMFull, newPage("application/json", make([]byte, 1<<20)))
		server := g.Server()
		served := make(chan struct{})
		go func() {
			defer close(served)
			_ = server.Serve(l)
		}()
		conn := l.dial()
		_, _ = io.WriteString(conn, "GET /npm/x HTTP/1.1\r\nHost: packages.lan\r\n\r\n")
		time.Sleep(writeTimeout - time.Second)
		if len(g.answering) != 1 {
			t.Error("given up too early")
		}
		time.Sleep(2 * time.Second)
		if len(g.answering) != 0 {
			t.Error("still held")
		}
		conn.Close()
		_ = server.Close()
		<-served
	})
}
