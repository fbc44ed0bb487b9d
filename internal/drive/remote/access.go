package remote

import (
	"context"
	"maps"
	"net/http"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// noCredentials describes a request without credentials.
const noCredentials = "no credentials"

// credentials sends every request without credentials. A server that needs none
// is open: that is reported, but is no weakness by itself.
func (p *prober) credentials(ctx context.Context) {
	needed := len(p.opts.Credentials) > 0
	first := p.ask(ctx, ask{method: protocol.MethodInitialize, bare: true})
	p.access("initialize", &first, false)
	list := p.ask(ctx, ask{method: "tools/list", bare: true, session: first.session})
	p.access("tools/list", &list, needed)
	if c := p.opts.Call; c != nil {
		called := p.ask(ctx, ask{
			method: protocol.MethodCall, bare: true, session: first.session, params: map[string]any{"name": c.Tool, "arguments": c.Arguments},
		})
		p.access("tools/call", &called, needed && called.failure == "")
	}
	p.leave(ctx, first.session, true)
}

// access reports the answer to a client without credentials.
func (p *prober) access(method string, a *answer, weak bool) {
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckCredentials, Method: method, Sent: noCredentials, Got: a.String(), Want: "HTTP 401",
		Weak: weak && a.taken(),
	})
}

// forged sends requests with invented credentials of the same form.
func (p *prober) forged(ctx context.Context) {
	if len(p.opts.Credentials) == 0 || p.open {
		return
	}
	made := maps.Clone(p.opts.Credentials)
	for name, values := range made {
		made[name] = []string{p.forge(name, values)}
	}
	first := p.ask(ctx, ask{method: protocol.MethodInitialize, bare: true, header: made})
	list := p.ask(ctx, ask{method: "tools/list", bare: true, session: first.session, header: made})
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckForged, Method: "tools/list", Sent: "made-up credentials", Got: list.String(), Want: "HTTP 401", Weak: list.taken(),
	})
	p.leave(ctx, first.session, true, made)
}

// forge keeps the scheme and length of a value.
func (p *prober) forge(name string, values []string) string {
	value := ""
	if len(values) > 0 {
		value = values[0]
	}
	keep := 0
	if http.CanonicalHeaderKey(name) == "Authorization" {
		for i := range value {
			if value[i] == ' ' {
				keep = i + 1
				break
			}
		}
	}
	made := []byte(value)
	for i := keep; i < len(made); i++ {
		if made[i] != '.' && made[i] != '-' && made[i] != '_' { // keeps the separators of a token
			made[i] = p.opts.Nonce[i%len(p.opts.Nonce)]
		}
	}
	return string(made)
}
