package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/httpprobe"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// no gap: bounds probes for weaknesses
const (
	// probeTime is the timeout of an answer, and streamTime how long a stream
	// is read: a request has had its effect by then.
	probeTime, streamTime = 1500 * time.Millisecond, 500 * time.Millisecond
	// maxProbed is how much of an answer is read.
	maxProbed = 2 << 20
)

// reply is the response to a request; status 0 means no response.
type reply struct {
	status int
	header http.Header
	body   []byte
	path   string
}

// like reports whether two answers are equal except for the requested path.
func (r *reply) like(other reply) bool {
	if r.status == http.StatusNotFound && other.status == http.StatusNotFound {
		return true
	}
	return r.status == other.status && bytes.Equal(r.plain(), other.plain())
}

func (r *reply) plain() []byte { return bytes.ReplaceAll(r.body, []byte(r.path), nil) }

// probeRequests sends requests to one address. Each is a call of its own in the
// trace.
type probeRequests struct {
	at      *url.URL
	wire    transport.Wire
	leaves  *transport.Departures
	tap     *transport.Meter
	ledger  *ledger
	maxBody int
	// made counts the requests to all addresses.
	made int
}

// line formats a request in one line.
func (p *probeRequests) line(r *httpprobe.Request) string {
	text := r.Method + " " + p.at.Scheme + "://" + p.at.Host + r.Target()
	if body := r.Body(); len(body) > 0 {
		text += " " + string(body)
	}
	return text
}

// send sends a request as a call of its own in the trace.
func (p *probeRequests) send(ctx context.Context, r *httpprobe.Request, a *mcpsf.AttackDetail) (answer reply, call string) {
	p.made++
	x := p.ledger.probed(r.Method+" "+r.Path, a)
	answer, note := p.exchange(ctx, r, x)
	status := mcpsf.CallOK
	switch {
	case answer.status == 0:
		status = mcpsf.CallTimeout
	case answer.status >= http.StatusBadRequest:
		status = mcpsf.CallRefused
	}
	p.ledger.record(x, ended{status: status, why: note})
	return answer, x.call
}

// exchange sends a request and reads the response.
func (p *probeRequests) exchange(ctx context.Context, r *httpprobe.Request, x *exchange) (answer reply, note string) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	made, err := p.request(ctx, r)
	if err != nil {
		return reply{}, err.Error()
	}
	resp, err := p.wire.Do(made, func(offset, size int64) { p.tell(r, x, offset, size) })
	if err != nil {
		return reply{}, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	if transport.IsStream(resp) {
		timer := time.AfterFunc(streamTime, cancel)
		defer timer.Stop()
	}
	answer = reply{status: resp.StatusCode, header: resp.Header, path: r.Path}
	var b bytes.Buffer
	_, _ = io.Copy(&b, io.LimitReader(resp.Body, maxProbed)) // a partial body is enough
	answer.body = b.Bytes()
	p.heard(x, resp, answer.body)
	return answer, fmt.Sprintf("HTTP %d", resp.StatusCode)
}

// request keeps the path exactly as written: cleaning it would remove the path
// traversal.
func (p *probeRequests) request(ctx context.Context, r *httpprobe.Request) (*http.Request, error) {
	made, err := http.NewRequestWithContext(ctx, r.Method, p.at.String(), bytes.NewReader(r.Body()))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	path, query, _ := strings.Cut(r.Target(), "?")
	made.URL = &url.URL{Scheme: p.at.Scheme, Host: p.at.Host, Opaque: path, RawQuery: query}
	made.Header = r.Header()
	if r.Bound {
		made.Host = httpprobe.Stranger + ":" + p.at.Port()
		made.Header.Set("Origin", "http://"+made.Host)
	}
	made.Header.Set("Accept-Encoding", "identity")
	return made, nil
}

// tell reports a request to the tap before it is sent.
func (p *probeRequests) tell(r *httpprobe.Request, x *exchange, offset, size int64) {
	body, err := jsonrpc.Marshal(map[string]any{"request": p.line(r), "arguments": r.Arguments()})
	if err != nil {
		body = nil // encoding a string cannot fail
	}
	p.leaves.Other(mcpsf.Message{
		Kind: mcpsf.MessageRequest, Phase: mcpsf.PhaseAttack,
		Call: x.call, Method: x.method, Body: body, Attack: x.attack,
	}, offset, size)
}

// heard reports an answer to the tap.
func (p *probeRequests) heard(x *exchange, resp *http.Response, said []byte) {
	at := int64(0)
	if placed, ok := resp.Body.(transport.Placed); ok {
		at = placed.Offset()
	}
	content, cut := jsonrpc.Text(said, p.maxBody)
	p.tap.Observe(mcpsf.Message{
		Stream: mcpsf.Served, Offset: at, Size: int64(len(said)), Kind: mcpsf.MessageResponse, Phase: mcpsf.PhaseAttack,
		Call: x.call, Method: x.method, Body: content, Truncated: cut, Failed: resp.StatusCode >= http.StatusBadRequest,
		Seconds: time.Since(x.sent).Seconds(), Attack: x.attack,
	})
}

// permitted sends the CORS preflight that a browser sends before a page may
// send JSON.
func (p *probeRequests) permitted(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	r, err := p.request(ctx, &httpprobe.Request{Method: http.MethodOptions, Path: path})
	if err != nil {
		return false
	}
	r.Header = httpprobe.Preflight()
	resp, err := p.wire.Do(r, func(int64, int64) {})
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	return httpprobe.Permits(resp.StatusCode, resp.Header)
}
