package history

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/mail"
)

// Memory holds what earlier calls tell about later ones.
type Memory struct {
	// usual are the last ordinary calls of each tool; Earlier are the hosts in
	// all of them.
	usual   map[string]given
	Earlier declared.HostClaims
	// addresses are those that calls stored, as by importing subscribers.
	addresses map[string]bool
	// newest is the call that was made last.
	newest *Call
}

// given are the parameters of a request, with the values that the server made.
type given struct {
	params json.RawMessage
	server mcpsf.ServerValues
}

func newMemory() Memory {
	return Memory{usual: map[string]given{}, Earlier: declared.HostClaims{}, addresses: map[string]bool{}}
}

// paramsOf returns the parameters of a request. A request too long for the trace
// is stored as truncated text: then the params of an ordinary call of the same
// tool are used, because the long one is a variation of it. A malformed message
// is stored as text too: its own params are used. Params that are not those of
// the request itself keep the authors that they had.
func (l *Calls) paramsOf(d *mcpsf.MCPDetail) given {
	own := given{d.Body, d.ServerValues}
	if len(d.Body) == 0 || d.Body[0] != '"' || len(d.Body) > lex.MaxParams || d.Attack == nil {
		if d.Attack == nil && d.Tool != "" && !d.Truncated {
			l.Memory.usual[d.Tool] = own
			l.remember(&Call{tool: d.Tool, Params: d.Body, server: d.ServerValues})
		}
		return own
	}
	if usual, known := l.Memory.usual[d.Tool]; d.Truncated && known {
		return usual
	}
	if params := inText(d.Body); params != nil {
		own.params = params
	}
	return own
}

// remember keeps the hosts in ordinary calls: a call that subscribes to a feed
// names the host that a later call contacts. Hosts that the server made us send
// do not count. Of what a call stores the mail addresses are kept, too.
func (l *Calls) remember(c *Call) {
	for _, a := range c.Each() {
		if a.ByServer() {
			continue
		}
		l.Memory.Earlier.Add(a.Value, declared.HostClaim{By: declared.ByDocument, Source: "an argument of an earlier call"})
		if opens(c.tool) {
			for _, address := range mail.Addresses(a.Value) {
				if len(l.Memory.addresses) < mail.MaxAddresses {
					l.Memory.addresses[address] = true
				}
			}
		}
	}
}

// rememberForm keeps the hosts that the user filled into a form: who is asked for
// the address of a service wants it to be used.
func (l *Calls) rememberForm(d *mcpsf.MCPDetail) {
	if d.FromServer {
		return
	}
	for s := range lex.Places(d.Body, "") {
		if !s.Key && d.ServerValues.At(s.Pointer) == "" {
			l.Memory.Earlier.Add(s.Value, declared.HostClaim{By: declared.ByDocument, Source: "an answer to a form"})
		}
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
