// Package remote checks how well an HTTP server protects itself: against
// clients without credentials, web pages of other origins, guessed and stolen
// sessions, and one client receiving another's data.
//
// It takes a way to make requests and the server's address, and returns one
// [mcpsf.RemoteDetail] per check, weak or not. The requests are few and
// harmless: they call only tools that are known to work or that do not exist.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Doer makes one request. It honours the request's context and Host, adds no
// credentials and follows no redirects.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// Call is a tool call that is known to work and do no harm.
type Call struct {
	Tool      string
	Arguments json.RawMessage
}

// Options of [Check]. The zero value of each field means its default.
type Options struct {
	// Credentials are the headers that authenticate us, nil if none are needed.
	Credentials http.Header
	// Private is set for a server that only its own machine or network can reach.
	Private bool
	// Nonce distinguishes our requests from those of others.
	Nonce string
	// Call is made without credentials, nil for none.
	Call *Call
	// Pause is the time between two requests, Timeout the limit of one.
	// Defaults: 50ms, 10s.
	Pause, Timeout time.Duration
	// Overhear is how long one client listens while another sends requests.
	// Default: 1s.
	Overhear time.Duration
}

// maxBody bounds how much of an answer is read.
// no gap: bounds probes of a remote server for weaknesses
const maxBody = 256 << 10

// Check runs all checks. It stops if the server does not answer an ordinary
// request; any other failure is part of the result.
func Check(ctx context.Context, doer Doer, address string, opts *Options) ([]mcpsf.RemoteDetail, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errors.New("the address of the server makes no sense")
	}
	p := &prober{doer: doer, url: u, opts: opts.withDefaults()}
	p.cleartext()
	if !p.baseline(ctx) {
		return p.told, ctx.Err()
	}
	for _, look := range []func(context.Context){
		p.credentials, p.forged, p.rebinding, p.origin, p.cors, p.sessionIDs, p.sessionTaken, p.sessionMadeUp, p.crossClient,
	} {
		if ctx.Err() != nil {
			break
		}
		look(ctx)
	}
	return p.told, ctx.Err()
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Pause <= 0 {
		out.Pause = 50 * time.Millisecond
	}
	if out.Timeout <= 0 {
		out.Timeout = 10 * time.Second
	}
	if out.Overhear <= 0 {
		out.Overhear = time.Second
	}
	if out.Nonce == "" {
		out.Nonce = "q7x2m9"
	}
	return out
}

// tell adds a result.
func (p *prober) tell(d mcpsf.RemoteDetail) {
	d.URL, d.Open, d.Private = Shown(p.url), p.open, p.opts.Private
	p.told = append(p.told, d)
}

// Shown returns an address without its possible secrets: the user and the query
// values.
func Shown(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.RawQuery == "" {
		return shown.String()
	}
	return shown.String() + "?..."
}

// cleartext reports a server without TLS. It needs no request.
func (p *prober) cleartext() {
	if p.url.Scheme == "https" {
		return
	}
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckCleartext, Got: "it is spoken to in clear text", Want: "TLS", Weak: !p.opts.Private,
	})
}
