package transport

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/sse"
)

// Header defects of a listening server, worded for the report.
const (
	noteRedirect  = "redirects to another origin"
	noteSessionID = "gave the session an id that cannot be sent back"
	noteNewID     = "changed the id of the session"
)

// maxRedirects is how many redirects within an origin are followed.
// no gap: what is longer is malformed output or ends the connection, which is an event
const maxRedirects = 3

// endpoint is the server as an HTTP client sees it: its address, and what every
// request must carry.
type endpoint struct {
	wire    Wire
	headers http.Header
	find    func(context.Context) (string, error)
	peer    Peer

	base *url.URL // set before the first request

	mu       sync.Mutex
	address  *url.URL // where messages are sent
	id       string   // the session id that the server issued
	revision string   // the agreed revision, "" before
	older    bool     // answers come in one stream (2024-11-05)
}

func newEndpoint(opts *Options, peer Peer) (*endpoint, error) {
	e := &endpoint{wire: opts.Wire, headers: opts.Headers, find: opts.Locate, peer: peer}
	if opts.Locate != nil {
		return e, nil
	}
	base, err := ParseAddress(opts.URL)
	if err != nil {
		return nil, err
	}
	e.base, e.address = base, base
	return e, nil
}

// ParseAddress parses the address of a server.
func ParseAddress(where string) (*url.URL, error) {
	at, err := url.Parse(where)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server", where)
	}
	at.Fragment = ""
	return at, nil
}

// locate finds the server's address if it is not known.
func (e *endpoint) locate(ctx context.Context) error {
	if e.base != nil {
		return nil
	}
	where, err := e.find(ctx)
	if err != nil {
		return err
	}
	at, err := ParseAddress(where)
	if err != nil {
		return err
	}
	e.base = at
	e.moveTo(at)
	return nil
}

// messages returns the address for messages.
func (e *endpoint) messages() *url.URL {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.address
}

func (e *endpoint) moveTo(to *url.URL) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.address = to
}

func (e *endpoint) agree(revision string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.revision = revision
}

// stateless reports whether the agreed revision has no sessions.
func (e *endpoint) stateless() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.revision >= protocol.Stateless
}

func (e *endpoint) isOlder() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.older
}

// becomeOlder records that the server speaks 2024-11-05 and takes messages at
// another address.
func (e *endpoint) becomeOlder(to *url.URL) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.older, e.address = true, to
}

func (e *endpoint) session() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.id
}

// get requests a stream, resuming after the last event if there was one.
func (e *endpoint) get(ctx context.Context, from *url.URL, last string) (*http.Response, error) {
	head := http.Header{"Accept": {"text/event-stream"}}
	if last != "" {
		head.Set(protocol.HeaderLastEvent, last)
	}
	return e.do(ctx, http.MethodGet, from, head, nil, func(int64, int64) {})
}

// do makes a request, following redirects within the origin.
func (e *endpoint) do(ctx context.Context, method string, to *url.URL, head http.Header, body []byte, leaving func(offset, size int64)) (*http.Response, error) {
	head.Set("Accept-Encoding", "identity")
	e.sign(head)
	for range maxRedirects {
		r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("making a request: %w", err)
		}
		r.Header = head.Clone()
		resp, err := e.wire.Do(r, leaving)
		if err != nil {
			return nil, err
		}
		next := e.redirected(to, resp)
		if next == nil {
			return resp, nil
		}
		closeBody(resp)
		to = next
		if method == http.MethodPost {
			e.moveTo(next)
		}
	}
	return nil, fmt.Errorf("redirected more than %d times", maxRedirects)
}

// sign adds the headers that every request must carry.
func (e *endpoint) sign(head http.Header) {
	maps.Copy(head, e.headers)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.id != "" {
		head.Set(protocol.HeaderSession, e.id)
	}
	if e.revision >= protocol.Headers && head.Get(protocol.HeaderRevision) == "" {
		head.Set(protocol.HeaderRevision, e.revision)
	}
}

// redirected returns the target of a redirect, nil if it is not followed.
func (e *endpoint) redirected(from *url.URL, resp *http.Response) *url.URL {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	to, err := from.Parse(resp.Header.Get("Location"))
	if err != nil || to.String() == from.String() {
		return nil
	}
	if !sameOrigin(from, to) {
		e.peer.Note(noteRedirect)
		return nil
	}
	return to
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && b.User == nil
}

// remember stores the session id from the answer to initialize.
func (e *endpoint) remember(m *Outbound, resp *http.Response) {
	id := resp.Header.Get(protocol.HeaderSession)
	if id == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.id == id:
	case !sse.FitsHeader(id):
		e.peer.Note(noteSessionID)
	case m.Message.Method == protocol.MethodInitialize && e.id == "":
		e.id = id
	case e.id != "":
		e.peer.Note(noteNewID)
	}
}

func mediaType(resp *http.Response) string {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// IsStream reports whether a response is an event stream.
func IsStream(resp *http.Response) bool { return mediaType(resp) == "text/event-stream" }

func isJSON(resp *http.Response) bool { return mediaType(resp) == "application/json" }

// closeBody closes a response. It does not read the rest: that may never end.
func closeBody(resp *http.Response) {
	_ = resp.Body.Close() // an error changes nothing
}
