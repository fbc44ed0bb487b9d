package oauth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxShown is how many bytes of an authorization server's error are shown.
// no gap: bounds the login at a remote server; failure is an error
const maxShown = 200

// problem is an error response of an authorization server.
type problem struct {
	Code string `json:"error"`
	Text string `json:"error_description"`
}

func (p *problem) Error() string {
	if p.Text != "" {
		return "the authorization server said: " + safetext.Line(p.Text, maxShown)
	}
	return "the authorization server said: " + safetext.Line(p.Code, maxShown)
}

// config returns our client credentials and the authorization server's
// endpoints.
func (t *Transport) config() (*oauth2.Config, error) {
	to, err := t.address(t.found.Server.Token)
	if err != nil {
		return nil, fmt.Errorf("where tokens are fetched: %w", err)
	}
	conf := &oauth2.Config{
		ClientID: t.client.ID, ClientSecret: t.client.Secret,
		Endpoint: oauth2.Endpoint{TokenURL: to.String(), AuthStyle: t.client.style(t.found.Server.Methods)},
	}
	if t.opts.User != nil {
		conf.RedirectURL = t.opts.User.Redirect()
	}
	if t.scope != "" {
		conf.Scopes = []string{t.scope}
	}
	return conf, nil
}

// forResource returns the resource that the token is for (RFC 8707).
func (t *Transport) forResource() oauth2.AuthCodeOption {
	return oauth2.SetAuthURLParam("resource", t.indicator())
}

// indicator returns the server's name as a resource indicator.
func (t *Transport) indicator() string {
	if r := t.found.Resource; r != nil && r.Resource != "" {
		return r.Resource
	}
	u := *t.resource
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// refresh gets a new token with the refresh token.
func (t *Transport) refresh(ctx context.Context) error {
	return t.fetch(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {t.token.RefreshToken}})
}

// fetch requests a token by a grant that needs no user.
func (t *Transport) fetch(ctx context.Context, form url.Values) error {
	conf, err := t.config()
	if err != nil {
		return err
	}
	form.Set("resource", t.indicator())
	by := &clientcredentials.Config{
		ClientID: conf.ClientID, ClientSecret: conf.ClientSecret, TokenURL: conf.Endpoint.TokenURL, AuthStyle: conf.Endpoint.AuthStyle,
		Scopes: conf.Scopes, EndpointParams: form,
	}
	got, err := by.Token(t.with(ctx))
	return t.keep(got, err)
}

// keep stores the token, or returns why there is none.
func (t *Transport) keep(got *oauth2.Token, err error) error {
	switch {
	case err != nil:
		to, parseErr := url.Parse(t.found.Server.Token)
		if parseErr != nil {
			return parseErr
		}
		return t.told(to.Host, err)
	case got.TokenType != "" && !strings.EqualFold(got.TokenType, "bearer"):
		return errors.New("the authorization server gave a token of an unknown kind")
	}
	t.opts.Learned(got.AccessToken)
	t.opts.Learned(got.RefreshToken)
	t.token = *got
	return nil
}

// told describes an error without repeating the server's text.
func (*Transport) told(host string, err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		if refused.ErrorCode != "" {
			return &problem{Code: refused.ErrorCode, Text: refused.ErrorDescription}
		}
		return fmt.Errorf("%s answered HTTP %d", host, refused.Response.StatusCode)
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return errors.New("the authorization server gave no token")
}

// with makes the library use our HTTP client, which bounds responses and
// follows no redirects.
func (t *Transport) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, &http.Client{
		Transport:     &exchanger{t: t, ctx: ctx},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
}

// exchanger makes the library's requests as [Transport.exchange] makes ours.
type exchanger struct {
	t   *Transport
	ctx context.Context //nolint:containedctx // the library does not pass it on everywhere
}

// RoundTrip implements [http.RoundTripper]. The body has been read and is one
// JSON value.
func (e *exchanger) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(e.ctx)
	if e.t.isDevice(r.URL) && e.t.client.method(e.t.found.Server.Methods) == "client_secret_basic" {
		r.SetBasicAuth(url.QueryEscape(e.t.client.ID), url.QueryEscape(e.t.client.Secret))
	}
	response, value, err := e.t.document(r)
	if err != nil {
		return nil, err
	}
	response.Header.Set("Content-Type", "application/json") // whatever type the server states
	response.Body = io.NopCloser(bytes.NewReader(value))
	return response, nil
}

// isDevice reports whether an address is the device code endpoint.
func (t *Transport) isDevice(at *url.URL) bool {
	to, err := url.Parse(t.found.Server.Device)
	return err == nil && t.found.Server.Device != "" && to.String() == at.String()
}
