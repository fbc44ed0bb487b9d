package llm

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/mcpsf/mcpsf/internal/pause"
)

// Options of [New]. The zero value of each field means its default.
type Options struct {
	// Key and BaseURL are given by the user, "" if not.
	Key, BaseURL string
	// Getenv reads the user's environment: the provider's variables for key and
	// address, and the proxy variables. nil means an empty environment.
	Getenv func(string) string
	// HTTP provides only its transport; its redirects, cookies and timeouts are
	// not used.
	HTTP *http.Client
	// Timeout bounds an ask with all its tries, First the wait for the first
	// byte of a try, Idle the wait for each further byte.
	Timeout, First, Idle time.Duration
	// Retries is how often a temporary failure is retried; -1 means never.
	Retries int
	Logger  *slog.Logger
	// The clock, and random numbers in [0,1).
	Now    func() time.Time
	Sleep  func(ctx context.Context, d time.Duration) error
	Random func() float64
}

// New makes a model. It sends nothing before the first ask.
func New(s Spec, opts *Options) (Model, error) {
	o := opts.filled()
	p, ok := providerOf(s.Provider)
	if !ok {
		return nil, usagef("%q is no provider of models", clean(s.Provider))
	}
	e, err := resolve(p, s, o)
	if err != nil {
		return nil, err
	}
	m := &remote{name: s.String(), opts: *o, hint: e.hint}
	if e.own {
		if m.price, err = priceOf(s); err != nil {
			return nil, err
		}
	}
	d := &doer{
		client: &http.Client{Transport: o.HTTP.Transport, CheckRedirect: noRedirect},
		limits: defaultLimits(), first: o.First, idle: o.Idle, key: e.key, now: o.Now,
	}
	if p.wire == wireAnthropic {
		m.wire = newAnthropic(s, e, d)
	} else {
		m.wire = newOpenAI(p, s, e, d)
	}
	return m, nil
}

// filled is a copy with the defaults filled in.
func (o *Options) filled() *Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.Getenv == nil {
		f.Getenv = func(string) string { return "" }
	}
	if f.HTTP == nil {
		f.HTTP = &http.Client{}
	}
	if f.HTTP.Transport == nil {
		f.HTTP = &http.Client{Transport: transport(f.Getenv)}
	}
	f.Timeout = cmp.Or(f.Timeout, 5*time.Minute)
	f.First = cmp.Or(f.First, 3*time.Minute)
	f.Idle = cmp.Or(f.Idle, time.Minute)
	f.Retries = cmp.Or(f.Retries, 4)
	if f.Logger == nil {
		f.Logger = slog.New(slog.DiscardHandler)
	}
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Sleep == nil {
		f.Sleep = pause.For
	}
	if f.Random == nil {
		f.Random = rand.Float64
	}
	return &f
}

// transport makes a transport of its own, because the default one reads the
// environment and is shared.
func transport(getenv func(string) string) *http.Transport {
	either := func(upper, lower string) string { return cmp.Or(getenv(upper), getenv(lower)) }
	proxy := (&httpproxy.Config{
		HTTPProxy:  either("HTTP_PROXY", "http_proxy"),
		HTTPSProxy: either("HTTPS_PROXY", "https_proxy"),
		NoProxy:    either("NO_PROXY", "no_proxy"),
	}).ProxyFunc()
	return &http.Transport{
		Proxy:                  func(r *http.Request) (*url.URL, error) { return proxy(r.URL) },
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    20 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConnsPerHost:    8,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// noRedirect keeps keys and prompts at the address that the user named.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
