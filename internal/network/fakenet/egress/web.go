package egress

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

// no gap: exceeding it refuses the connection to a real host, which is an event
const (
	maxHead    = 64 << 10
	maxStreams = 32
	maxConns   = 8 // to one host, for one visit
	maxUnread  = 64 << 10
)

// http relays requests one by one.
func (r *relay) http(ctx context.Context, kind host.Spoken, to *upstream) string {
	w := &web{r: r, to: to, transport: transportTo(kind, to)}
	defer w.transport.CloseIdleConnections()
	conn := &only{Conn: r.observer.Conn(), closed: make(chan struct{})}
	var speaks http.Protocols
	speaks.SetHTTP1(true)
	speaks.SetUnencryptedHTTP2(true) // TLS, if any, is handled outside the server
	quiet := slog.NewLogLogger(r.e.log.Handler(), slog.LevelDebug)
	server := &http.Server{
		Handler: w, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: idleTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHead,
		Protocols: &speaks, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams}, ErrorLog: quiet,
	}
	w.quiet = server
	_ = server.Serve(&oneConn{conn: conn}) // ends with the connection
	w.wait()
	if w.began == 0 { // the client did not speak HTTP after all
		r.observer.Sent("", append(conn.beginning(), r.observer.Ahead()...))
	}
	if w.socket {
		return "websocket"
	}
	return "http"
}

func transportTo(kind host.Spoken, to *upstream) *http.Transport {
	var speaks http.Protocols
	speaks.SetHTTP1(kind != host.SpokenHTTP2 || to.secure)
	speaks.SetHTTP2(to.secure)
	speaks.SetUnencryptedHTTP2(kind == host.SpokenHTTP2 && !to.secure)
	first := make(chan net.Conn, 1)
	first <- to.conn
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		select {
		case conn := <-first:
			return conn, nil
		default:
			return to.again(ctx)
		}
	}
	return &http.Transport{
		DialContext: dial, DialTLSContext: dial, Protocols: &speaks, DisableCompression: true,
		MaxConnsPerHost: maxConns, IdleConnTimeout: idleTime, MaxResponseHeaderBytes: 4 * maxHead,
		ExpectContinueTimeout: time.Second,
	}
}

// web relays the requests of one connection.
type web struct {
	r         *relay
	to        *upstream
	transport *http.Transport
	quiet     *http.Server // the proxy uses its ErrorLog

	mu      sync.Mutex
	ended   bool
	began   int
	socket  bool
	working sync.WaitGroup
}

// begin returns false if the connection has already ended.
func (w *web) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return false
	}
	w.began++
	w.working.Add(1)
	return true
}

func (w *web) wait() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.working.Wait()
}

// ServeHTTP implements [http.Handler].
func (w *web) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	if !w.begin() {
		panic(http.ErrAbortHandler)
	}
	defer w.working.Done()
	x := w.r.observer.Request(in)
	defer x.End()
	in.Body = &heardBody{ReadCloser: in.Body, x: x}
	switch {
	case in.Method == http.MethodConnect || in.Host != "" && !w.r.covers(x.Domain()):
		// An allowed host must not be used to reach other hosts.
		_, _ = io.Copy(io.Discard, in.Body) // reading reports the body
		x.Answered(http.StatusMisdirectedRequest, nil)
		out.WriteHeader(http.StatusMisdirectedRequest)
		return
	case w.r.observer.Enough():
		w.r.over.Store(true)
		out.Header().Set("Connection", "close")
	}
	frames := &socket{}
	defer frames.end()
	proxy := &httputil.ReverseProxy{
		Transport: w.transport, FlushInterval: -1, ErrorLog: w.quiet.ErrorLog, Rewrite: w.rewrite,
		ModifyResponse: func(res *http.Response) error {
			w.answered(res, x, frames)
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) {
			if in.Context().Err() == nil && !errors.Is(err, errLarge) {
				w.r.fail(plainer(err))
			}
			panic(http.ErrAbortHandler) // as if the real host had disconnected
		},
	}
	proxy.ServeHTTP(out, in)
}

// rewrite keeps the request unchanged, except for its destination. WebSocket
// compression is removed, so that frames can be read.
func (w *web) rewrite(p *httputil.ProxyRequest) {
	p.Out.URL.Scheme = "http"
	if w.to.secure {
		p.Out.URL.Scheme = "https"
	}
	p.Out.URL.Host = w.r.reached.String()
	p.Out.URL.RawQuery = p.In.URL.RawQuery
	p.Out.Host = cmp.Or(p.In.Host, placeOf(w.r.v))
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, ok := p.In.Header[name]; ok {
			p.Out.Header[name] = values
		}
	}
	p.Out.Header.Del("Sec-WebSocket-Extensions")
}

// answered records the answer while it is relayed.
func (w *web) answered(res *http.Response, x *host.Exchange, s *socket) {
	x.Answered(res.StatusCode, res.Header)
	if both, ok := res.Body.(io.ReadWriteCloser); ok && res.StatusCode == http.StatusSwitchingProtocols {
		s.ReadWriteCloser, s.told = both, plainFrames{w.r.observer}
		if x.IsSocket() {
			s.told = w.r.observer.Frames()
			w.mu.Lock()
			w.socket = true
			w.mu.Unlock()
		}
		res.Body = s
		x.End() // the rest is reported as part of the flow
		return
	}
	res.Body = &heardAnswer{ReadCloser: res.Body, x: x}
}
