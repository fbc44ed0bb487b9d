// Package remote finds out how well a server that is reached over HTTP guards
// itself: against people without credentials, web pages of strangers, guessed
// and stolen sessions, and against one client hearing what another asks.
//
// In come a way to make requests and the server's address; out go
// [mcpsf.RemoteDetail]s, one for each thing that was looked at, well guarded or
// not. The requests are few and harmless: nothing is called but what is known
// to have worked, or does not exist.
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

// Call is one that is known to have worked and to do no harm.
type Call struct {
	Tool      string
	Arguments json.RawMessage
}

// Options of [Check]. The zero value of each field means its default.
type Options struct {
	// Credentials are the headers that let us in, nil if none are needed.
	Credentials http.Header
	// Private is set for a server that only its own machine or network can reach.
	Private bool
	// Nonce tells what we send from what anybody else does.
	Nonce string
	// Call is made without credentials, nil for none.
	Call *Call
	// Pause is between two requests, Timeout how long one may take. Defaults:
	// 50ms, 10s.
	Pause, Timeout time.Duration
	// Overhear is how long one client listens while another asks. Default: 1s.
	Overhear time.Duration
}

// maxBody bounds what is read of an answer.
const maxBody = 256 << 10

// Check looks at everything. A server that does not answer an ordinary request
// is not looked at further; whatever else fails is part of what is told.
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

// Shown is an address without what may be secret in it: who asks, and the
// values of its query.
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
