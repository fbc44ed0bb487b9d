package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/pause"
)

// revision is the revision we offer; every HTTP server supports it.
const revision = protocol.Headers

// prober makes requests to one server.
type prober struct {
	doer Doer
	url  *url.URL
	opts Options
	told []mcpsf.RemoteDetail
	// old is set for a server of the HTTP+SSE transport, whose answers all come
	// in one stream.
	old bool
	// open is set for a server that needs no credentials.
	open bool
	last time.Time
	seen int
}

// ask is a request, and what is unusual about it.
type ask struct {
	method string
	params any
	// id is the request's id, "" to generate one.
	id string
	// bare omits the credentials; session is the session id.
	bare    bool
	session string
	host    string
	header  http.Header
}

// answer is the response to a request.
type answer struct {
	// err is set if there was no response.
	err    error
	status int
	header http.Header
	// body is the message with the id of the request, nil if there was none.
	body []byte
	// session is the session id that the server issued.
	session string
	result  json.RawMessage
	failure string
}

// baseline finds out which transport the server uses, and whether it needs
// credentials.
func (p *prober) baseline(ctx context.Context) bool {
	a := p.ask(ctx, ask{method: protocol.MethodInitialize})
	if !a.taken() && a.unsuitable() {
		p.old = true
		a = p.ask(ctx, ask{method: protocol.MethodInitialize})
	}
	if !a.taken() {
		return false
	}
	p.leave(ctx, a.session, false)
	p.open = p.isOpen(ctx)
	return true
}

// unsuitable reports that the server does not use this transport.
func (a *answer) unsuitable() bool {
	switch a.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return true
	}
	return false
}

// isOpen reports whether the server accepts a client without credentials.
func (p *prober) isOpen(ctx context.Context) bool {
	a := p.ask(ctx, ask{method: protocol.MethodInitialize, bare: true})
	if !a.taken() {
		return false
	}
	defer p.leave(ctx, a.session, true)
	list := p.ask(ctx, ask{method: "tools/list", bare: true, session: a.session})
	return list.taken()
}

// taken reports whether the server processed the request. An error counts as
// processed, unless it is about authentication.
func (a *answer) taken() bool {
	return a.err == nil && a.status/100 == 2 && a.body != nil && !a.refused()
}

// refused reports whether an error is about authentication.
func (a *answer) refused() bool {
	text := strings.ToLower(a.failure)
	for _, word := range []string{
		"auth", "forbidden", "denied", "credential", "token", "api key", "api-key", "apikey", "login", "log in", "sign in", "permission", "origin", "host header",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// String describes the response in a few words.
func (a *answer) String() string {
	switch {
	case a.err != nil:
		return "no answer"
	case a.body == nil:
		return fmt.Sprintf("HTTP %d and no message", a.status)
	case a.failure != "":
		return fmt.Sprintf("HTTP %d and an error: %s", a.status, cut(a.failure, 120))
	}
	return fmt.Sprintf("HTTP %d and a result", a.status)
}

func cut(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}

// pace waits until the next request may be sent.
func (p *prober) pace(ctx context.Context) error {
	wait := p.opts.Pause - time.Since(p.last)
	if !p.last.IsZero() && wait > 0 {
		if err := pause.For(ctx, wait); err != nil {
			return err
		}
	}
	p.last = time.Now()
	return ctx.Err()
}

// ask sends a request and waits for its answer.
func (p *prober) ask(ctx context.Context, q ask) answer {
	if err := p.pace(ctx); err != nil {
		return answer{err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	id, message, err := p.message(&q)
	if err != nil {
		return answer{err: err}
	}
	if p.old {
		return p.askOld(ctx, &q, id, message)
	}
	return p.post(ctx, p.url, &q, id, message)
}

// message encodes a request.
func (p *prober) message(q *ask) (id string, wire []byte, err error) {
	p.seen++
	id = q.id
	if id == "" {
		id = fmt.Sprintf("%s-%d", p.opts.Nonce, p.seen)
	}
	params := q.params
	switch {
	case q.method == protocol.MethodInitialize:
		params = map[string]any{
			"protocolVersion": revision, "capabilities": map[string]any{},
			"clientInfo": map[string]any{"name": "claude-ai", "version": "0.1.0"},
		}
	case params == nil:
		params = map[string]any{}
	}
	wire, err = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": q.method, "params": params})
	return id, wire, err
}

// post sends a message and reads the response.
func (p *prober) post(ctx context.Context, to *url.URL, q *ask, id string, message []byte) answer {
	r, err := p.request(ctx, http.MethodPost, to, q, message)
	if err != nil {
		return answer{err: err}
	}
	response, err := p.doer.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header, session: response.Header.Get(protocol.HeaderSession)}
	if response.StatusCode/100 != 2 {
		return a
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		a.read(newStream(response.Body), id)
		return a
	}
	body, _ := limited(response.Body)
	a.recognise(body, id)
	return a
}

// request makes an HTTP request with all headers of a client.
func (p *prober) request(ctx context.Context, method string, to *url.URL, q *ask, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body == nil {
		r.Body, r.ContentLength = nil, 0
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.session != "" {
		r.Header.Set(protocol.HeaderSession, q.session)
	}
	if q.method != protocol.MethodInitialize {
		r.Header.Set(protocol.HeaderRevision, revision)
	}
	if !q.bare {
		maps.Copy(r.Header, p.opts.Credentials)
	}
	maps.Copy(r.Header, q.header)
	if q.host != "" {
		r.Host = q.host
	}
	return r, nil
}

// leave ends a session. An error does not matter: no request follows.
func (p *prober) leave(ctx context.Context, session string, bare bool, header ...http.Header) {
	if session == "" || p.old || p.pace(ctx) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	q := ask{session: session, bare: bare}
	if len(header) > 0 {
		q.header = header[0]
	}
	r, err := p.request(ctx, http.MethodDelete, p.url, &q, nil)
	if err != nil {
		return
	}
	if response, err := p.doer.Do(r); err == nil {
		_ = response.Body.Close()
	}
}

// limited reads at most maxBody bytes.
func limited(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.Copy(&b, io.LimitReader(r, maxBody))
	return b.Bytes(), err
}
