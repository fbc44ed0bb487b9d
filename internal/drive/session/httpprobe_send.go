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

const (
	// probeTime is how long an answer is waited for, and streamTime how long a
	// stream is listened to: what it is for has begun by then.
	probeTime, streamTime = 1500 * time.Millisecond, 500 * time.Millisecond
	// maxProbed is how much of an answer is read.
	maxProbed = 2 << 20
)

// reply is what came of a request; a status of 0 is nothing.
type reply struct {
	status int
	header http.Header
	body   []byte
	path   string
}

// like tells whether two answers are the same but for the path that was asked
// for.
func (r *reply) like(other reply) bool {
	if r.status == http.StatusNotFound && other.status == http.StatusNotFound {
		return true
	}
	return r.status == other.status && bytes.Equal(r.plain(), other.plain())
}

func (r *reply) plain() []byte { return bytes.ReplaceAll(r.body, []byte(r.path), nil) }

// probeRequests makes requests to one place, each of which the trace has as a
// call of its own.
type probeRequests struct {
	at      *url.URL
	wire    transport.Wire
	leaves  *transport.Departures
	tap     *transport.Meter
	ledger  *ledger
	maxBody int
	// made is how many requests were made, in all places.
	made int
}

// line is a request in one line.
func (p *probeRequests) line(r *httpprobe.Request) string {
	text := r.Method + " " + p.at.Scheme + "://" + p.at.Host + r.Target()
	if body := r.Body(); len(body) > 0 {
		text += " " + string(body)
	}
	return text
}

// send makes a request, which the trace has as a call of its own.
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

// exchange sends a request and reads what comes back.
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
	_, _ = io.Copy(&b, io.LimitReader(resp.Body, maxProbed)) // what came before it broke off will do
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

// tell tells the tap of a request that is about to leave.
func (p *probeRequests) tell(r *httpprobe.Request, x *exchange, offset, size int64) {
	body, err := jsonrpc.Marshal(map[string]any{"request": p.line(r), "arguments": r.Arguments()})
	if err != nil {
		body = nil // a line is always a string
	}
	p.leaves.Other(mcpsf.Message{
		Kind: mcpsf.MessageRequest, Phase: mcpsf.PhaseAttack,
		Call: x.call, Method: x.method, Body: body, Attack: x.attack,
	}, offset, size)
}

// heard tells the tap of an answer.
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

// permitted asks what a browser asks before a page may send JSON.
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
