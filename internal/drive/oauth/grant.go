package oauth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// token is what was given.
type token struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Type    string `json:"token_type"`
}

// problem is how an authorization server says no.
type problem struct {
	Code string `json:"error"`
	Text string `json:"error_description"`
}

func (p *problem) Error() string {
	if p.Text != "" {
		return "the authorization server said: " + clean(p.Text)
	}
	return "the authorization server said: " + clean(p.Code)
}

// clean cuts what a stranger says to one line.
func clean(s string) string {
	const most = 200
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), most)], "")), " ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// grant gets a token by the flow that was asked for, or that is possible.
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

// mayGrant tells whether the server knows a way to get tokens, or does not say.
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
	sum := sha256.Sum256([]byte(verifier))
	q := to.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": t.client.ID, "redirect_uri": t.opts.User.Redirect(), "state": state,
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256",
		"resource": t.indicator(), "scope": t.scope,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	to.RawQuery = q.Encode()
	back, err := t.opts.User.Visit(ctx, to.String())
	if err != nil {
		return err
	}
	code, err := t.came(back, state)
	if err != nil {
		return err
	}
	return t.fetch(ctx, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {t.opts.User.Redirect()}, "code_verifier": {verifier},
	})
}

// came checks what the browser came back with.
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

// secrets are what proves that who fetches the token is who asked for it, and
// what tells one login from another.
func (t *Transport) secrets() (verifier, state string, err error) {
	var b [64]byte
	if _, err := io.ReadFull(t.opts.Random, b[:]); err != nil {
		return "", "", fmt.Errorf("making a secret: %w", err)
	}
	verifier = base64.RawURLEncoding.EncodeToString(b[:40])
	t.opts.Learned(verifier)
	return verifier, base64.RawURLEncoding.EncodeToString(b[40:]), nil
}

// indicator is what the token is to be for (RFC 8707).
func (t *Transport) indicator() string {
	if r := t.found.Resource; r != nil && r.Resource != "" {
		return r.Resource
	}
	u := *t.resource
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// refresh gets a new token for an old one.
func (t *Transport) refresh(ctx context.Context) error {
	old := t.token.Refresh
	err := t.fetch(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {old}})
	if err == nil && t.token.Refresh == "" {
		t.token.Refresh = old
	}
	return err
}

// fetch asks for a token.
func (t *Transport) fetch(ctx context.Context, form url.Values) error {
	to, err := t.address(t.found.Server.Token)
	if err != nil {
		return fmt.Errorf("where tokens are fetched: %w", err)
	}
	form.Set("resource", t.indicator())
	if t.scope != "" && form.Get("grant_type") != "authorization_code" {
		form.Set("scope", t.scope)
	}
	var got struct {
		token
		problem
	}
	err = t.form(ctx, to, form, &got)
	switch {
	case got.Code != "":
		return &got.problem
	case err != nil:
		return err
	case got.Access == "":
		return errors.New("the authorization server gave no token")
	case got.Type != "" && !strings.EqualFold(got.Type, "bearer"):
		return errors.New("the authorization server gave a token of an unknown kind")
	}
	t.opts.Learned(got.Access)
	t.opts.Learned(got.Refresh)
	t.token = got.token
	return nil
}

// form sends one, with the client's credentials where the server wants them.
func (t *Transport) form(ctx context.Context, to *url.URL, form url.Values, into any) error {
	method := t.client.method(t.found.Server.Methods)
	if method != "client_secret_basic" {
		form.Set("client_id", t.client.ID)
	}
	if method == "client_secret_post" {
		form.Set("client_secret", t.client.Secret)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if method == "client_secret_basic" {
		r.SetBasicAuth(url.QueryEscape(t.client.ID), url.QueryEscape(t.client.Secret))
	}
	return t.exchange(r, into)
}

// registration is who we are to an authorization server, and to no other.
type registration struct {
	issuer string
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
	Method string `json:"token_endpoint_auth_method"`
}

// method is how the client shows who it is.
func (c *registration) method(known []string) string {
	switch {
	case c.Secret == "":
		return "none"
	case c.Method == "client_secret_post" || c.Method == "client_secret_basic":
		return c.Method
	case len(known) == 0 || slices.Contains(known, "client_secret_basic"):
		return "client_secret_basic"
	}
	return "client_secret_post"
}

// register makes us known, once.
func (t *Transport) register(ctx context.Context) error {
	server := t.found.Server
	switch {
	case t.client.ID != "" && t.client.issuer == server.Issuer:
		return nil
	case t.opts.ID != "":
		t.client = registration{ID: t.opts.ID, Secret: t.opts.Secret, issuer: server.Issuer}
		return nil
	case server.TakesDocument && t.opts.Document != "":
		t.client = registration{ID: t.opts.Document, issuer: server.Issuer}
		return nil
	case server.Registration == "":
		return errors.New("its authorization server registers nobody; give a client with --oauth-client-id")
	}
	to, err := t.address(server.Registration)
	if err != nil {
		return fmt.Errorf("where clients are registered: %w", err)
	}
	about := map[string]any{
		"client_name": "mcpsf", "application_type": "native", "grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": registrationMethod(server.Methods), "redirect_uris": []string{t.opts.User.Redirect()},
	}
	if t.scope != "" {
		about["scope"] = t.scope
	}
	body, err := json.Marshal(about)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	var got struct {
		registration
		problem
	}
	err = t.exchange(r, &got)
	switch {
	case got.Code != "":
		return &got.problem
	case err != nil:
		return err
	case got.ID == "":
		return errors.New("the authorization server registered us under no id")
	}
	t.opts.Learned(got.Secret)
	t.client = got.registration
	t.client.issuer = server.Issuer
	return nil
}

// registrationMethod is how we offer to show who we are: by nothing but the
// proof of the login, if that is enough.
func registrationMethod(known []string) string {
	if len(known) == 0 || slices.Contains(known, "none") {
		return "none"
	}
	for _, m := range []string{"client_secret_basic", "client_secret_post"} {
		if slices.Contains(known, m) {
			return m
		}
	}
	return "none"
}
