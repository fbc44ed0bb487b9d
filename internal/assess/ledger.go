package assess

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// ledger is what one sequence of starts records. Each parallel run has its own
// and is its only writer; at the end they are merged.
type ledger struct {
	log *trace.Log
	// calls is how many calls were made so far.
	calls int
	// boxes say how completely each sandbox was observed.
	boxes []boxwatch.Observed
	// gaps are what the profile demands and was not done.
	gaps []mcpsf.Gap
	// agents are the agents that used the server; conversations are theirs.
	agents        []mcpsf.AgentRun
	conversations []agent.Conversation
	// planned is how many attack calls were planned, unmade how many of them were not made.
	planned, unmade int
	// restarts is how often the server was started again because a call had taken it
	// down.
	restarts int
	// texts is how many texts of a remote server were scanned.
	texts int
}

// add appends an event that no sandbox has recorded.
func (l *ledger) add(e *mcpsf.Event) {
	e.Seq = int64(len(l.log.Events())) + 1
	l.log.Append(*e)
}

// gap records something that was not done.
func (l *ledger) gap(g mcpsf.Gap) { l.gaps = append(l.gaps, g) }

// takeBack removes gaps with a code that were recorded last.
func (l *ledger) takeBack(code mcpsf.GapCode, recorded []mcpsf.Gap) {
	for _, g := range recorded {
		for i := len(l.gaps) - 1; i >= 0 && g.Code == code; i-- {
			if l.gaps[i] == g {
				l.gaps = slices.Delete(l.gaps, i, i+1)
				break
			}
		}
	}
}

// takeBackAll removes gaps that were recorded last.
func (l *ledger) takeBackAll(recorded []mcpsf.Gap) {
	for _, g := range recorded {
		l.takeBack(g.Code, []mcpsf.Gap{g})
	}
}

// merge appends another ledger, and renumbers its events and calls.
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
	l.restarts += other.restarts
}

// renumber returns the id of a call after that many others.
func renumber(call string, others int) string {
	digits, ok := strings.CutPrefix(call, "c")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return call
	}
	return "c" + strconv.Itoa(n+others)
}
