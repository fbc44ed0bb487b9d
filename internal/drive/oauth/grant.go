package oauth

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"

	"golang.org/x/oauth2"

	"github.com/mcpsf/mcpsf"
)

// grant gets a token by the flow that the options name, or by one that is
// possible.
func (t *Transport) grant(ctx context.Context) error {
	flow := t.opts.Flow
	if flow == FlowAuto && t.opts.Secret != "" && t.opts.ID != "" && t.mayGrant("client_credentials") {
		err := t.byClient(ctx)
		p, refused := errors.AsType[*problem](err)
		if err == nil || t.opts.User == nil || !refused || p.Code != "unsupported_grant_type" && p.Code != "unauthorized_client" {
			return err
		}
	}
	switch {
	case flow == FlowClient:
		return t.byClient(ctx)
	case t.opts.User == nil:
		return errors.New("there is nobody to log in; give a token in MCPSF_BEARER, another header, a client with --oauth-client-id, or --oauth code")
	case flow == FlowDevice, flow == FlowAuto && t.found.Server.Authorization == "" && t.found.Server.Device != "":
		return t.byDevice(ctx)
	}
	return t.byCode(ctx)
}

// mayGrant reports whether the server supports a grant type, or lists none.
func (t *Transport) mayGrant(kind string) bool {
	known := t.found.Server.Grants
	return len(known) == 0 || slices.Contains(known, kind)
}

// byClient gets a token for the client itself.
func (t *Transport) byClient(ctx context.Context) error {
	if t.opts.ID == "" || t.opts.Secret == "" {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "a client without a user needs --oauth-client-id and MCPSF_OAUTH_CLIENT_SECRET"}
	}
	t.client = registration{ID: t.opts.ID, Secret: t.opts.Secret}
	return t.fetch(ctx, url.Values{"grant_type": {"client_credentials"}})
}

// byCode has the user log in with a browser.
func (t *Transport) byCode(ctx context.Context) error {
	server := t.found.Server
	if !slices.Contains(server.Challenges, "S256") {
		return errors.New("its authorization server does not offer PKCE, without which a login can be stolen")
	}
	to, err := t.address(server.Authorization)
	if err != nil {
		return fmt.Errorf("the page to log in at: %w", err)
	}
	if err := t.register(ctx); err != nil {
		return err
	}
	verifier, state, err := t.secrets()
	if err != nil {
		return err
	}
	conf, err := t.config()
	if err != nil {
		return err
	}
	conf.Endpoint.AuthURL = (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
	asked, err := url.Parse(conf.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), t.forResource()))
	if err != nil {
		return fmt.Errorf("the page to log in at: %w", err)
	}
	// Keep the parameters that the server put into the address, except those we
	// set.
	q := to.Query()
	maps.Copy(q, asked.Query())
	to.RawQuery = q.Encode()
	back, err := t.opts.User.Visit(ctx, to.String())
	if err != nil {
		return err
	}
	code, err := t.came(back, state)
	if err != nil {
		return err
	}
	got, err := conf.Exchange(t.with(ctx), code, oauth2.VerifierOption(verifier), t.forResource())
	return t.keep(got, err)
}

// came checks the parameters of the browser's redirect.
func (t *Transport) came(back url.Values, state string) (code string, err error) {
	issuer := back.Get("iss")
	switch {
	case back.Get("state") != state:
		return "", errors.New("the browser came back from somewhere else")
	case issuer != "" && issuer != t.found.Server.Issuer, issuer == "" && t.found.Server.TellsIssuer:
		return "", errors.New("the browser came back from another authorization server")
	case back.Get("error") != "":
		return "", &problem{Code: back.Get("error"), Text: back.Get("error_description")}
	case back.Get("code") == "":
		return "", errors.New("the browser came back without a code")
	}
	t.opts.Learned(back.Get("code"))
	return back.Get("code"), nil
}

// secrets returns the PKCE verifier, which proves that the client that fetches
// the token is the one that requested it, and the state, which identifies this
// login.
func (t *Transport) secrets() (verifier, state string, err error) {
	var b [64]byte
	if _, err := io.ReadFull(t.opts.Random, b[:]); err != nil {
		return "", "", fmt.Errorf("making a secret: %w", err)
	}
	verifier = base64.RawURLEncoding.EncodeToString(b[:40])
	t.opts.Learned(verifier)
	return verifier, base64.RawURLEncoding.EncodeToString(b[40:]), nil
}
