package egress

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/websocket"
)

// talker is a server that runs do for each connection.
func talker(t testing.TB, do func(net.Conn)) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				do(c)
			}()
		}
	}()
	return l
}

func TestWebSocket(t *testing.T) {
	for _, secure := range []bool{false, true} {
		server := websocket.Server{Handler: func(c *websocket.Conn) {
			if got := c.Request().Header.Get("Sec-WebSocket-Extensions"); got != "" {
				t.Errorf("extensions %q are asked for", got)
			}
			for {
				var text string
				if websocket.Message.Receive(c, &text) != nil {
					return
				}
				_ = websocket.Message.Send(c, "heard "+text)
			}
		}}
		far, roots := realHost(t, secure, server.ServeHTTP)
		w := start(t, nil, "api.example", far.Listener.Addr(), trusting(roots))
		scheme := map[bool]string{false: "ws", true: "wss"}[secure]
		config, err := websocket.NewConfig(scheme+"://api.example/chat", "http://api.example/")
		if err != nil {
			t.Fatal(err)
		}
		config.Header = http.Header{"Sec-Websocket-Extensions": {"permessage-deflate"}}
		conn := w.dial(t)
		if secure {
			conn = w.secure(t, conn)
		}
		ws, err := websocket.NewClient(config, conn)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"one", strings.Repeat("x", 70000)} {
			var got string
			if websocket.Message.Send(ws, text) != nil || websocket.Message.Receive(ws, &got) != nil || got != "heard "+text {
				t.Fatalf("heard %.20q", got)
			}
		}
		ws.Close()
		got := w.end(t, 1)
		if !strings.HasSuffix(got.Service, "websocket") || got.Failed != "" {
			t.Errorf("ended %+v", got)
		}
		if got := w.said("frame"); !strings.HasPrefix(got, "onexxx") || len(got) < 70003 {
			t.Errorf("frames %.10q of %d", got, len(got))
		}
		if r := w.requests(); len(r) != 1 || !r[0].Upgrade || r[0].Status != 101 || r[0].URL != map[bool]string{false: "http", true: "https"}[secure]+"://api.example/chat" {
			t.Errorf("told %+v", r)
		}
	}
}

// An endless answer is relayed piece by piece.
func TestStreaming(t *testing.T) {
	more := make(chan struct{})
	far, _ := realHost(t, false, func(out http.ResponseWriter, _ *http.Request) {
		for range 3 {
			fmt.Fprint(out, "data: x\n\n")
			out.(http.Flusher).Flush()
			<-more
		}
	})
	w := start(t, nil, "api.example", far.Listener.Addr())
	client := w.client(t, http1)
	res, err := client.Get("http://api.example/events")
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(res.Body)
	for range 3 {
		if line, err := in.ReadString('\n'); line != "data: x\n" {
			t.Fatalf("got %q, %v", line, err)
		}
		_, _ = in.ReadString('\n')
		more <- struct{}{}
	}
	res.Body.Close()
	client.CloseIdleConnections()
	w.end(t, 1)
	if r := w.requests(); len(r) != 1 || r[0].AnswerSize != 27 {
		t.Errorf("told %+v", r)
	}
}

func TestOtherProtocols(t *testing.T) {
	greeting := talker(t, func(c net.Conn) {
		fmt.Fprint(c, "220 hello\r\n")
		line, _ := bufio.NewReader(c).ReadString('\n')
		fmt.Fprint(c, "250 "+line)
	})
	echoing := talker(t, func(c net.Conn) { _, _ = io.Copy(c, c) })
	counting := talker(t, func(c net.Conn) { // answers after the client closed its side
		n, _ := io.Copy(io.Discard, c)
		fmt.Fprint(c, n)
	})
	for _, tt := range []struct {
		name        string
		far         net.Listener
		send, hear  string
		half        bool
		first, told string
	}{
		{"the server speaks first", greeting, "EHLO secret\r\n", "220 hello\r\n250 EHLO secret\r\n", false, "", "EHLO secret\r\n"},
		{"the client speaks first", echoing, "\x00\x01secret", "\x00\x01secret", false, "\x00\x01secret", "\x00\x01secret"},
		{"the client ends first", counting, "\x00secret", "7", true, "\x00secret", "\x00secret"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, nil, "api.example", tt.far.Addr())
			c := w.dial(t)
			if tt.name == "the server speaks first" {
				time.Sleep(3 * glance)
			}
			fmt.Fprint(c, tt.send)
			if tt.half {
				c.(*net.TCPConn).CloseWrite()
			}
			got := make([]byte, len(tt.hear))
			if _, err := io.ReadFull(c, got); string(got) != tt.hear {
				t.Errorf("heard %q, %v", got, err)
			}
			c.Close()
			if got, want := w.end(t, 1), (end{First: tt.first, Reached: "127.0.0.1"}); got != want {
				t.Errorf("ended %+v, want %+v", got, want)
			}
			if got := w.said(""); got != tt.told {
				t.Errorf("told %q", got)
			}
		})
	}
}

// The server may send first inside TLS, too.
func TestGreetingInsideTLS(t *testing.T) {
	far, roots := realHost(t, true, echo)
	mail := talker(t, func(c net.Conn) {
		s := tls.Server(c, far.TLS)
		fmt.Fprint(s, "* OK ready\r\n")
		line, _ := bufio.NewReader(s).ReadString('\n')
		fmt.Fprint(s, "OK "+line)
	})
	w := start(t, nil, "api.example", mail.Addr(), trusting(roots))
	c := w.secure(t, w.dial(t))
	in := bufio.NewReader(c)
	if line, err := in.ReadString('\n'); line != "* OK ready\r\n" {
		t.Fatalf("greeted %q, %v", line, err)
	}
	fmt.Fprint(c, "LOGIN secret\r\n")
	if line, err := in.ReadString('\n'); line != "OK LOGIN secret\r\n" {
		t.Fatalf("answered %q, %v", line, err)
	}
	c.Close()
	if got := w.end(t, 1); got.Service != "tls" || got.Failed != "" {
		t.Errorf("ended %+v", got)
	}
	if h := w.handshakes(); len(h) != 1 || h[0].Version != "1.3" || h[0].Rejected != "" || w.said("") != "LOGIN secret\r\n" {
		t.Errorf("told %+v, %q", h, w.said(""))
	}
}

// Malformed and ambiguous requests are not relayed.
func TestMalformedRequests(t *testing.T) {
	var calls atomic.Int64
	far, _ := realHost(t, false, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	for _, raw := range []string{
		"GET / HTTP/1.1\r\nHost: api.example\r\nsecret\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 3\r\nContent-Length: 6\r\n\r\nsecret",
		"POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: xchunked\r\n\r\nsecret",
		"GET / HTTP/1.1\r\nHost: a b secret\r\n\r\n",
		"GET / HTTP/9.9\r\nHost: api.example secret\r\n\r\n",
		"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nX: secret\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: api.example\r\nX: " + strings.Repeat("secret", 20000) + "\r\n\r\n",
		"GET http://evil.example/secret HTTP/1.1\r\nHost: api.example\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 6\r\n\r\nsecret",
		"\r\nGET / HTTP/1.1\r\nHost: evil.example\r\nX: secret\r\n\r\n",
		"\nGET / HTTP/1.1\r\nHost: evil.example\r\nX: secret\r\n\r\n",
	} {
		w := start(t, &Options{Allow: mustList(t, "api.example")}, "api.example", far.Listener.Addr())
		c := w.dial(t)
		go func() { fmt.Fprint(c, raw) }()
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		answer := make([]byte, 12)
		_, _ = io.ReadFull(c, answer)
		c.Close()
		w.end(t, 1)
		var all string
		for _, text := range w.sent {
			all += text.String()
		}
		if !strings.Contains(all, "secret") {
			t.Errorf("%.60q was not told: %.100q", raw, all)
		}
		if !strings.HasPrefix(string(answer), "HTTP/1.1 4") && !strings.HasPrefix(string(answer), "HTTP/1.1 5") {
			t.Errorf("%.60q was answered %q", raw, answer)
		}
	}
	if calls.Load() > 0 {
		t.Errorf("%d got out", calls.Load())
	}
}

func TestBodyTooLarge(t *testing.T) {
	far, _ := realHost(t, false, echo)
	w := start(t, nil, "api.example", far.Listener.Addr())
	res, err := w.client(t, http1).Post("http://api.example/", "x/y", io.LimitReader(endless{}, 40<<20))
	if err == nil {
		t.Errorf("answered %d", res.StatusCode)
	}
	if got := w.end(t, 1); !got.Cut || got.Failed != "" {
		t.Errorf("ended %+v", got)
	}
	if r := w.requests(); len(r) != 1 || !r[0].Cut || r[0].Size != 32<<20 {
		t.Errorf("told %+v", r)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestRunLimits(t *testing.T) {
	far, _ := realHost(t, false, echo)
	for name, full := range map[string]func(*Egress){
		"as many as it may":      func(e *Egress) { e.made.Store(maxMade) },
		"as many as may be":      func(e *Egress) { e.open = make(chan struct{}) },
		"has sent as much as it": func(e *Egress) { e.spent.Store(maxSpent) },
	} {
		w := start(t, nil, "api.example", far.Listener.Addr(), full)
		if _, err := w.client(t, http1).Get("http://api.example/"); err == nil {
			t.Errorf("%s: answered", name)
		}
		if got := w.end(t, 1); !strings.Contains(got.Failed, name) {
			t.Errorf("%s: ended %+v", name, got)
		}
	}
	w := start(t, nil, "api.example", far.Listener.Addr())
	w.e.asked.Store(maxAsked)
	if exists, decided := w.e.Real(t.Context(), "api.example"); exists || !decided {
		t.Error("one question too many was asked")
	}
}

// Slots are released, so that a long run does not run out of them.
func TestPlacesAreGivenBack(t *testing.T) {
	far, roots := realHost(t, true, echo)
	w := start(t, nil, "api.example", far.Listener.Addr(), trusting(roots))
	for i := range 20 {
		client := w.client(t, both)
		res, err := client.Get("https://api.example/")
		if err != nil {
			t.Fatal(err)
		}
		read(t, res)
		client.CloseIdleConnections()
		w.end(t, i+1)
	}
	for range 200 {
		if len(w.e.open) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d places are taken", len(w.e.open))
}

// A malformed answer of a real host goes to the client and does not harm us.
func TestHostileRealHost(t *testing.T) {
	for _, answer := range []string{
		"nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 1<<20) + "\r\n\r\n", "", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n\x1f\x8bnot",
	} {
		far := talker(t, func(c net.Conn) {
			_, _ = c.Read(make([]byte, 4096))
			fmt.Fprint(c, answer)
		})
		w := start(t, nil, "api.example", far.Addr())
		client := w.client(t, http1)
		if res, err := client.Get("http://api.example/"); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		client.CloseIdleConnections()
		w.end(t, 1)
		if r := w.requests(); len(r) != 1 {
			t.Errorf("%.20q: %d requests were told", answer, len(r))
		}
	}
}

func TestReadable(t *testing.T) {
	if got := readable("bad \x1b[2J\u202ename\xff " + strings.Repeat("é", 400)); !strings.HasPrefix(got, "bad .[2J.name") || len(got) > 300 || !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}

// Bytes that a lenient server may accept as TLS, but that cannot be parsed
// here, are not relayed: they would open uninspected TLS to an unknown name.
func TestNearlyTLS(t *testing.T) {
	var calls atomic.Int64
	far := talker(t, func(c net.Conn) {
		if n, _ := c.Read(make([]byte, 100)); n > 0 {
			calls.Add(1)
		}
	})
	for name, first := range map[string]string{
		"broken":        "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00secret",
		"of no version": "\x16\x03\x07\x00\x20\x01\x00\x00\x1csecret",
		"empty record":  "\x16\x03\x01\x00\x00\x16\x03\x01secret",
		"of SSL 2":      "\x80\x2e\x01\x03\x03secret",
		"one byte":      "\x16",
	} {
		for _, untouched := range []bool{false, true} {
			w := start(t, &Options{Untouched: untouched}, "api.example", far.Addr())
			c := w.dial(t)
			fmt.Fprint(c, first)
			c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c)
			got := w.end(t, 1)
			if got.Reached != "" || w.said("") != first {
				t.Errorf("%s: ended %+v, told %q", name, got, w.said(""))
			}
		}
	}
	if calls.Load() > 0 {
		t.Errorf("%d got out", calls.Load())
	}
}
