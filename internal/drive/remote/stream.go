package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/sse"
)

// maxMessages bounds how many messages are read before the awaited one.
// no gap: bounds probes of a remote server for weaknesses
const maxMessages = 200

// recognise accepts a message if it answers the request.
func (a *answer) recognise(body []byte, id string) bool {
	var m jsonrpc.Envelope
	body = bytes.TrimSpace(body)
	if len(body) > 1 && body[0] == '[' {
		body = bytes.TrimSpace(body[1 : len(body)-1]) // a batch of one
	}
	if json.Unmarshal(body, &m) != nil || !m.Answers() {
		return false
	}
	var own string
	if json.Unmarshal(m.ID, &own) == nil && own != id && own != "" {
		return false // the answer to another request
	}
	a.body, a.result = bytes.Clone(body), m.Result
	if m.Failed() {
		a.failure = string(m.Error)
	} else if jsonrpc.IsErrorResult(m.Result) {
		a.failure = string(m.Result)
	}
	return true
}

// read looks for the answer in a stream of events.
func (a *answer) read(s *stream, id string) {
	for range maxMessages {
		_, data, ok := s.next()
		if !ok || a.recognise(data, id) {
			return
		}
	}
}

// stream reads server-sent events within bounds.
type stream struct {
	from   io.Reader
	parser sse.Parser
	events []sse.Event // parsed and not yet returned
}

func newStream(r io.Reader) *stream {
	s := &stream{from: io.LimitReader(r, maxBody)}
	s.parser = sse.Parser{Max: maxBody, Head: maxBody, Emit: func(e sse.Event) {
		e.Data = bytes.Clone(e.Data)
		s.events = append(s.events, e)
	}}
	return s
}

// next returns the next event; ok is false at the end.
func (s *stream) next() (event string, data []byte, ok bool) {
	buf := make([]byte, 4<<10)
	for len(s.events) == 0 {
		n, err := s.from.Read(buf)
		s.parser.Feed(buf[:n])
		if err != nil && len(s.events) == 0 {
			return "", nil, false
		}
	}
	e := s.events[0]
	s.events = s.events[1:]
	return e.Name, e.Data, true
}

// line is a connection of the HTTP+SSE transport (revision 2024-11-05).
type line struct {
	*stream
	to   *url.URL // where messages are sent
	name string   // as the server gave it
	body io.Closer
}

// dial opens a stream and waits for the address for messages.
func (p *prober) dial(ctx context.Context, q *ask) (*line, answer) {
	r, err := p.request(ctx, http.MethodGet, p.url, q, nil)
	if err != nil {
		return nil, answer{err: err}
	}
	r.Header.Set("Accept", "text/event-stream")
	response, err := p.doer.Do(r)
	if err != nil {
		return nil, answer{err: err}
	}
	a := answer{status: response.StatusCode, header: response.Header}
	l := &line{stream: newStream(response.Body), body: response.Body}
	if response.StatusCode == http.StatusOK {
		for range maxMessages {
			event, data, ok := l.next()
			if !ok {
				break
			}
			if event != "endpoint" {
				continue
			}
			l.name = string(data)
			to, err := p.url.Parse(l.name)
			if err != nil || to.Scheme != p.url.Scheme || to.Host != p.url.Host && to.Host != q.host {
				break // another origin: do not follow
			}
			to.Host = p.url.Host
			l.to = to
			return l, a
		}
	}
	_ = response.Body.Close()
	return nil, a
}

// askOld sends a request over the HTTP+SSE transport, on a new connection.
func (p *prober) askOld(ctx context.Context, q *ask, id string, message []byte) answer {
	l, a := p.dial(ctx, q)
	if l == nil {
		return a
	}
	defer l.body.Close()
	if q.method != protocol.MethodInitialize {
		if first := p.askOn(ctx, l, ask{method: protocol.MethodInitialize, bare: q.bare, host: q.host, header: q.header}); first.body == nil {
			return first
		}
	}
	sent := p.post(ctx, l.to, q, id, message)
	sent.session = l.name
	if sent.err != nil || sent.status/100 != 2 || sent.body != nil {
		return sent
	}
	sent.read(l.stream, id)
	return sent
}

// askOn sends a request on an open connection.
func (p *prober) askOn(ctx context.Context, l *line, q ask) answer {
	id, message, err := p.message(&q)
	if err != nil {
		return answer{err: err}
	}
	a := p.post(ctx, l.to, &q, id, message)
	if a.err == nil && a.status/100 == 2 && a.body == nil {
		a.read(l.stream, id)
	}
	return a
}
