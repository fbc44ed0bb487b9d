package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// Defects of a message, worded for the report.
const (
	noteUTF8      = "sent text that is not valid UTF-8"
	noteNoTag     = "left out the jsonrpc field"
	noteWrongTag  = "sent a wrong jsonrpc version"
	noteNotRPC    = "wrote JSON that is not JSON-RPC to stdout"
	noteBatch     = "sent a batch, which the protocol does not allow"
	noteInexactID = "echoed a request id with another type"
	noteNoID      = "answered without a request id"
	noteUnknownID = "answered a request that was not made"
	noteTwice     = "answered a request twice"
	noteLate      = "answered after the timeout"
	noteLongID    = "used an oversized request id"
)

// Bounds of the fields that are copied from a message beside its body.
// no gap: bounds copies for the report; the message stays whole
const (
	maxID     = 256
	maxMethod = 256
)

// inbox receives the server's messages: it reports every message to the tap,
// gives answers to the waiting requests, and passes requests to the responder.
type inbox struct {
	ledger    *ledger
	tap       *transport.Meter
	limits    *transport.Limits
	news      *announcements
	responder *responder
	stream    mcpsf.Stream // where the server's messages come from

	mu       sync.Mutex // serialises frames
	protocol string     // the revision that the server announced
}

var _ transport.Peer = (*inbox)(nil)

// Note implements [transport.Peer].
func (in *inbox) Note(text string) { in.ledger.Note(text) }

// Phase implements [transport.Peer].
func (in *inbox) Phase() mcpsf.Phase { return in.ledger.Phase() }

// speaks stores the revision that the server announced.
func (in *inbox) speaks(revision string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.protocol = revision
}

// Receive implements [transport.Peer]. It returns after every message in the
// frame was reported to the tap.
func (in *inbox) Receive(f jsonrpc.Frame) {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case f.Cut:
		in.oversized(f)
	case !f.Message:
		in.junk(f.Data, f.End, f.Size, false)
	case f.Data[0] == '[':
		in.batch(f)
	default:
		in.message(f.Data, f.End, f.Size)
	}
}

// batch handles the messages of an array one by one, each with its own offset.
func (in *inbox) batch(f jsonrpc.Frame) {
	if in.protocol != protocol.Batches {
		in.Note(noteBatch)
	}
	last, n := int64(0), 0
	_, all := jsonrpc.Elements(f.Data, int(in.limits.MaxMessages), func(e json.RawMessage, end int64) {
		n++
		at := f.End // offsets inside a compressed body are unknown
		if in.stream != mcpsf.Served {
			at += end - f.Size
		}
		if jsonrpc.IsObject(e) {
			in.message(e, at, end-last)
		} else {
			in.Note(noteNotRPC)
			in.junk(e, at, end-last, false)
		}
		last = end
	})
	if n == 0 || !all {
		in.junk(f.Data[last:], f.End, f.Size-last, false)
	}
}

func (in *inbox) message(data []byte, end, size int64) {
	if !utf8.Valid(data) {
		in.Note(noteUTF8)
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	var e jsonrpc.Envelope
	if json.Unmarshal(data, &e) != nil || e.Kind() == mcpsf.MessageJunk {
		in.Note(noteNotRPC)
		in.junk(data, end, size, false)
		return
	}
	switch {
	case e.Version == nil:
		in.Note(noteNoTag)
	case string(e.Version) != `"2.0"`:
		in.Note(noteWrongTag)
	}
	m := in.inbound(&e, end, size)
	if m.Kind == mcpsf.MessageResponse {
		in.response(&e, m, "")
		return
	}
	method, _ := jsonrpc.String(e.Method)
	m.Method, _ = jsonrpc.Clip(method, maxMethod)
	m.Whole = e.Params
	m.Body, m.Truncated = jsonrpc.Body(e.Params, in.limits.MaxBody)
	if x := in.ledger.reported(m.Method, e.Params); x != nil {
		m.Call, m.Tool = x.call, x.tool
	}
	in.tap.Observe(m)
	if m.Kind == mcpsf.MessageNotification && strings.HasSuffix(m.Method, "/list_changed") {
		in.news.add(m.Method)
	}
	if m.Kind == mcpsf.MessageRequest {
		in.responder.serve(m, e.Params)
	}
}

// inbound fills in the fields that all messages of the server have.
func (in *inbox) inbound(e *jsonrpc.Envelope, end, size int64) mcpsf.Message {
	m := mcpsf.Message{
		Stream: in.stream, Offset: end, Size: size, Kind: e.Kind(), Phase: in.Phase(), ID: e.ID,
	}
	if len(m.ID) > maxID {
		in.Note(noteLongID)
		m.ID = nil
	}
	return m
}

// response matches an answer with its request. A second, late or unknown answer
// is reported to the tap but has no effect.
func (in *inbox) response(e *jsonrpc.Envelope, m mcpsf.Message, garbled string) {
	x := in.ledger.match(e)
	m.Failed = e.Failed() || jsonrpc.IsErrorResult(e.Result)
	content := e.Result
	if e.Failed() {
		content = e.Error
	}
	if garbled == "" {
		m.Whole = content
		m.Body, m.Truncated = jsonrpc.Body(content, in.limits.MaxBody)
	}
	if x != nil {
		m.Call, m.Method, m.Tool = x.call, x.method, x.tool
		m.Seconds = time.Since(x.sent).Seconds()
		m.Attack = shownIn(x.attack, content)
	}
	in.tap.Observe(m)
	if x == nil {
		return
	}
	a := answer{result: e.Result, garbled: garbled}
	if e.Failed() || garbled != "" {
		a.result, a.failure = nil, e.Error
	}
	switch x.take(a) {
	case answered:
		in.Note(noteTwice)
	case expired:
		in.Note(noteLate)
	}
}

// oversized handles a message that was too long to be read whole. If its
// beginning names the request, that request need not wait for its timeout.
func (in *inbox) oversized(f jsonrpc.Frame) {
	e := jsonrpc.Peek(f.Data)
	if e.Kind() != mcpsf.MessageResponse {
		in.junk(f.Data, f.End, f.Size, true)
		return
	}
	m := in.inbound(&e, f.End, f.Size)
	m.Whole = f.Data
	m.Body, _ = jsonrpc.Text(f.Data, in.limits.MaxBody)
	m.Truncated = true
	in.response(&e, m, jsonrpc.NoteCut)
}

// junk reports output that is not a message; cut says that data is only its
// beginning.
func (in *inbox) junk(data []byte, end, size int64, cut bool) {
	m := mcpsf.Message{
		Stream: in.stream, Offset: end, Size: size, Kind: mcpsf.MessageJunk, Phase: in.Phase(),
	}
	m.Whole = data
	m.Body, m.Truncated = jsonrpc.Text(bytes.TrimRight(data, "\r\n"), in.limits.MaxBody)
	m.Truncated = m.Truncated || cut
	in.tap.Observe(m)
}

// shownIn returns the attack with whether the answer shows its sign.
func shownIn(a *mcpsf.AttackDetail, answer []byte) *mcpsf.AttackDetail {
	if a == nil {
		return nil
	}
	told := *a
	told.Shown = attack.Shown(a, answer)
	return &told
}
