package gateway

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// exchange is one request and its answer.
type exchange struct {
	g       *Gateway
	w       http.ResponseWriter
	r       *http.Request
	control *http.ResponseController

	number  int64  // of the request, from 1
	shown   string // the URL of the attempt
	status  int    // 0 until the header is written
	bytes   int64
	gone    bool // the client has disconnected
	refused string
	failure error
	roomy   func() // releases the slot for a large page, nil if it has none
}

func newExchange(g *Gateway, w http.ResponseWriter, r *http.Request) *exchange {
	return &exchange{
		g: g, w: w, r: r, control: http.NewResponseController(w),
		number: g.requests.Add(1), shown: r.RequestURI,
	}
}

// check refuses what is no plain read request to this host.
func (x *exchange) check() error {
	r, whole := x.r, x.drain()
	elsewhere := hostOf(r.Host) != x.g.host
	if elsewhere && strings.HasPrefix(r.RequestURI, "/") {
		x.shown = "http://" + r.Host + r.RequestURI
	}
	switch {
	case x.number > int64(x.g.opts.MaxRequests):
		x.w.Header().Set("Connection", "close")
		// Not 429, which makes installers retry.
		return refuse(http.StatusForbidden, "too many requests")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		x.w.Header().Set("Allow", "GET, HEAD")
		return refuse(http.StatusMethodNotAllowed, "packages are only read")
	case !strings.HasPrefix(r.RequestURI, "/") || r.URL.IsAbs():
		return refuse(http.StatusForbidden, "this is no proxy")
	case elsewhere:
		return refuse(http.StatusMisdirectedRequest, "meant for another host")
	case r.Header.Get("Upgrade") != "":
		return refuse(http.StatusForbidden, "no other protocol is spoken")
	case !whole:
		return refuse(http.StatusRequestEntityTooLarge, "the body of the request is too large")
	}
	return nil
}

// drain reads and discards the body of the request, so that the connection can
// be used again. It reports whether the body ended.
func (x *exchange) drain() bool {
	if x.r.ContentLength == 0 || x.r.Body == nil {
		return true
	}
	if x.r.ContentLength <= maxBody {
		_ = x.control.SetReadDeadline(time.Now().Add(bodyTimeout))
		n, err := io.Copy(io.Discard, io.LimitReader(x.r.Body, maxBody+1))
		if err == nil && n <= maxBody {
			_ = x.control.SetReadDeadline(time.Time{})
			return true
		}
	}
	// Otherwise net/http would go on reading after our answer.
	_ = x.control.SetReadDeadline(time.Now())
	x.w.Header().Set("Connection", "close")
	return false
}

// start writes the header of the answer.
func (x *exchange) start(status int) {
	x.status = status
	x.w.Header().Set("X-Content-Type-Options", "nosniff")
	x.w.WriteHeader(status)
}

// Write sends a piece of the body within the limits.
func (x *exchange) Write(p []byte) (int, error) {
	if x.r.Method == http.MethodHead {
		return len(p), nil
	}
	if !x.g.spend(int64(len(p))) {
		return 0, errSpent()
	}
	_ = x.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	n, err := x.w.Write(p)
	x.bytes += int64(n)
	x.gone = x.gone || err != nil
	return n, err
}

// send answers with a page.
func (x *exchange) send(p *page) error {
	h := x.w.Header()
	h.Set("ETag", p.etag)
	h.Set("Cache-Control", "max-age=300")
	h.Set("Vary", "Accept")
	if slices.Contains(etags(x.r.Header), p.etag) {
		x.start(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", p.contentType)
	h.Set("Content-Length", strconv.Itoa(len(p.body)))
	if err := x.g.affords(x.r.Method, int64(len(p.body))); err != nil {
		return err
	}
	x.start(http.StatusOK)
	const piece = 256 << 10
	for body := p.body; len(body) > 0; {
		n, err := x.Write(body[:min(piece, len(body))])
		if err != nil {
			return err
		}
		body = body[n:]
	}
	return nil
}

// fail answers with a message of ours. If the header was already sent, closing
// the connection is the only way to tell the client.
func (x *exchange) fail(err error) {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		x.g.opts.Logger.DebugContext(x.r.Context(), "answering the sandbox", "error", err)
		f = &failure{status: http.StatusBadGateway, text: "the answer cannot be had"}
	}
	x.failure = f.cause
	if f.refused {
		x.refused = f.text
		x.g.refused.Add(1)
	}
	if x.status != 0 {
		// This is how net/http aborts; the panic does not reach ServeHTTP's
		// caller.
		panic(http.ErrAbortHandler)
	}
	h := x.w.Header()
	for _, name := range []string{"ETag", "Cache-Control", "Content-Range", "Last-Modified"} {
		h.Del(name)
	}
	text := f.text + "\n"
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	x.start(f.status)
	if x.r.Method != http.MethodHead {
		n, _ := io.WriteString(x.w, text)
		x.bytes += int64(n)
	}
}

// finish records the exchange.
func (x *exchange) finish() {
	g := x.g
	if x.roomy != nil {
		x.roomy()
	}
	g.hooks.Lock()
	defer g.hooks.Unlock()
	if g.opts.Attempt != nil && x.number <= int64(g.opts.MaxRequests)+1 {
		g.opts.Attempt(Attempt{
			From: x.r.RemoteAddr, Method: clean(x.r.Method, 32), URL: clean(x.shown, 512), Status: x.status, Bytes: x.bytes,
			Refused: x.refused, Failure: x.failure,
		})
	}
	g.progress()
}
