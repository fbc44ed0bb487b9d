package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"golang.org/x/oauth2"
)

// registration is our client id at one authorization server. It is never used
// at another.
type registration struct {
	issuer string
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
	Method string `json:"token_endpoint_auth_method"`
}

// method returns how the client authenticates.
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

// style returns the same for the oauth2 library.
func (c *registration) style(known []string) oauth2.AuthStyle {
	if c.method(known) == "client_secret_basic" {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// register registers us as a client, once.
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

// registrationMethod is the client authentication we ask for: none (PKCE alone)
// where the server allows it, or does not say.
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
