package host

import (
	"context"
	"io"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// TestTime has clients that are slow.
func TestTime(t *testing.T) {
	drip := func(text string, every time.Duration) func(net.Conn) {
		return func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, text); err != nil {
					return
				}
				time.Sleep(every)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		begin  string
		client func(net.Conn)
		most   time.Duration
		want   visitEnd
	}{
		{"silent", "", func(net.Conn) { time.Sleep(time.Hour) }, politeTime + idleTime, visitEnd{Cut: true}},
		{"slow head", "GET / HTTP/1.1\r\n", drip("X: y\r\n", time.Second), idleTime + lingerTime, visitEnd{Service: "http"}},
		{"slow body", "POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n", drip("x", time.Second), visitTime, visitEnd{Service: "http", Cut: true}},
		{"slow socket", handshake, drip(masked(true, framePing, ""), time.Second), visitTime, visitEnd{Service: "websocket", Cut: true}},
		{"stuck in a body", "POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n", func(net.Conn) { time.Sleep(time.Hour) }, idleTime + lingerTime, visitEnd{Service: "http"}},
		{"keeps alive", "GET / HTTP/1.1\r\n\r\n", func(net.Conn) { time.Sleep(time.Hour) }, idleTime + lingerTime, visitEnd{Service: "http"}},
		{"slow hello", "\x16\x03\x01\x02\x00\x01", drip("x", time.Second), visitTime, visitEnd{Cut: true}},
		{"undecided", "WHAT", func(net.Conn) { time.Sleep(time.Hour) }, moreTime + silentTime + idleTime, visitEnd{First: "WHAT"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := net.Pipe()
				began := time.Now()
				var end visitEnd
				done := make(chan struct{})
				go func() {
					defer close(done)
					service, first, cut := New(nil).Serve(t.Context(), &Visit{Conn: server, To: netip.MustParseAddrPort("192.0.2.1:8000")})
					end = visitEnd{service, string(first), cut}
				}()
				go io.Copy(io.Discard, client)
				stop := make(chan struct{})
				go func() {
					defer close(stop)
					io.WriteString(client, tt.begin)
					tt.client(client)
				}()
				<-done
				if took := time.Since(began); took > tt.most {
					t.Errorf("it took %v", took)
				}
				if tt.name == "slow hello" {
					end.First = ""
				}
				if end != tt.want {
					t.Errorf("%+v", end)
				}
				client.Close()
				<-stop
			})
		})
	}
}

// TestGreeting waits shortly for the client; then the port decides the
// protocol.
func TestGreeting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		done := make(chan string)
		go func() {
			service, _, _ := New(nil).Serve(t.Context(), &Visit{Conn: server, To: netip.MustParseAddrPort("192.0.2.1:25")})
			done <- service
		}()
		began := time.Now()
		p := make([]byte, 100)
		n, err := client.Read(p)
		if err != nil || string(p[:3]) != "220" || time.Since(began) != greetTime {
			t.Errorf("%q, %v after %v", p[:n], err, time.Since(began))
		}
		client.Close()
		if service := <-done; service != "smtp" {
			t.Error(service)
		}
	})
}

func TestContextEnds(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() {
		_, _, cut := New(nil).Serve(ctx, &Visit{Conn: server, To: netip.MustParseAddrPort("192.0.2.1:80")})
		done <- cut
	}()
	io.WriteString(client, "GET / HT")
	cancel()
	if !<-done {
		t.Error("the cut is not told")
	}
}
