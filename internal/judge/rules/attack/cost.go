package attack

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// This file judges attacks whose result shows only when several calls are
// compared.

// Thresholds for reporting that a larger input costs too much time. Machines are
// busy, so the call must take long in absolute terms, far longer than the
// smaller input did right before, and in every attempt.
const (
	leastCost  = 1.0  // seconds
	leastTimes = 3.0  // times as long as the smaller input
	leastSmall = 0.02 // seconds; lower bound for the time of the smaller input
	leastTries = 2
	// lost is the duration assumed for a call without an answer.
	lost = 5.0
	// muchAnswer is the size from which an answer is too long, and muchMore how
	// many times larger than its request it must be.
	muchAnswer = 1 << 20
	muchMore   = 50
)

// attackCall is a call that carried an attack payload.
type attackCall struct {
	call    string
	tool    string
	attack  *mcpsf.AttackDetail
	size    int64
	seconds float64
	// answered is set if the call got a response; answer is its size.
	answered bool
	answer   int64
	// unresponsive is set if the server kept running but answered nothing more after this call.
	unresponsive bool
}

// Costs are the call IDs that were slow, and those that left the server stuck.
type Costs struct {
	costly, Stuck map[string]bool
}

// foresee compares the attacks of all sandboxes.
func (o *Costs) foresee(attacks []*attackCall) {
	o.costly, o.Stuck = map[string]bool{}, map[string]bool{}
	tries := map[attackPlace][]*attackCall{}
	for i, s := range attacks {
		if s.unresponsive && (s.attack.Sign == mcpsf.SignCrash || s.attack.Sign == mcpsf.SignCost) {
			key := attackPlace{s.attack.Class + " " + s.attack.Payload, s.tool, s.attack.Place, s.attack.Encoded}
			tries[key] = append(tries[key], s)
		}
		if s.attack.Sign == mcpsf.SignCost && i > 0 && costsMore(attacks[i-1], s) {
			input, _, _ := strings.Cut(s.attack.Marker, "/")
			key := attackPlace{s.attack.Class + "/" + input, s.tool, s.attack.Place, s.attack.Encoded}
			tries[key] = append(tries[key], s)
		}
	}
	for key, list := range tries {
		if len(list) < leastTries {
			continue
		}
		for _, s := range list {
			if strings.Contains(key.class, "/") && s.attack.Sign == mcpsf.SignCost {
				o.costly[s.call] = true
			} else {
				o.Stuck[s.call] = true
			}
		}
	}
}

// costsMore tells whether the larger of two inputs took far longer than the smaller.
func costsMore(small, large *attackCall) bool {
	a, n, ok := sizeOf(small)
	b, m, same := sizeOf(large)
	if !ok || !same || a != b || n >= m || small.tool != large.tool || small.attack.Place != large.attack.Place || small.attack.Encoded != large.attack.Encoded || !small.answered {
		return false
	}
	return large.seconds >= leastCost && large.seconds >= leastTimes*max(small.seconds, leastSmall)
}

// sizeOf reads the name of the input and its size from the marker.
func sizeOf(s *attackCall) (input string, size int, ok bool) {
	input, digits, ok := strings.Cut(s.attack.Marker, "/")
	size, err := strconv.Atoi(digits)
	return input, size, ok && err == nil && s.attack.Sign == mcpsf.SignCost
}

// attackLog lists the attack calls in order, with their results.
type attackLog struct {
	calls  []*attackCall
	byCall map[string]*attackCall
	last   *attackCall // the latest attack, while no other call was answered
	pinged string
	// requests are how many HTTP requests the server made for a call, and usual the
	// most for an answered call of a tool.
	requests map[string]int
	usual    map[string]int
	// working is set if the server made a request for the latest attack after it was
	// pinged.
	working bool
}

func newAttackLog() *attackLog {
	return &attackLog{byCall: map[string]*attackCall{}, requests: map[string]int{}, usual: map[string]int{}}
}

func (g *attackLog) see(e *mcpsf.Event) {
	switch {
	case e.Kind == mcpsf.KindNetHTTP && e.Call != "":
		g.requests[e.Call]++
		g.working = g.working || g.pinged != "" && g.last != nil && g.last.call == e.Call
	case e.Kind == mcpsf.KindSandboxStop || e.Kind == mcpsf.KindSandboxStart:
		g.close()
	case e.Kind == mcpsf.KindProcessExit && e.Phase != mcpsf.PhaseStop && e.Process != nil && !e.Process.Thread && e.PPID == 0:
		g.last = nil // the server's process ended
	case e.MCP == nil || e.Call == "":
	case e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer && e.MCP.Attack != nil:
		g.last = &attackCall{call: e.Call, tool: e.MCP.Tool, attack: e.MCP.Attack, size: e.MCP.Size, seconds: lost}
		g.calls, g.byCall[e.Call], g.pinged, g.working = append(g.calls, g.last), g.last, "", false
	case e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer && e.MCP.Method == "ping":
		g.pinged = e.Call
	case e.Kind == mcpsf.KindMCPResponse && !event.AsksClient(e.MCP.Method):
		if s := g.byCall[e.Call]; s != nil {
			s.answered, s.seconds, s.answer = true, e.MCP.Seconds, e.MCP.Size
		}
		if e.Call == g.pinged {
			g.last, g.pinged = nil, ""
		}
		g.usual[e.MCP.Tool] = max(g.usual[e.MCP.Tool], g.requests[e.Call])
	}
}

// close is called when a sandbox or the run ends. A server that still makes the
// requests that it makes for every call is slow, and not stuck.
func (g *attackLog) close() {
	if g.last != nil && g.pinged != "" && !g.last.answered {
		slow := g.working && g.requests[g.last.call] <= g.usual[g.last.tool]
		g.last.unresponsive = !slow
	}
	g.last, g.pinged = nil, ""
}

// amplifies tells whether a response is far larger than its request.
func (o *Outcomes) amplifies(f *event.Fields) bool {
	c := o.calls.ByID[f.Call]
	return c != nil && f.Kind == string(mcpsf.KindMCPResponse) && f.Size >= muchAnswer && f.Size >= muchMore*c.Size
}

// record matches the start of a log line: a time or a log level.
var record = lazyregexp.New(`(?i)^.{0,8}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\b(?:debug|info|warn|warning|error|notice|trace)\b)`)

// forged tells whether a line of standard error starts with our marker and
// follows a real line of the server's log.
func (o *Outcomes) forged(f *event.Fields, marker string) bool {
	if f.Kind != string(mcpsf.KindMCPStderr) || f.Line == "" {
		return false
	}
	if strings.HasPrefix(f.Line, marker) {
		return record.MatchString(o.calls.Logged) && !strings.HasPrefix(o.calls.Logged, marker)
	}
	before, after, ok := strings.Cut(f.Line, "\r")
	return ok && strings.HasPrefix(after, marker) && record.MatchString(before)
}
