package rules

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// memory is what is known of calls beside what stands in them.
type memory struct {
	// usual are the parameters of the last ordinary call of each tool, and
	// earlier the hosts in all of them.
	usual   map[string]json.RawMessage
	earlier hostClaims
	// told are the hosts in the server's answers; toldMore is set if there may
	// have been others.
	told     hostClaims
	toldMore bool
	// newest is the call that was made last.
	newest *call
}

func newMemory() memory {
	return memory{usual: map[string]json.RawMessage{}, earlier: hostClaims{}, told: hostClaims{}}
}

// paramsOf are the parameters of a request, as far as they are known. What was
// too long for the trace is there as a text that ends somewhere: then those of
// an ordinary call of the same tool count, of which the long one is a variation.
// Of an odd message, which is there as a text, too, those in it do.
func (l *callLog) paramsOf(d *mcpsf.MCPDetail) json.RawMessage {
	if len(d.Body) == 0 || d.Body[0] != '"' || len(d.Body) > maxParams || d.Attack == nil {
		if d.Attack == nil && d.Tool != "" && !d.Truncated {
			l.memory.usual[d.Tool] = d.Body
			l.remember(&call{tool: d.Tool, params: d.Body})
		}
		return d.Body
	}
	if usual := l.memory.usual[d.Tool]; d.Truncated && usual != nil {
		return usual
	}
	if params := inText(d.Body); params != nil {
		return params
	}
	return d.Body
}

// remember keeps the hosts that an ordinary call was given: who subscribes to a
// feed names the host that a later call asks. What the server itself proposed or
// told before is not kept: it is given back to the server by whoever calls it.
func (l *callLog) remember(c *call) {
	proposed := l.proposals(c)
	for value := range stringsIn(c.params) {
		if l.memory.toldMore || proposed(value) {
			continue
		}
		for _, host := range hostsIn(value) {
			if _, told := l.memory.told.find(host); !told {
				l.memory.earlier.add(host, hostClaim{byDocument, "an argument of an earlier call"})
			}
		}
	}
}

// tells keeps the hosts in what the server answers to an ordinary call.
func (l *callLog) tells(d *mcpsf.MCPDetail) {
	l.memory.toldMore = l.memory.toldMore || d.Truncated || len(d.Body) > maxParams || len(l.memory.told) >= maxListed
	if l.memory.toldMore {
		return
	}
	for text := range stringsIn(d.Body) {
		l.memory.toldMore = l.memory.toldMore || len(text) > maxValue
		l.memory.told.add(text, hostClaim{})
	}
}

// askedNow tells whether the attack that was made last asked for a host. A
// thread of a pool may work on it under the name of the call before.
func (l *callLog) askedNow(host string) bool {
	n := l.memory.newest
	if n == nil || n.attack == nil {
		return false
	}
	claim, ok := l.hosts(n).find(host)
	return n.attack.Marker == host || ok && claim.by == byArgument
}

// inText finds the parameters of the first request in the text of an odd
// message that gives something to somebody: there may be several, one on a line
// or all in a list.
func inText(body json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(body, &text) != nil || strings.Count(text, "{")+strings.Count(text, "[") > maxDepth {
		return nil
	}
	type request struct {
		Params json.RawMessage `json:"params"`
	}
	for line := range strings.Lines(text) {
		var one request
		var several []request
		if json.Unmarshal([]byte(line), &one) == nil {
			several = []request{one}
		} else if json.Unmarshal([]byte(line), &several) != nil {
			continue
		}
		for _, q := range several {
			var given struct {
				URI       string                     `json:"uri"`
				Arguments map[string]json.RawMessage `json:"arguments"`
			}
			if json.Unmarshal(q.Params, &given) == nil && (given.URI != "" || len(given.Arguments) > 0) {
				return q.Params
			}
		}
	}
	return nil
}

// isCut tells whether a request was longer than what is known of it.
func (c *call) isCut() bool { return c.size > 2*int64(len(c.params))+maxPath }
