package transport

import (
	"context"
	"fmt"
	"net/http"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Defects of a response, worded for the report.
const (
	noteType     = "answered with a content type that is not of the protocol"
	noteNoAnswer = "accepted a request without answering it"
	noteNoJSON   = "answered with something that is not JSON"
)

// responses handles the responses to messages.
type responses struct {
	at      *endpoint
	bodies  *bodies
	streams *streams
	peer    Peer
	tap     *Meter
}

// take reads the response to a message. An error says that a stream broke off
// before the answer.
func (r *responses) take(ctx context.Context, f *flight, resp *http.Response) error {
	defer closeBody(resp)
	r.at.remember(f.Outbound, resp)
	in := r.bodies.open(resp)
	if IsStream(resp) && resp.StatusCode == http.StatusOK {
		e := r.streams.events(in, f.letGo)
		in.each(e.Feed)
		return r.streams.resume(ctx, f, e)
	}
	said := in.whole()
	switch {
	case said.Size == 0:
	case resp.StatusCode == http.StatusAccepted && !jsonrpc.IsAnswer(said.Data): // an acknowledgement
	case resp.StatusCode < http.StatusBadRequest:
		if !isJSON(resp) {
			r.peer.Note(noteType)
		}
		if !said.Message && !said.Cut {
			r.peer.Note(noteNoJSON)
		}
		r.peer.Receive(said)
	default: // most likely an error page
		said.Message = said.Message && jsonrpc.IsAnswer(said.Data)
		r.peer.Receive(said)
	}
	r.conclude(f.Outbound, resp)
	return nil
}

// conclude ends a request that the response did not answer.
func (r *responses) conclude(m *Outbound, resp *http.Response) {
	if m.Request == nil || !m.Request.Waits() || r.tap.reached() {
		return
	}
	status := fmt.Sprintf("HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if resp.StatusCode >= http.StatusMultipleChoices {
		m.Request.Refuse(status)
		return
	}
	hearing := r.streams.hearing.Load()
	if r.at.isOlder() {
		return
	}
	r.peer.Note(noteNoAnswer)
	if !hearing {
		m.Request.Garble(status + " without an answer")
	}
}
