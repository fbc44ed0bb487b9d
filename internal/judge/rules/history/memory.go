package history

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Memory holds what earlier calls tell about later ones.
type Memory struct {
	// usual are the params of the last ordinary call of each tool; Earlier are
	// the hosts in all of them.
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

// paramsOf returns the parameters of a request. A request too long for the trace
// is stored as truncated text: then the params of an ordinary call of the same
// tool are used, because the long one is a variation of it. A malformed message
// is stored as text too: its own params are used.
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

// remember keeps the hosts in ordinary calls: a call that subscribes to a feed
// names the host that a later call contacts. Hosts that the server proposed or
// returned before do not count, because the caller only repeats them.
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

// tells keeps the hosts in the server's answers to ordinary calls.
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

// AskedNow tells whether the latest attack asked for a host. A pool thread may
// work on it with the label of the previous call.
func (l *Calls) AskedNow(host string) bool {
	n := l.Memory.newest
	if n == nil || n.Attack == nil {
		return false
	}
	claim, ok := l.Hosts(n).Find(host)
	return n.Attack.Marker == host || ok && claim.By == declared.ByArgument
}

// inText returns the params of the first request with arguments in the text of a
// malformed message. It may contain several requests, one on each line or in a
// list.
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

// IsCut tells whether the trace holds only the beginning of a request.
func (c *Call) IsCut() bool { return c.Size > 2*int64(len(c.Params))+lex.MaxPath }
