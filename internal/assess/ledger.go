package assess

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// ledger is what one sequence of starts records. Each parallel run has its own, and nobody
// else writes to it; at the end they are merged.
type ledger struct {
	log *trace.Log
	// calls is how many were made so far.
	calls int
	// boxes say how well each was watched.
	boxes []boxwatch.Observed
	// gaps are what the profile asks for and did not come about.
	gaps []string
	// agents are those that used the server, and conversations what was said.
	agents        []mcpsf.AgentRun
	conversations []agent.Conversation
	// planned is how many attacks there were to be made, unmade how many of these were not.
	planned, unmade int
}

// add appends an event that no box has recorded.
func (l *ledger) add(e *mcpsf.Event) {
	e.Seq = int64(len(l.log.Events())) + 1
	l.log.Append(*e)
}

// gap notes something that did not come about.
func (l *ledger) gap(text string) { l.gaps = append(l.gaps, text) }

// merge takes over what another ledger has. Its events and calls are numbered on.
func (l *ledger) merge(other *ledger) {
	before := int64(len(l.log.Events()))
	for _, e := range other.log.Events() {
		e.Seq += before
		if e.Cause != 0 {
			e.Cause += before
		}
		e.Call = renumber(e.Call, l.calls)
		l.log.Append(e)
	}
	l.calls += other.calls
	l.boxes = append(l.boxes, other.boxes...)
	l.gaps = append(l.gaps, other.gaps...)
	l.agents, l.conversations = append(l.agents, other.agents...), append(l.conversations, other.conversations...)
	l.planned, l.unmade = l.planned+other.planned, l.unmade+other.unmade
}

// renumber is the id of a call after that many others.
func renumber(call string, others int) string {
	digits, ok := strings.CutPrefix(call, "c")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return call
	}
	return "c" + strconv.Itoa(n+others)
}
