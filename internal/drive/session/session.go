package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
)

// link carries messages to a server and hands what comes back to the
// session's receive. It is all the session knows of the transport.
type link interface {
	// send queues a message and returns at once. The link tells the tap of
	// it right before the bytes leave.
	send(m *outbound) error
	// gone is closed when no answer can come any more; why says the reason.
	gone() <-chan struct{}
	why() string
	// agree says which revision is spoken from now on.
	agree(revision string)
}

// outbound is a message of ours. The link fills in where on the wire it is.
type outbound struct {
	message mcpsf.Message
	wire    []byte
	// cuts are where the bytes are cut into several writes, if the link can.
	cuts []int
	// written is closed once the bytes have left.
	written chan struct{}
	// exchange is what a request wants answered, and cancels the id of the one
	// that a notification calls off.
	exchange *exchange
	cancels  string
	// headers go with it where there are any.
	headers map[string]string
}

// errGone says that there is nobody to talk to any more.
var errGone = errors.New("the server is gone")

// maxIrregularities bounds a list that hostile values can lengthen.
const maxIrregularities = 64

// session is one conversation. The driver's goroutine asks; the link's
// goroutine calls receive with what comes back; mu guards what both touch.
type session struct {
	opts  Options
	tap   *meter
	link  link
	begun time.Time
	// stream is where the server's messages come from.
	stream mcpsf.Stream

	mu        sync.Mutex
	phase     mcpsf.Phase
	out       mcpsf.Session
	guest     seat
	exchanges []*exchange // request with JSON-RPC id n is at n-1
	odd       *exchange   // the last message that was odd, nil if none was
	noted     map[string]bool
	stateless bool            // there is no session: each request says all of it
	loud      bool            // the server is to log everything
	news      map[string]bool // what the server said has changed, until looked at

	// What only the driver's goroutine touches: what was listed last, which
	// tools take long, what their answers named, the last error, and the
	// schemas of those that wanted more than they had said.
	latest  mcpsf.Session
	slow    map[string]bool
	silent  map[string]bool // the lists that were asked for and not answered
	missed  map[string]bool // those of them when latest was asked for
	memory  chain.Memory
	refusal json.RawMessage
	wanted  map[string]json.RawMessage
}

// exchange is a request of ours and what became of it. It is kept after its
// end, so that late and second answers are recognised.
type exchange struct {
	call, method, tool string
	attack             *mcpsf.AttackDetail
	sent               time.Time
	state              exchangeState
	answer             chan answer // holds one
}

type exchangeState uint8

const (
	waiting exchangeState = iota
	answered
	expired
	calledOff // an answer may come, and need not
)

// answer is what the server said to a request.
type answer struct {
	result, failure json.RawMessage
	// garbled says why it makes no sense, "" if it does; refused that there is
	// none because the server would not have the request.
	garbled, refused string
}

// request is what the driver wants from the server.
type request struct {
	method, tool string
	params       any
	// arguments is what the report shows, nil for nothing.
	arguments json.RawMessage
	timeout   time.Duration
	note      string
	attack    *mcpsf.AttackDetail // what it is to find out, nil for nothing
	progress  bool                // the server may tell how far it is
	unless    <-chan struct{}     // says that it will not be answered
}

func newSession(opts *Options, tap *meter) *session {
	return &session{
		opts: *opts, tap: tap, begun: time.Now(), phase: mcpsf.PhaseStart,
		noted: map[string]bool{}, news: map[string]bool{}, slow: map[string]bool{}, silent: map[string]bool{}, wanted: map[string]json.RawMessage{},
		out: mcpsf.Session{
			Tools: []mcpsf.Tool{}, Resources: []mcpsf.Resource{},
			Prompts: []mcpsf.Prompt{}, Calls: []mcpsf.Call{},
		},
	}
}

// ask makes one request, tells the server what it needs to know for that, and
// records how it ended. The result is nil unless the server gave one. An error
// means that asking on is pointless.
func (s *session) ask(ctx context.Context, r request) (json.RawMessage, error) {
	result, err := s.askOnce(ctx, r)
	for range maxInputRounds {
		if err != nil || result == nil {
			break
		}
		next, more := s.furnish(r, result)
		if !more {
			break
		}
		r = next
		result, err = s.askOnce(ctx, r)
	}
	return result, err
}

func (s *session) askOnce(ctx context.Context, r request) (json.RawMessage, error) {
	s.refusal = nil
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x, out, err := s.open(r)
	if err != nil {
		return nil, err
	}
	if err := s.link.send(out); err != nil {
		return nil, s.record(x, r, mcpsf.CallTimeout, err.Error(), errGone)
	}
	late, stop := s.opts.Clock.After(s.patience(r.timeout))
	defer stop()
	ours := time.NewTimer(r.timeout)
	defer ours.Stop()
	select {
	case a := <-x.answer:
		return s.judge(x, r, a)
	case <-ctx.Done():
		return nil, s.record(x, r, mcpsf.CallTimeout, "the run was over", ctx.Err())
	case <-late:
		return nil, s.expire(x, r, out)
	case <-ours.C:
		return nil, s.expire(x, r, out)
	case <-r.unless:
		return nil, s.record(x, r, mcpsf.CallTimeout, "the server listens and does not answer here", errGone)
	case <-s.link.gone():
	}
	select {
	case a := <-x.answer: // it was the last thing the server said
		return s.judge(x, r, a)
	default:
		return nil, s.record(x, r, mcpsf.CallCrashed, s.link.why(), errGone)
	}
}

// unhurried is how many times longer an answer is waited for by the server's
// clock than by ours: while it sleeps, waiting costs nothing.
const unhurried = 15

// patience is how long that is. An attack is not to take long by any clock.
func (s *session) patience(timeout time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == mcpsf.PhaseAttack {
		return timeout
	}
	return unhurried * timeout
}

// open numbers the request and puts it on the books.
func (s *session) open(r request) (*exchange, *outbound, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.exchanges) + 1
	if r.attack == nil && r.tool != "" {
		r.attack = s.opts.Bearing
	}
	x := &exchange{
		call: fmt.Sprintf("c%d", s.opts.FirstCall+n), method: r.method, tool: r.tool, attack: r.attack,
		sent: time.Now(), answer: make(chan answer, 1),
	}
	out, err := s.encode(r.method, s.dressed(&r, n), float64(n))
	if err != nil {
		return nil, nil, err
	}
	out.exchange, out.headers = x, s.headers(&r)
	out.message.Kind = mcpsf.MessageRequest
	out.message.Call, out.message.Tool, out.message.Attack = x.call, r.tool, r.attack
	s.exchanges = append(s.exchanges, x)
	return x, out, nil
}

// expire ends a request that was not answered in time. The protocol wants the
// server to be told, except of initialize.
func (s *session) expire(x *exchange, r request, out *outbound) error {
	note := fmt.Sprintf("no answer within %v", r.timeout)
	select {
	case <-out.written:
	default:
		// If this one cannot get through, neither can the next.
		return s.record(x, r, mcpsf.CallTimeout, note+": the server does not read its input", errGone)
	}
	if r.method != methodInitialize {
		s.callOff(out, "timeout")
	}
	return s.record(x, r, mcpsf.CallTimeout, note, nil)
}

// record writes down how a request ended and returns err.
func (s *session) record(x *exchange, r request, status mcpsf.CallStatus, note string, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.state == waiting {
		x.state = expired
	}
	if r.note != "" && note != "" {
		note = r.note + "; " + note
	} else {
		note = r.note + note
	}
	note, _ = clip(note, maxNote)
	s.out.Calls = append(s.out.Calls, mcpsf.Call{
		ID: x.call, Method: x.method, Tool: x.tool, Arguments: r.arguments,
		Status: status, Note: note, Seconds: time.Since(x.sent).Seconds(),
	})
	return err
}

// callOff tells the server that nobody waits for a request any more.
func (s *session) callOff(of *outbound, reason string) {
	s.tell(methodCancelled, map[string]any{"requestId": of.message.ID, "reason": reason}, string(of.message.ID))
}

// notify sends a notification. Nobody waits for it.
func (s *session) notify(method string, params any) { s.tell(method, params, "") }

func (s *session) tell(method string, params any, cancels string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out, err := s.encode(method, params, nil)
	if err != nil {
		s.opts.Logger.Warn("notification was not sent", "method", method, "error", err)
		return
	}
	out.message.Kind, out.cancels = mcpsf.MessageNotification, cancels
	s.post(out)
}

// post sends what nobody waits for. The caller holds mu.
func (s *session) post(out *outbound) {
	if err := s.link.send(out); err != nil {
		s.opts.Logger.Debug("message was not sent", "method", out.message.Method, "error", err)
	}
}

// encode makes a request, or a notification if id is nil. The caller holds mu.
func (s *session) encode(method string, params, id any) (*outbound, error) {
	raw, err := marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encoding the parameters of %s: %w", method, err)
	}
	rid, err := jsonrpc.MakeID(id)
	if err != nil {
		return nil, fmt.Errorf("making an id for %s: %w", method, err)
	}
	out, err := s.pack(&jsonrpc.Request{ID: rid, Method: method, Params: raw}, raw)
	if err == nil && rid.IsValid() {
		out.message.ID = fmt.Append(nil, rid.Raw())
	}
	if err == nil {
		out.message.Method = method
	}
	return out, err
}

// pack puts a message into its wire form. The caller holds mu.
func (s *session) pack(m jsonrpc.Message, content json.RawMessage) (*outbound, error) {
	wire, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	out := &outbound{wire: wire, written: make(chan struct{})}
	out.message.Phase = s.phase
	out.message.Body, out.message.Truncated = body(content, s.opts.MaxBody)
	return out, nil
}

// awaits tells whether a request has not been answered yet.
func (s *session) awaits(x *exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return x.state == waiting
}

// give answers a request in the server's stead.
func (s *session) give(x *exchange, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.state == waiting {
		x.state = answered
		x.answer <- a
	}
}

// enter begins a phase.
func (s *session) enter(p mcpsf.Phase) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = p
}

func (s *session) currentPhase() mcpsf.Phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase
}

// note remembers an irregularity, each once.
func (s *session) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteLocked(text)
}

func (s *session) noteLocked(text string) {
	if s.noted[text] || len(s.noted) >= maxIrregularities {
		return
	}
	s.noted[text] = true
	s.out.Irregularities = append(s.out.Irregularities, text)
}

// announced tells whether the server had said that its tools, resources or
// prompts have changed.
func (s *session) announced(of string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.news["notifications/"+of+"s/list_changed"]
}

// lastCall is the call that was made last.
func (s *session) lastCall() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.exchanges); n > 0 {
		return s.exchanges[n-1].call
	}
	return ""
}
