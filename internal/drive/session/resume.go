package session

import (
	"crypto/sha256"
	"maps"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// MaxRestarts is how often a server is started again that requests of one session
// take down.
// gap: not-resumed
const MaxRestarts = 4

// maxDeaths is how many calls of a tool may take the server down; then the tool is
// left out.
// gap: calls-left-out
const maxDeaths = 2

// Resume lets sessions go on where an earlier one broke off because a request took
// the server down: that request is left out, what was begun is not begun again, and
// what was learned of the tools is kept. The zero value is for the first session;
// nil goes on with nothing. It is used by one session at a time.
type Resume struct {
	begun map[digest]bool
	unit  digest                 // what was begun last
	sent  map[string]sentRequest // by the call's name in the trace
	last  sentRequest
	fresh bool // something was begun since the server was started

	fatal  map[digest]bool // requests that took the server down
	spared map[digest]bool // requests that were the last, and not blamed
	deaths map[string]int  // how often calls of a tool did
	left   int             // requests that were left out

	learned  *learned
	listed   *mcpsf.Session // the first session, whose lists are compared with
	restarts int
	gone     bool // the server ended by itself, after it had answered
	finished bool // everything was called before that
}

// sentRequest is a request that was sent.
type sentRequest struct {
	unit, key    digest
	method, tool string
}

// digest stands for a text, which may be long.
type digest [sha256.Size]byte

// learned is what is known of the tools from their calls.
type learned struct {
	slow    map[string]bool   // slow tools
	repairs *repairs          // what tools asked for when they refused a call
	memory  chain.Memory      // values from earlier results
	history *sequence.History // which calls worked, and on what they depended
	unfit   map[string]bool   // tools that demand a larger input than is made
	proofs  sequence.Proofs   // values with which tools worked
}

func newLearned(in *Inputs) *learned {
	return &learned{slow: map[string]bool{}, repairs: newRepairs(in), history: sequence.New(), unfit: map[string]bool{}}
}

// LeavingOut returns the resume of other sessions with the same server: requests that
// took it down are left out there, too.
func (r *Resume) LeavingOut() *Resume {
	out := &Resume{}
	if r != nil {
		out.fatal, out.deaths = maps.Clone(r.fatal), maps.Clone(r.deaths)
	}
	return out
}

// Broken reports whether the server ended in the last session before everything was
// called.
func (r *Resume) Broken() bool { return r.gone && !r.finished }

// usedUp reports whether it ended although it had been started again as often as it
// may.
func (r *Resume) usedUp() bool { return r != nil && r.Broken() && r.restarts >= MaxRestarts }

// Restarts is how often the server was started again.
func (r *Resume) Restarts() int { return r.restarts }

// Again leaves out the request that took the server down and reports whether the
// session is to go on with a new start. culprit is the call that the server ended in,
// "" if that is not known: then it is the last one. It is so as well if the server does
// not survive the last one a second time.
func (r *Resume) Again(culprit string) bool {
	guilty, known := r.sent[culprit]
	if !known || !guilty.canBeLeftOut() || r.spared[r.last.key] {
		guilty = r.last
	}
	if guilty.unit != r.last.unit {
		delete(r.begun, r.last.unit) // the server was gone before it read that
		if r.spared == nil {
			r.spared = map[digest]bool{}
		}
		r.spared[r.last.key] = true
	}
	helps := r.fresh || guilty.canBeLeftOut()
	if r.restarts >= MaxRestarts || !helps {
		return false
	}
	r.blame(guilty)
	if r.restarts++; r.learned != nil {
		r.learned.history.Restarted()
	}
	r.gone, r.fresh, r.unit, r.last = false, false, digest{}, sentRequest{}
	clear(r.sent)
	return true
}

// blame leaves a request out from now on.
func (r *Resume) blame(d sentRequest) {
	if !d.canBeLeftOut() {
		return
	}
	if r.fatal == nil {
		r.fatal, r.deaths = map[digest]bool{}, map[string]int{}
	}
	r.fatal[d.key] = true
	if d.tool != "" {
		r.deaths[d.tool]++
	}
}

// canBeLeftOut tells whether a session makes sense without a request.
func (d *sentRequest) canBeLeftOut() bool {
	return d.method != "" && d.method != protocol.MethodInitialize && d.method != "tools/list"
}

// begin reports whether a part of the session is still to be done, and notes that it
// is begun: if it takes the server down, it is not done again.
func (r *Resume) begin(part string) bool {
	if r == nil {
		return true
	}
	unit := digest(sha256.Sum256([]byte(part)))
	if r.begun[unit] {
		return false
	}
	if r.begun == nil {
		r.begun = map[digest]bool{}
	}
	r.begun[unit], r.unit, r.fresh = true, unit, true
	return true
}

// sends notes a request that is about to be sent.
func (r *Resume) sends(call string, q *request) {
	if r == nil {
		return
	}
	if r.sent == nil {
		r.sent = map[string]sentRequest{}
	}
	r.last = sentRequest{unit: r.unit, key: q.key(), method: q.method, tool: q.tool}
	r.sent[call] = r.last
}

// leavesOut reports whether a request is left out.
func (r *Resume) leavesOut(q *request) bool {
	if r == nil || !r.fatal[q.key()] && (q.tool == "" || r.deaths[q.tool] < maxDeaths) {
		return false
	}
	r.left++
	return true
}

// key identifies a request by what it asks for.
func (r request) key() digest {
	return sha256.Sum256([]byte(r.method + "\x00" + r.tool + "\x00" + string(r.arguments)))
}

// finish notes that nothing is left to call.
func (r *Resume) finish() {
	if r != nil {
		r.finished = true
	}
}

// ended notes how a session ended, and returns how many requests were left out.
func (r *Resume) ended(s *mcpsf.Session, gone bool) int {
	if r == nil {
		return 0
	}
	r.gone = gone && s.Initialized
	if r.listed == nil && s.Initialized {
		r.listed = s
	}
	return r.left
}

// before returns the session that this one goes on with, nil if it is the first.
func (r *Resume) before() *mcpsf.Session {
	if r == nil {
		return nil
	}
	return r.listed
}

// tools returns what is known of the tools.
func (r *Resume) tools(in *Inputs) *learned {
	if r == nil {
		return newLearned(in)
	}
	if r.learned == nil {
		r.learned = newLearned(in)
	}
	r.learned.repairs.inputs = in
	return r.learned
}
