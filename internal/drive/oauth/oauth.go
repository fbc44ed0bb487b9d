// Package oauth logs in to a server by OAuth 2.1, as MCP asks its clients to,
// knowing only the server's address.
//
// It takes requests to the server and sends them with a token, which it gets
// when the server first asks for one: with client credentials, in the user's
// browser, or by a code that the user enters on another device. Tokens are kept
// in memory only. What the server publishes about logging in is hostile: it is
// bounded, checked for consistency, and kept for the report.
package oauth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// Flow is an OAuth flow.
type Flow string

// The flows. Auto uses client credentials if there are any, else the user's
// browser.
const (
	FlowAuto   Flow = ""
	FlowCode   Flow = "code"
	FlowDevice Flow = "device"
	FlowClient Flow = "client"
)

// User is the person who logs in.
type User interface {
	// Redirect is the redirect address.
	Redirect() string
	// Visit has the user open an address and returns the parameters of the
	// redirect.
	Visit(ctx context.Context, address string) (url.Values, error)
	// Enter tells the user where to enter a code. It does not wait.
	Enter(address, code string)
}

// Options of a [Transport]. The zero value of each field means its default.
type Options struct {
	// ID and Secret are those of a client registered at the server; ""
	// registers one. Document is the address of our client metadata document,
	// used as the id where the server supports that.
	ID, Secret, Document string
	Flow                 Flow
	// User is nil if no user is present.
	User User
	// Scope is requested if the server names none.
	Scope string
	// Learned is called with every new secret.
	Learned func(secret string)
	// Now and Random default to the machine's clock and randomness.
	Now    func() time.Time
	Random io.Reader
}

// maxLogins bounds how often a server can ask for a new token.
// no gap: bounds the login at a remote server; failure is an error
const maxLogins = 3

// Transport adds a token to the requests to one server.
type Transport struct {
	base     http.RoundTripper
	resource *url.URL
	opts     Options

	mu     sync.Mutex
	token  oauth2.Token
	found  Discovery
	scope  string
	client registration
	logins int
	failed error // why no token can be had
}

var _ http.RoundTripper = (*Transport)(nil)

// New makes a transport for the server at an address.
func New(base http.RoundTripper, resource string, opts *Options) (*Transport, error) {
	u, err := url.Parse(resource)
	if err != nil || u.Host == "" {
		return nil, errors.New("the address of the server makes no sense")
	}
	t := &Transport{base: base, resource: u}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.Learned == nil {
		t.opts.Learned = func(string) {}
	}
	if t.opts.Now == nil {
		t.opts.Now = time.Now
	}
	if t.opts.Random == nil {
		t.opts.Random = rand.Reader
	}
	t.opts.Learned(t.opts.Secret)
	return t, nil
}

// Discovery returns what the server has published so far about logging in.
func (t *Transport) Discovery() Discovery {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.found
}

// Token returns the current token, "" if there is none.
func (t *Transport) Token() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.token.AccessToken
}

// RoundTrip implements [http.RoundTripper]. It sends the token only to the one
// server; other requests pass unchanged.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !sameOrigin(r.URL, t.resource) || r.Header.Get("Authorization") != "" {
		return t.base.RoundTrip(r)
	}
	for {
		used := t.Token()
		response, err := t.base.RoundTrip(withToken(r, used))
		if err != nil || !asksForLogin(response) || r.Body != nil && r.GetBody == nil {
			return response, err
		}
		asked := response.Header.Values("WWW-Authenticate")
		again, err := t.login(r.Context(), used, response.StatusCode, asked)
		if err != nil {
			_ = response.Body.Close()
			return nil, err
		}
		if !again {
			return response, nil
		}
		_ = response.Body.Close()
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, fmt.Errorf("sending the request again: %w", err)
			}
			r = r.Clone(r.Context())
			r.Body = body
		}
	}
}

// asksForLogin reports whether a new token can help.
func asksForLogin(r *http.Response) bool {
	if r.StatusCode == http.StatusUnauthorized {
		return true
	}
	return r.StatusCode == http.StatusForbidden && parseChallenge(r.Header.Values("WWW-Authenticate")).Error == "insufficient_scope"
}

func withToken(r *http.Request, token string) *http.Request {
	if token == "" {
		return r
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// login replaces the token that was used, unless another request already did.
// again is false if a retry is pointless.
func (t *Transport) login(ctx context.Context, used string, status int, asked []string) (again bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token.AccessToken != used || t.failed != nil {
		return true, t.failed
	}
	if t.logins >= maxLogins {
		return false, nil
	}
	t.logins++
	c := parseChallenge(asked)
	if t.token.RefreshToken != "" && status == http.StatusUnauthorized {
		if err := t.refresh(ctx); err == nil {
			return true, nil
		}
	}
	t.token = oauth2.Token{}
	if err = t.discover(ctx, c); err == nil {
		t.scope = t.wanted(c, status == http.StatusForbidden)
		err = t.grant(ctx)
	}
	if err != nil {
		t.failed = refusal(err) // so that the user is not asked again
	}
	return err == nil, t.failed
}

// Login finds out whether the server needs a token and gets one. The user has
// time until ctx ends.
func (t *Transport) Login(ctx context.Context) error {
	const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-ai","version":"0.1.0"}}}`
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(asking, http.MethodPost, t.resource.String(), strings.NewReader(hello))
	if err != nil {
		return fmt.Errorf("asking the server: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := t.base.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("asking the server: %w", err)
	}
	defer response.Body.Close()
	if asksForLogin(response) {
		_, err := t.login(ctx, "", response.StatusCode, response.Header.Values("WWW-Authenticate"))
		return err
	}
	if session := response.Header.Get(protocol.HeaderSession); session != "" {
		t.leave(asking, session)
	}
	return nil
}

// leave ends the session that the login request opened.
func (t *Transport) leave(ctx context.Context, session string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, t.resource.String(), nil)
	if err != nil {
		return
	}
	r.Header.Set(protocol.HeaderSession, session)
	if response, err := t.base.RoundTrip(r); err == nil {
		_ = response.Body.Close()
	}
}

// wanted returns the scope to request: the one the server asks for now, else
// all it supports.
func (t *Transport) wanted(c challenge, more bool) string {
	switch {
	case c.Scope != "" && more:
		return allWords(t.scope, c.Scope)
	case c.Scope != "":
		return c.Scope
	case t.found.Resource != nil && len(t.found.Resource.Scopes) > 0:
		return joinWords(t.found.Resource.Scopes)
	}
	return t.opts.Scope
}

// allWords returns the words of both lists, each once.
func allWords(a, b string) string {
	words := strings.Fields(a)
	for w := range strings.FieldsSeq(b) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// ErrLogin reports that the login failed.
var ErrLogin = errors.New("the server wants a login")

func refusal(err error) error {
	if errors.Is(err, ErrLogin) {
		return err
	}
	if e, ok := errors.AsType[*mcpsf.Error](err); ok {
		return e
	}
	return fmt.Errorf("%w: %w", ErrLogin, err)
}

func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }
