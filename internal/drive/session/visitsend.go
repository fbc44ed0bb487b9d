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
)

const (
	// visitTime is how long an answer is waited for, and streamTime how long a
	// stream is listened to: what it is for has begun by then.
	visitTime, streamTime = 1500 * time.Millisecond, 500 * time.Millisecond
	// maxVisited is how much of an answer is read.
	maxVisited = 2 << 20
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

// line is a request in one line.
func (v *visitor) line(r *httpprobe.Request) string {
	text := r.Method + " " + v.at.Scheme + "://" + v.at.Host + r.Target()
	if body := r.Body(); len(body) > 0 {
		text += " " + string(body)
	}
	return text
}

// send makes a request, which the trace has as a call of its own.
func (v *visitor) send(ctx context.Context, r *httpprobe.Request, a *mcpsf.AttackDetail) (answer reply, call string) {
	v.made++
	x := v.session.visited(r.Method+" "+r.Path, a)
	answer, note := v.exchange(ctx, r, x)
	status := mcpsf.CallOK
	switch {
	case answer.status == 0:
		status = mcpsf.CallTimeout
	case answer.status >= http.StatusBadRequest:
		status = mcpsf.CallRefused
	}
	_ = v.session.record(x, request{}, status, note, nil) // passes on the nil
	return answer, x.call
}

// exchange sends a request and reads what comes back.
func (v *visitor) exchange(ctx context.Context, r *httpprobe.Request, x *exchange) (answer reply, note string) {
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	made, err := v.request(ctx, r)
	if err != nil {
		return reply{}, err.Error()
	}
	resp, err := v.wire.Do(made, func(offset, size int64) { v.tell(r, x, offset, size) })
	if err != nil {
		return reply{}, err.Error()
	}
	defer closeBody(resp)
	if isStream(resp) {
		timer := time.AfterFunc(streamTime, cancel)
		defer timer.Stop()
	}
	answer = reply{status: resp.StatusCode, header: resp.Header, path: r.Path}
	var b bytes.Buffer
	_, _ = io.Copy(&b, io.LimitReader(resp.Body, maxVisited)) // what came before it broke off will do
	answer.body = b.Bytes()
	v.heard(x, resp, answer.body)
	return answer, fmt.Sprintf("HTTP %d", resp.StatusCode)
}

// request leaves the path as it is written: some climb.
func (v *visitor) request(ctx context.Context, r *httpprobe.Request) (*http.Request, error) {
	made, err := http.NewRequestWithContext(ctx, r.Method, v.at.String(), bytes.NewReader(r.Body()))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	path, query, _ := strings.Cut(r.Target(), "?")
	made.URL = &url.URL{Scheme: v.at.Scheme, Host: v.at.Host, Opaque: path, RawQuery: query}
	made.Header = r.Header()
	if r.Bound {
		made.Host = httpprobe.Stranger + ":" + v.at.Port()
		made.Header.Set("Origin", "http://"+made.Host)
	}
	made.Header.Set("Accept-Encoding", "identity")
	return made, nil
}

// tell tells the tap of a request that is about to leave.
func (v *visitor) tell(r *httpprobe.Request, x *exchange, offset, size int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sent = max(v.sent, offset)
	body, err := marshal(map[string]any{"request": v.line(r), "arguments": r.Arguments()})
	if err != nil {
		body = nil // a line is always a string
	}
	v.tap.observe(mcpsf.Message{
		Stream: mcpsf.Stdin, Offset: offset, Size: size, Kind: mcpsf.MessageRequest, Phase: mcpsf.PhaseAttack,
		Call: x.call, Method: x.method, Body: body, Attack: x.attack,
	})
}

// heard tells the tap of an answer.
func (v *visitor) heard(x *exchange, resp *http.Response, said []byte) {
	at := int64(0)
	if placed, ok := resp.Body.(Placed); ok {
		at = placed.Offset()
	}
	content, cut := text(said, v.opts.MaxBody)
	v.tap.observe(mcpsf.Message{
		Stream: mcpsf.Served, Offset: at, Size: int64(len(said)), Kind: mcpsf.MessageResponse, Phase: mcpsf.PhaseAttack,
		Call: x.call, Method: x.method, Body: content, Truncated: cut, Failed: resp.StatusCode >= http.StatusBadRequest,
		Seconds: time.Since(x.sent).Seconds(), Attack: x.attack,
	})
}

// permitted asks what a browser asks before a page may send JSON.
func (v *visitor) permitted(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	r, err := v.request(ctx, &httpprobe.Request{Method: http.MethodOptions, Path: path})
	if err != nil {
		return false
	}
	r.Header = httpprobe.Preflight()
	resp, err := v.wire.Do(r, func(int64, int64) {})
	if err != nil {
		return false
	}
	defer closeBody(resp)
	return httpprobe.Permits(resp.StatusCode, resp.Header)
}

// climb asks for a file by a path that leads out of whatever is served.
func (v *visitor) climb(ctx context.Context) {
	const up = 12
	for _, step := range []string{"/..", "/%2e%2e", "/..%2f", "/..%5c", "/static/.."} {
		if v.over(ctx) {
			return
		}
		secret := v.World.Secret(v.made)
		r := httpprobe.Request{Method: http.MethodGet, Path: strings.Repeat(step, up) + secret}
		if strings.HasSuffix(step, "%2f") {
			r.Path = "/" + strings.Repeat(step[1:], up) + strings.ReplaceAll(secret[1:], "/", "%2f")
		}
		a := mcpsf.AttackDetail{
			Class: mcpsf.ClassEndpoint, Place: "/", Sign: mcpsf.SignOpen, Marker: secret, Why: "a path that climbs out", Payload: shown(v.line(&r)),
		}
		if _, call := v.send(ctx, &r, &a); v.Shown(ctx, &a, call) {
			plain, page := a, a
			plain.Class, page.Class = mcpsf.ClassEndpointFile, mcpsf.ClassEndpointFile+mcpsf.FromPage
			bound := r
			bound.Bound = true
			if _, call := v.send(ctx, &bound, &page); !v.Shown(ctx, &page, call) {
				v.send(ctx, &r, &plain)
			}
			return
		}
	}
}

// visited puts a request on the books that is none of the protocol.
func (s *session) visited(method string, a *mcpsf.AttackDetail) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	method, _ = clip(method, maxMethod)
	x := &exchange{
		call: fmt.Sprintf("c%d", s.opts.FirstCall+len(s.exchanges)+1), method: method, attack: a,
		sent: time.Now(), state: answered,
	}
	s.exchanges = append(s.exchanges, x)
	return x
}
