package program

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

// Registries is the client for package registries, with the user's settings.
func (p *Program) Registries(logger *slog.Logger) (*registry.Client, error) {
	return registry.New(&registry.Options{
		Getenv: p.Getenv, Home: p.Getenv("HOME"), UserAgent: p.UserAgent(), Logger: logger,
	})
}

// UserAgent is mcpsf's user agent.
func (p *Program) UserAgent() string { return "mcpsf/" + p.Version }

// WithoutCredentials sends requests with the user's settings, including
// proxies, but without credentials.
func WithoutCredentials(client *registry.Client) advisory.Doer { return plainDoer{client} }

type plainDoer struct{ client *registry.Client }

// Do implements [advisory.Doer].
func (d plainDoer) Do(r *http.Request) (*http.Response, error) {
	q := &registry.Request{Registry: d.client.Plain(r.URL), Method: r.Method, URL: r.URL.String(), Header: r.Header}
	if r.Body != nil && r.Body != http.NoBody {
		defer r.Body.Close()
		var body bytes.Buffer
		if _, err := body.ReadFrom(r.Body); err != nil {
			return nil, fmt.Errorf("sending a question: %w", err)
		}
		q.Body = body.Bytes()
	}
	return d.client.Do(r.Context(), q)
}
