package session

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/httpprobe"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// HTTPProbe makes HTTP requests outside the MCP protocol to everything that the
// server serves. They carry no credentials.
type HTTPProbe struct {
	// Places returns the addresses to probe. It waits until there are as many
	// as expected.
	Places   func(ctx context.Context, expected int) []string
	Expected int
	// World holds what the requests try to make the server reach, and Known
	// what is already known about the server.
	World *attack.World
	Known httpprobe.Learned
	// Shown reports whether a request had its effect, after all its events were
	// recorded.
	Shown func(ctx context.Context, a *mcpsf.AttackDetail, call string) bool
	// Most bounds the number of requests, and Long their total time.
	Most int
	Long time.Duration
}

// no gap: bounds probes for weaknesses
const (
	// maxScripts is how many scripts of a web page are read.
	maxScripts = 3
	// everyPath is the share of the requests that the first round over all paths
	// may use. The rest is for paths that exist.
	everyPath = 0.7
)

// probeHTTP probes one address after the other. Each gets the same share of the
// requests.
func (s *session) probeHTTP(ctx context.Context, p *HTTPProbe) error {
	s.ledger.enter(mcpsf.PhaseAttack)
	places := p.Places(ctx, p.Expected)
	made, until := 0, time.Now().Add(p.Long)
	for i, place := range places {
		at, err := transport.ParseAddress(place)
		if err != nil {
			return err
		}
		requests := &probeRequests{
			at: at, wire: s.opts.Endpoint.Wire, leaves: s.http.Leaves(), tap: s.tap, ledger: s.ledger, maxBody: s.opts.Limits.MaxBody, made: made,
		}
		one := &httpProber{
			HTTPProbe: p, probeRequests: requests, gone: s.http.Gone(), until: until, known: p.Known, most: made + (p.Most-made)/(len(places)-i),
		}
		one.run(ctx)
		one.late(ctx)
		made = one.made
	}
	return ctx.Err()
}

// httpProber probes one address.
type httpProber struct {
	*HTTPProbe
	*probeRequests

	gone  <-chan struct{}
	known httpprobe.Learned
	// most is how many requests may have been made so far, for all addresses.
	most  int
	until time.Time
	// nothing is the answer for a path that does not exist, by method.
	nothing map[string]reply
	waiting []pending
}

// run first tries the most severe attack on every path, then the others on paths
// that exist.
func (v *httpProber) run(ctx context.Context) {
	if !v.explore(ctx) {
		return // the server does not speak HTTP
	}
	names := v.known.Parameters()
	room := max(1, int(float64(v.most-v.made)*everyPath)/2)
	var lively []httpprobe.Request
	for _, path := range v.known.Ask(room) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r := httpprobe.Request{Method: method, Path: path, Names: names}
			if v.over(ctx) {
				return
			}
			if there, hit := v.try(ctx, r, httpprobe.Program); there && !hit {
				lively = append(lively, r)
			}
		}
	}
	for _, kind := range []httpprobe.Kind{httpprobe.Shell, httpprobe.File, httpprobe.Address} {
		for _, r := range lively {
			if v.over(ctx) {
				return
			}
			v.try(ctx, r, kind)
		}
	}
	v.climb(ctx)
}

func (v *httpProber) over(ctx context.Context) bool {
	return ctx.Err() != nil || transport.Closed(v.gone) || v.made >= v.most || time.Now().After(v.until)
}

// explore learns the server's answer for a path that does not exist, and reads
// the front page and its scripts. It returns false if the server answers
// nothing at all.
func (v *httpProber) explore(ctx context.Context) bool {
	v.nothing = map[string]reply{}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		r := httpprobe.Request{Method: method, Path: "/" + v.World.Word("visit", len(v.nothing))}
		answer, _ := v.send(ctx, &r, nil)
		if answer.status == 0 {
			return false
		}
		v.nothing[method] = answer
	}
	page, _ := v.send(ctx, &httpprobe.Request{Method: http.MethodGet, Path: "/"}, nil)
	v.known.Read(string(page.body))
	v.known.Read(string(v.nothing[http.MethodGet].body))
	for _, script := range v.known.Scripts[:min(len(v.known.Scripts), maxScripts)] {
		text, _ := v.send(ctx, &httpprobe.Request{Method: http.MethodGet, Path: script}, nil)
		v.known.Read(string(text.body))
	}
	return true
}

// try makes a request, and investigates it if its sign appeared. It returns
// whether the path exists and whether the sign appeared.
func (v *httpProber) try(ctx context.Context, r httpprobe.Request, kind httpprobe.Kind) (there, hit bool) {
	a := v.choose(&r, kind)
	r.Names = r.Payload.Fitting(r.Names)
	if !r.Payload.Bears(r.Names) {
		return true, false
	}
	a.Payload = attackplan.PayloadText(v.line(&r))
	a.Class = mcpsf.ClassEndpoint
	answer, call := v.send(ctx, &r, a)
	there = answer.status != 0 && !answer.like(v.nothing[r.Method])
	if !v.Shown(ctx, a, call) {
		v.waiting = append(v.waiting, pending{r, kind, a, call})
		return there, false
	}
	v.stress(ctx, r, kind)
	return true, true
}

// pending is a request whose sign had not appeared when it was answered.
type pending struct {
	request httpprobe.Request
	kind    httpprobe.Kind
	attack  *mcpsf.AttackDetail
	call    string
}

// late looks for signs that appeared after the answer.
func (v *httpProber) late(ctx context.Context) {
	for _, p := range v.waiting {
		if v.Shown(ctx, p.attack, p.call) {
			v.stress(ctx, p.request, p.kind)
		}
	}
}

// stress repeats a successful request to find the parameters that matter, and
// whether a web page of another origin can send it.
func (v *httpProber) stress(ctx context.Context, r httpprobe.Request, kind httpprobe.Kind) {
	for size := (len(r.Names) + 1) / 2; size >= 1; size /= 2 {
		for at := 0; at+size <= len(r.Names); {
			less := r
			less.Names = slices.Delete(slices.Clone(r.Names), at, at+size)
			if v.again(ctx, less, kind, true) {
				r = less
			} else {
				at += size
			}
		}
	}
	plain := r
	r.Page, r.Bound = kind != httpprobe.File, kind == httpprobe.File
	if v.again(ctx, r, kind, false) {
		return
	}
	if r.Method != http.MethodGet && r.Page && v.permitted(ctx, r.Path) {
		if r.JSON = true; v.again(ctx, r, kind, false) {
			return
		}
	}
	v.again(ctx, plain, kind, false)
}

// again repeats a request. A trial only searches for the shortest request.
func (v *httpProber) again(ctx context.Context, r httpprobe.Request, kind httpprobe.Kind, trial bool) bool {
	a := v.choose(&r, kind)
	if ctx.Err() != nil || transport.Closed(v.gone) || trial && v.over(ctx) || !r.Payload.Bears(r.Names) {
		return false
	}
	if trial {
		a.Class = mcpsf.ClassShrink
	}
	_, call := v.send(ctx, &r, a)
	return v.Shown(ctx, a, call)
}

// choose chooses the program, file or address that a request is to reach.
func (v *httpProber) choose(r *httpprobe.Request, kind httpprobe.Kind) *mcpsf.AttackDetail {
	a := &mcpsf.AttackDetail{Place: r.Path, Sign: mcpsf.SignExec, Class: mcpsf.ClassEndpointCommand}
	n := v.made
	switch kind {
	case httpprobe.Program:
		a.Marker, a.Why = v.World.Program(n), "a parameter that names a program"
	case httpprobe.Shell:
		a.Marker, a.Why = v.World.Program(n), "a parameter with a command in it"
	case httpprobe.File:
		a.Class, a.Sign = mcpsf.ClassEndpointFile, mcpsf.SignOpen
		a.Marker, a.Why = v.World.Secret(n), "a parameter that names a file"
	case httpprobe.Address:
		a.Class, a.Sign = mcpsf.ClassEndpointRequest, mcpsf.SignRequest
		a.Marker, a.Why = v.World.Loopback(n), "a parameter that is an address"
	}
	r.Payload = httpprobe.Payload{Kind: kind, Word: a.Marker}
	if kind == httpprobe.Address {
		r.Payload.Word = "http://" + a.Marker + "/"
	}
	if r.Page || r.Bound {
		a.Class += mcpsf.FromPage
	}
	a.Payload = attackplan.PayloadText(v.line(r))
	return a
}

// climb requests a file by a path that leads out of the served directory (path
// traversal).
func (v *httpProber) climb(ctx context.Context) {
	const up = 12
	for _, step := range []string{"/..", "/%2e%2e", "/..%2f", "/..%5c", "/static/.."} {
		if v.over(ctx) {
			return
		}
		secret := v.World.Secret(v.made)
		r := httpprobe.Request{Method: http.MethodGet, Path: strings.Repeat(step, up) + secret}
		if strings.HasSuffix(step, "%2f") {
			r.Path = "/" + strings.Repeat(step[1:], up) + strings.ReplaceAll(secret[1:], "/", "%2f")
		}
		a := mcpsf.AttackDetail{
			Class: mcpsf.ClassEndpoint, Place: "/", Sign: mcpsf.SignOpen, Marker: secret, Why: "a path that climbs out", Payload: attackplan.PayloadText(v.line(&r)),
		}
		if _, call := v.send(ctx, &r, &a); v.Shown(ctx, &a, call) {
			plain, page := a, a
			plain.Class, page.Class = mcpsf.ClassEndpointFile, mcpsf.ClassEndpointFile+mcpsf.FromPage
			bound := r
			bound.Bound = true
			if _, call := v.send(ctx, &bound, &page); !v.Shown(ctx, &page, call) {
				v.send(ctx, &r, &plain)
			}
			return
		}
	}
}
