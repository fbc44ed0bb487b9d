package session

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/httpprobe"
)

// Visits are requests beside the protocol, to whatever else a server has at the
// places where it listens. They bear no credentials.
type Visits struct {
	// Places are the addresses to visit, once there are as many as expected.
	Places   func(ctx context.Context, expected int) []string
	Expected int
	// World is what the requests are to reach, and Known what is known of the
	// server before.
	World *attack.World
	Known httpprobe.Learned
	// Shown tells whether a request brought about what it was to, once all
	// that it did is known.
	Shown func(ctx context.Context, a *mcpsf.AttackDetail, call string) bool
	// Most bounds the number of requests, and Long how long they take.
	Most int
	Long time.Duration
}

const (
	// maxScripts is how many scripts of a page are read.
	maxScripts = 3
	// everyPath is the share of the requests that every path may use, so that
	// some are left for those where something is.
	everyPath = 0.7
)

// visit visits one place after the other. Each gets the same share of the
// requests that may be made.
func (w *web) visit(ctx context.Context, v *Visits) error {
	w.session.enter(mcpsf.PhaseAttack)
	places := v.Places(ctx, v.Expected)
	made, until := 0, time.Now().Add(v.Long)
	for i, place := range places {
		at, err := addressOf(place)
		if err != nil {
			return err
		}
		one := &visitor{web: w, Visits: v, at: at, until: until, known: v.Known, made: made, most: made + (v.Most-made)/(len(places)-i)}
		one.run(ctx)
		one.late(ctx)
		made = one.made
	}
	return ctx.Err()
}

// visitor visits one place.
type visitor struct {
	*web
	*Visits

	at    *url.URL
	known httpprobe.Learned
	// made is how many requests were made, in all places, and most how many
	// may be.
	made, most int
	until      time.Time
	// nothing is what is answered where nothing is, by method.
	nothing map[string]reply
	waiting []pending
}

// run first asks every path for what is gravest, then those where something is
// for the rest.
func (v *visitor) run(ctx context.Context) {
	if !v.explore(ctx) {
		return // it does not speak HTTP
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
			if there, fell := v.try(ctx, r, httpprobe.Program); there && !fell {
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

func (v *visitor) over(ctx context.Context) bool {
	return ctx.Err() != nil || isClosed(v.lost) || v.made >= v.most || time.Now().After(v.until)
}

// explore finds out what is answered where nothing is, and reads the first page
// and its scripts. It tells whether anything is answered at all.
func (v *visitor) explore(ctx context.Context) bool {
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

// try makes a request, and more of it if it did what it was to. It tells
// whether there is anything, and whether it did.
func (v *visitor) try(ctx context.Context, r httpprobe.Request, kind httpprobe.Kind) (there, fell bool) {
	a := v.aim(&r, kind)
	r.Names = r.Aim.Fitting(r.Names)
	if !r.Aim.Bears(r.Names) {
		return true, false
	}
	a.Payload = shown(v.line(&r))
	a.Class = mcpsf.ClassEndpoint
	answer, call := v.send(ctx, &r, a)
	there = answer.status != 0 && !answer.like(v.nothing[r.Method])
	if !v.Shown(ctx, a, call) {
		v.waiting = append(v.waiting, pending{r, kind, a, call})
		return there, false
	}
	v.press(ctx, r, kind)
	return true, true
}

// pending is a request whose sign was not there when it was answered.
type pending struct {
	request httpprobe.Request
	kind    httpprobe.Kind
	attack  *mcpsf.AttackDetail
	call    string
}

// late looks for signs that came after the answer.
func (v *visitor) late(ctx context.Context) {
	for _, p := range v.waiting {
		if v.Shown(ctx, p.attack, p.call) {
			v.press(ctx, p.request, p.kind)
		}
	}
}

// press finds the parameters that matter, and whether the page of a stranger
// can do the same.
func (v *visitor) press(ctx context.Context, r httpprobe.Request, kind httpprobe.Kind) {
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

// again makes a request once more. A trial is only to find the shortest.
func (v *visitor) again(ctx context.Context, r httpprobe.Request, kind httpprobe.Kind, trial bool) bool {
	a := v.aim(&r, kind)
	if ctx.Err() != nil || isClosed(v.lost) || trial && v.over(ctx) || !r.Aim.Bears(r.Names) {
		return false
	}
	if trial {
		a.Class = mcpsf.ClassShrink
	}
	_, call := v.send(ctx, &r, a)
	return v.Shown(ctx, a, call)
}

// aim chooses what a request is to reach.
func (v *visitor) aim(r *httpprobe.Request, kind httpprobe.Kind) *mcpsf.AttackDetail {
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
	r.Aim = httpprobe.Aim{Kind: kind, Word: a.Marker}
	if kind == httpprobe.Address {
		r.Aim.Word = "http://" + a.Marker + "/"
	}
	if r.Page || r.Bound {
		a.Class += mcpsf.FromPage
	}
	a.Payload = shown(v.line(r))
	return a
}
