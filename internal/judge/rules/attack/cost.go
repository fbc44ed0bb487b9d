package attack

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// What became of the calls that were attacks, as far as it takes more than one
// of them to tell.

// What a larger input has to cost to be worth a word. Machines are busy, so it
// has to take long at all, far longer than the smaller one did right before,
// and each time it was tried.
const (
	leastCost  = 1.0  // seconds
	leastTimes = 3.0  // as long as the smaller one
	leastSmall = 0.02 // what the smaller one counts as at least
	leastTries = 2
	// lost is how long a call counts that was never answered.
	lost = 5.0
	// muchAnswer is an answer that is too long, and muchMore how much longer
	// than its question it is.
	muchAnswer = 1 << 20
	muchMore   = 50
)

// attackCall is a call that was an attack.
type attackCall struct {
	call    string
	tool    string
	attack  *mcpsf.AttackDetail
	size    int64
	seconds float64
	// answered, and the answer's size.
	answered bool
	answer   int64
	// unresponsive is set if the server answered nothing after it, and did not end.
	unresponsive bool
}

// Costs are what the calls came to, by the number of the request.
type Costs struct {
	costly, Stuck map[string]bool
}

// foresee goes over the attacks of all boxes.
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

// costsMore tells whether the larger of two inputs took far longer.
func costsMore(small, large *attackCall) bool {
	a, n, ok := sizeOf(small)
	b, m, same := sizeOf(large)
	if !ok || !same || a != b || n >= m || small.tool != large.tool || small.attack.Place != large.attack.Place || small.attack.Encoded != large.attack.Encoded || !small.answered {
		return false
	}
	return large.seconds >= leastCost && large.seconds >= leastTimes*max(small.seconds, leastSmall)
}

// sizeOf reads the marker of one of a pair: which input it is, and how large.
func sizeOf(s *attackCall) (input string, size int, ok bool) {
	input, digits, ok := strings.Cut(s.attack.Marker, "/")
	size, err := strconv.Atoi(digits)
	return input, size, ok && err == nil && s.attack.Sign == mcpsf.SignCost
}

// attackLog are the attacks in their order, with what came of them.
type attackLog struct {
	calls  []*attackCall
	byCall map[string]*attackCall
	last   *attackCall // made and not followed by another call
	pinged string
}

func (g *attackLog) see(e *mcpsf.Event) {
	switch {
	case e.Kind == mcpsf.KindSandboxStop || e.Kind == mcpsf.KindSandboxStart:
		g.close()
	case e.Kind == mcpsf.KindProcessExit && e.Phase != mcpsf.PhaseStop && e.Process != nil && !e.Process.Thread && e.PPID == 0:
		g.last = nil // it ended
	case e.MCP == nil || e.Call == "":
	case e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer && e.MCP.Attack != nil:
		g.last = &attackCall{call: e.Call, tool: e.MCP.Tool, attack: e.MCP.Attack, size: e.MCP.Size, seconds: lost}
		g.calls, g.byCall[e.Call], g.pinged = append(g.calls, g.last), g.last, ""
	case e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer && e.MCP.Method == "ping":
		g.pinged = e.Call
	case e.Kind == mcpsf.KindMCPResponse && !event.AsksClient(e.MCP.Method):
		if s := g.byCall[e.Call]; s != nil {
			s.answered, s.seconds, s.answer = true, e.MCP.Seconds, e.MCP.Size
		}
		if e.Call == g.pinged {
			g.last, g.pinged = nil, ""
		}
	}
}

// close ends a sandbox, or the run.
func (g *attackLog) close() {
	if g.last != nil && g.pinged != "" && !g.last.answered {
		g.last.unresponsive = true
	}
	g.last, g.pinged = nil, ""
}

// amplifies tells whether an answer is long without measure.
func (o *Outcomes) amplifies(f *event.Fields) bool {
	c := o.calls.ByID[f.Call]
	return c != nil && f.Kind == string(mcpsf.KindMCPResponse) && f.Size >= muchAnswer && f.Size >= muchMore*c.Size
}

// record is how lines of a log begin: with the time, or with how grave it is.
var record = regexp.MustCompile(`(?i)^.{0,8}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\b(?:debug|info|warn|warning|error|notice|trace)\b)`)

// forged tells whether a line of standard error is one of ours, after a line of
// the server's log.
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
