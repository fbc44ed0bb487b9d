package history

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Memory is what is known of calls beside what stands in them.
type Memory struct {
	// usual are the parameters of the last ordinary call of each tool, and
	// earlier the hosts in all of them.
	usual   map[string]json.RawMessage
	Earlier declared.HostClaims
	// told are the hosts in the server's answers; toldMore is set if there may
	// have been others.
	told     declared.HostClaims
	toldMore bool
	// newest is the call that was made last.
	newest *Call
}

func newMemory() Memory {
	return Memory{usual: map[string]json.RawMessage{}, Earlier: declared.HostClaims{}, told: declared.HostClaims{}}
}

// paramsOf are the parameters of a request, as far as they are known. What was
// too long for the trace is there as a text that ends somewhere: then those of
// an ordinary call of the same tool count, of which the long one is a variation.
// Of an odd message, which is there as a text, too, those in it do.
func (l *Calls) paramsOf(d *mcpsf.MCPDetail) json.RawMessage {
	if len(d.Body) == 0 || d.Body[0] != '"' || len(d.Body) > lex.MaxParams || d.Attack == nil {
		if d.Attack == nil && d.Tool != "" && !d.Truncated {
			l.Memory.usual[d.Tool] = d.Body
			l.remember(&Call{tool: d.Tool, Params: d.Body})
		}
		return d.Body
	}
	if usual := l.Memory.usual[d.Tool]; d.Truncated && usual != nil {
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
func (l *Calls) remember(c *Call) {
	proposed := l.Proposals(c)
	for value := range lex.Strings(c.Params) {
		if l.Memory.toldMore || proposed(value) {
			continue
		}
		for _, host := range hostname.Find(value) {
			if _, told := l.Memory.told.Find(host); !told {
				l.Memory.Earlier.Add(host, declared.HostClaim{By: declared.ByDocument, Source: "an argument of an earlier call"})
			}
		}
	}
}

// tells keeps the hosts in what the server answers to an ordinary call.
func (l *Calls) tells(d *mcpsf.MCPDetail) {
	l.Memory.toldMore = l.Memory.toldMore || d.Truncated || len(d.Body) > lex.MaxParams || len(l.Memory.told) >= lex.MaxListed
	if l.Memory.toldMore {
		return
	}
	for text := range lex.Strings(d.Body) {
		l.Memory.toldMore = l.Memory.toldMore || len(text) > lex.MaxValue
		l.Memory.told.Add(text, declared.HostClaim{})
	}
}

// AskedNow tells whether the attack that was made last asked for a host. A
// thread of a pool may work on it under the name of the call before.
func (l *Calls) AskedNow(host string) bool {
	n := l.Memory.newest
	if n == nil || n.Attack == nil {
		return false
	}
	claim, ok := l.Hosts(n).Find(host)
	return n.Attack.Marker == host || ok && claim.By == declared.ByArgument
}

// inText finds the parameters of the first request in the text of an odd
// message that gives something to somebody: there may be several, one on a line
// or all in a list.
func inText(body json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(body, &text) != nil || strings.Count(text, "{")+strings.Count(text, "[") > lex.MaxDepth {
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

// IsCut tells whether a request was longer than what is known of it.
func (c *Call) IsCut() bool { return c.Size > 2*int64(len(c.Params))+lex.MaxPath }
