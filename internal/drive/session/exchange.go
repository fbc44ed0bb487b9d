package session

import (
	"encoding/json"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// exchange is one request with its outcome. It is kept after its end, so that
// late and duplicate answers are recognised.
type exchange struct {
	ledger             *ledger
	call, method, tool string
	attack             *mcpsf.AttackDetail
	// sent is by the wall: a server with many busy threads must not be able to
	// shrink the time that its calls took.
	sent   time.Time
	state  exchangeState // guarded by the ledger's lock
	answer chan answer   // has room for one
}

var _ transport.Request = (*exchange)(nil)

type exchangeState uint8

const (
	waiting exchangeState = iota
	answered
	expired
	cancelled // an answer is possible but not required
)

// answer is the server's answer to a request.
type answer struct {
	result, failure json.RawMessage
	// garbled says why the answer is malformed, "" if it is not; refused says why
	// the server did not accept the request.
	garbled, refused string
}

// Waits implements [transport.Request].
func (x *exchange) Waits() bool {
	x.ledger.mu.Lock()
	defer x.ledger.mu.Unlock()
	return x.state == waiting
}

// Refuse implements [transport.Request].
func (x *exchange) Refuse(why string) { x.take(answer{refused: why}) }

// Garble implements [transport.Request].
func (x *exchange) Garble(why string) { x.take(answer{garbled: why}) }

// take stores the answer if the request was waiting. It returns the state
// before.
func (x *exchange) take(a answer) exchangeState {
	x.ledger.mu.Lock()
	defer x.ledger.mu.Unlock()
	before := x.state
	if before == waiting {
		x.state = answered
		x.answer <- a
	}
	return before
}

// forget makes a late answer have no effect.
func (x *exchange) forget() {
	x.ledger.mu.Lock()
	defer x.ledger.mu.Unlock()
	if x.state == waiting {
		x.state = cancelled
	}
}
