// Package gateway is the proxy through which an installation in the sandbox
// gets its packages.
//
// In: requests of npm and pip, or of anything else in the sandbox, to the one
// host they can reach. Out: packuments, project pages and package files of the
// registries that the user has configured, and a record of every request,
// allowed or refused.
//
// The client is hostile. It names packages, never addresses: the URL of a file
// at its registry is encrypted before the client sees it, so the client can
// request only files that a registry named. Only GET and HEAD are passed on,
// and of the client's headers only a checked Range and If-None-Match.
// Credentials, registry hosts and other settings of the user are never
// returned.
package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// The limits that apply where [Options] does not set any.
// no gap: beyond it the package manager gets an error, which is recorded
const (
	DefaultMaxBytes    = 4 << 30
	DefaultMaxRequests = 20_000
)

// Options describe a gateway. Client is required; zero fields take their
// defaults. The functions may be nil; they are never called concurrently.
type Options struct {
	// Client asks the registries.
	Client *registry.Client
	// Base is the gateway's URL in the sandbox; http://packages.lan/ if nil.
	// Only its scheme and host count.
	Base *url.URL
	// MaxBytes bounds all response bodies together.
	MaxBytes int64
	// MaxRequests bounds the number of answered requests.
	MaxRequests int
	// Before shows packuments and project pages as they were at that time:
	// versions and files with a later date are left out. Zero shows everything.
	// The dates are those that a registry states, which for some mirrors are
	// those of their own copies. Files that a lock file names are not affected.
	Before time.Time
	// Locked are versions of npm packages by name, each with the digest of its
	// file ("" if that is unknown). Below npm-locked/ a package that is listed
	// has no others.
	Locked map[string]map[string]string
	// Attempt is called with each request when it has ended. Beyond MaxRequests
	// it is called only once; [Totals] counts them all.
	Attempt func(Attempt)
	// Progress is called with the number of package files and bytes so far.
	Progress func(packages int, bytes int64)
	Logger   *slog.Logger
}

// Attempt is one request of the sandbox.
type Attempt struct {
	// From is the client's address.
	From   string
	Method string
	// URL is the requested URL: printable ASCII, shortened. The encrypted part
	// of a file's URL, which differs in each run, is left out.
	URL    string
	Status int
	Bytes  int64
	// Refused is why the gateway refused it, "" if it did not.
	Refused string
	// Failure is the registry's failure, in one line for the user, nil if none.
	Failure error
}

// Gateway is an [http.Handler]. Use [Gateway.Server] to serve it.
type Gateway struct {
	opts      Options
	base      string // ends in "/"
	host      string
	addresses *addressCipher

	pages *pageCache
	// making bounds how many pages are in memory beside the cache, large how
	// many large ones, answering how many requests are processed at a time.
	making, large, answering chan struct{}

	conns    atomic.Int64
	requests atomic.Int64
	refused  atomic.Int64
	bytes    atomic.Int64
	lock     lock
	undated  undated

	hooks sync.Mutex // held while a function of opts runs
}

var _ http.Handler = (*Gateway)(nil)

// New makes a gateway.
func New(opts *Options) *Gateway {
	g := &Gateway{
		opts: *opts, addresses: newAddressCipher(), pages: newPageCache(),
		making: make(chan struct{}, maxMaking), large: make(chan struct{}, 1),
		answering: make(chan struct{}, maxAnswering),
	}
	base := g.opts.Base
	if base == nil {
		base = &url.URL{Scheme: "http", Host: "packages.lan"}
	}
	g.base = base.Scheme + "://" + base.Host + "/"
	g.host = hostOf(base.Host)
	if g.opts.MaxBytes <= 0 {
		g.opts.MaxBytes = DefaultMaxBytes
	}
	if g.opts.MaxRequests <= 0 {
		g.opts.MaxRequests = DefaultMaxRequests
	}
	if g.opts.Logger == nil {
		g.opts.Logger = slog.New(slog.DiscardHandler)
	}
	return g
}

// ServeHTTP implements [http.Handler].
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := newExchange(g, w, r)
	defer x.finish()
	if err := g.answer(x); err != nil {
		x.fail(err)
	}
}

func (g *Gateway) answer(x *exchange) error {
	if err := x.check(); err != nil {
		return err
	}
	to, err := parseTarget(x.r.RequestURI)
	if err != nil {
		return err
	}
	ctx := x.r.Context()
	release, err := acquire(ctx, g.answering)
	if err != nil {
		return err
	}
	defer release()
	switch to.kind {
	case targetPing:
		return x.send(newPage("application/json", []byte("{}")))
	case targetPackument:
		return g.packument(x, to)
	case targetTarball:
		return g.tarball(x, to)
	case targetProject:
		return g.project(x, to)
	default:
		return g.fileByToken(x, to)
	}
}

// acquire takes a slot of a semaphore.
func acquire(ctx context.Context, queue chan struct{}) (release func(), err error) {
	select {
	case queue <- struct{}{}:
		return func() { <-queue }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// hostOf normalises a host for comparison.
func hostOf(host string) string {
	return strings.TrimSuffix(strings.ToLower(host), ":80")
}
