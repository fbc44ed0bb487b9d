package session

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/sse"
)

// The headers of the protocol.
const (
	headSession  = "Mcp-Session-Id"
	headRevision = "Mcp-Protocol-Version"
	headLast     = "Last-Event-ID"
	headMethod   = "Mcp-Method"
	headName     = "Mcp-Name"
	headParam    = "Mcp-Param-"
)

// What a listening server can do wrong, in the words of the report.
const (
	noteRedirect  = "redirects to another origin"
	noteSessionID = "gave the session an id that cannot be sent back"
	noteNewID     = "changed the id of the session"
	noteType      = "answered with a content type that is not of the protocol"
	noteEncoding  = "answered with an encoding that was not asked for"
	noteNoAnswer  = "accepted a request without answering it"
	noteEvent     = "sent an event that is not of the protocol"
	noteEndpoint  = "wants messages to be sent to another origin"
	noteNoJSON    = "answered with something that is not JSON"
)

// maxRedirects is how often a request is sent elsewhere within an origin.
const maxRedirects = 3

// lingering is how long a stream may stay open after the answer came in it.
const lingering = 5 * time.Second

// post sends a message to where messages go.
func (w *web) post(ctx context.Context, m *outbound) (*http.Response, error) {
	w.mu.Lock()
	address := w.address
	w.mu.Unlock()
	head := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for name, value := range m.headers {
		head.Set(name, value)
	}
	return w.do(ctx, http.MethodPost, address, head, m.wire, func(offset, size int64) { w.announce(m, offset, size) })
}

// do makes a request, following redirects within the origin.
func (w *web) do(ctx context.Context, method string, to *url.URL, head http.Header, body []byte, leaving func(offset, size int64)) (*http.Response, error) {
	head.Set("Accept-Encoding", "identity")
	w.sign(head)
	for range maxRedirects {
		r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("making a request: %w", err)
		}
		r.Header = head.Clone()
		resp, err := w.wire.Do(r, leaving)
		if err != nil {
			return nil, err
		}
		next := w.redirected(to, resp)
		if next == nil {
			return resp, nil
		}
		closeBody(resp)
		to = next
		if method == http.MethodPost {
			w.mu.Lock()
			w.address = next
			w.mu.Unlock()
		}
	}
	return nil, fmt.Errorf("redirected more than %d times", maxRedirects)
}

// sign adds what the server wants to see with every request.
func (w *web) sign(head http.Header) {
	maps.Copy(head, w.opts.Headers)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.id != "" {
		head.Set(headSession, w.id)
	}
	if w.revision >= headerVersion && head.Get(headRevision) == "" {
		head.Set(headRevision, w.revision)
	}
}

// redirected is where a response sends us, nil if nowhere we would go.
func (w *web) redirected(from *url.URL, resp *http.Response) *url.URL {
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
		w.session.note(noteRedirect)
		return nil
	}
	return to
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && b.User == nil
}

// announce tells the tap of a message whose bytes are about to leave. Nothing
// is told after the close was told.
func (w *web) announce(m *outbound, offset, size int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut {
		return
	}
	w.sent = max(w.sent, offset)
	msg := m.message
	msg.Stream, msg.Offset, msg.Size = mcpsf.Stdin, offset, size
	w.tap.observe(msg)
	if !isClosed(m.written) { // it can be sent again, to another place
		close(m.written)
	}
}

// take reads what came back for a message.
func (w *web) take(ctx context.Context, f *flight, resp *http.Response) {
	defer closeBody(resp)
	w.mu.Lock()
	w.broken = 0
	w.mu.Unlock()
	w.remember(f.outbound, resp)
	in := w.open(resp)
	if isStream(resp) && resp.StatusCode == http.StatusOK {
		e := w.events(in, func() { w.letGo(f) })
		in.each(e.Feed)
		w.resume(ctx, f, e)
		return
	}
	said := in.whole()
	switch {
	case said.size == 0:
	case resp.StatusCode == http.StatusAccepted && !isAnswer(said.data): // a word of thanks
	case resp.StatusCode < http.StatusBadRequest:
		if !isJSON(resp) {
			w.session.note(noteType)
		}
		if !said.message && !said.cut {
			w.session.note(noteNoJSON)
		}
		w.session.receive(said)
	default: // most likely a page that says what is wrong
		said.message = said.message && isAnswer(said.data)
		w.session.receive(said)
	}
	w.conclude(f.outbound, resp)
}

// conclude ends a request that the response did not answer.
func (w *web) conclude(m *outbound, resp *http.Response) {
	if m.exchange == nil || !w.session.awaits(m.exchange) || w.tap.reached() {
		return
	}
	status := fmt.Sprintf("HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if resp.StatusCode >= http.StatusMultipleChoices {
		w.session.give(m.exchange, answer{refused: status})
		return
	}
	w.mu.Lock()
	older, hearing := w.older, w.hearing
	w.mu.Unlock()
	if older {
		return
	}
	w.session.note(noteNoAnswer)
	if !hearing {
		w.session.give(m.exchange, answer{garbled: status + " without an answer"})
	}
}

// remember takes the session's id from the answer to initialize.
func (w *web) remember(m *outbound, resp *http.Response) {
	id := resp.Header.Get(headSession)
	if id == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.id == id:
	case !sse.FitsHeader(id):
		w.session.note(noteSessionID)
	case m.message.Method == methodInitialize && w.id == "":
		w.id = id
	case w.id != "":
		w.session.note(noteNewID)
	}
}

// breakDown is what happens when there was no response to a message. If the
// server is ending that is the answer.
func (w *web) breakDown(m *outbound, err error) {
	w.opts.Logger.Debug("sending to the server", "method", m.message.Method, "error", err)
	if m.exchange == nil {
		return
	}
	timer := time.NewTimer(collapse)
	defer timer.Stop()
	select {
	case <-w.proc.Done():
		return
	case <-w.quit:
		return
	case <-timer.C:
	}
	w.mu.Lock()
	w.broken++
	over := w.broken >= maxBroken
	w.mu.Unlock()
	if over {
		w.giveUp("the server cannot be reached any more")
		return
	}
	short, _ := clip(err.Error(), maxNote)
	w.session.give(m.exchange, answer{garbled: "no response: " + short})
}

// giveUp says that nobody is there any more.
func (w *web) giveUp(why string) {
	select {
	case w.fail <- why:
	default:
	}
}

func mediaType(resp *http.Response) string {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

func isStream(resp *http.Response) bool { return mediaType(resp) == "text/event-stream" }

func isJSON(resp *http.Response) bool { return mediaType(resp) == "application/json" }
