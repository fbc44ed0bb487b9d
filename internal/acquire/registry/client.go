package registry

import (
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// Options say whose settings apply. All fields may be zero.
type Options struct {
	// Getenv looks up the user's environment; nil means an empty one.
	Getenv func(string) string
	// Home is the user's home directory, "" for none.
	Home      string
	UserAgent string
	Logger    *slog.Logger
}

// Client sends requests to registries. It is safe for concurrent use.
type Client struct {
	opts Options
	// proxy is the environment's proxy, for all registries.
	proxy *proxySettings
	npm   npmSettings
	pypi  []Registry

	// resolver is Go's own, because a static binary has none of the C
	// library's.
	resolver *net.Resolver

	mu         sync.Mutex
	transports map[route]*http.Transport
	pace       pace
}

// New reads the user's settings. A broken settings file is an *mcpsf.Error
// naming file and line.
func New(opts *Options) (*Client, error) {
	c := &Client{transports: map[route]*http.Transport{}, pace: defaultPace(), resolver: &net.Resolver{PreferGo: true}}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.Getenv == nil {
		c.opts.Getenv = func(string) string { return "" }
	}
	if c.opts.Logger == nil {
		c.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if c.opts.UserAgent == "" {
		c.opts.UserAgent = "mcpsf"
	}
	var err error
	if c.proxy, err = environmentProxy(c.opts.Getenv); err != nil {
		return nil, err
	}
	if err := c.readNPM(); err != nil {
		return nil, err
	}
	if err := c.readPip(); err != nil {
		return nil, err
	}
	return c, nil
}

// NPM returns the registry of a scope such as "@x"; "" is for all packages
// without a scope.
func (c *Client) NPM(scope string) Registry { return c.npmRegistry(scope) }

// PyPI returns the indexes in the order they are asked.
func (c *Client) PyPI() []Registry { return slices.Clone(c.pypi) }

// Plain is a URL without settings of its own. Proxies are used.
func (c *Client) Plain(base *url.URL) Registry {
	r, err := newRegistry(base.String(), nil)
	if err != nil {
		return brokenRegistry(err)
	}
	return r
}

// WithBearer returns r with a token that is sent only to r's own origin.
func (c *Client) WithBearer(r Registry, token string) Registry {
	r.auth = bearer(token)
	return r
}

// Close closes idle connections.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.transports {
		t.CloseIdleConnections()
	}
}
