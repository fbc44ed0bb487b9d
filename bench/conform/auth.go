package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/mcpsf/mcpsf/internal/drive/oauth"
)

// authorized sends requests and logs in where a server requires it, with the
// suite's credentials.
func authorized(address, text string) (http.RoundTripper, error) {
	var given struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
		Name   string `json:"name"`
	}
	_ = json.Unmarshal([]byte(text), &given) // most scenarios give nothing
	opts := &oauth.Options{
		ID: given.ID, Secret: given.Secret,
		Document: "https://conformance-test.local/client-metadata.json", User: visitor{},
	}
	if given.Name == "auth/client-credentials-basic" {
		opts.Flow = oauth.FlowClient
	} else {
		opts.Flow = oauth.FlowCode
	}
	return oauth.New(http.DefaultTransport, address, opts)
}

// visitor follows the login redirects like a user who agrees to everything.
type visitor struct{}

var _ oauth.User = visitor{}

func (visitor) Redirect() string { return "http://localhost:3000/callback" }

func (visitor) Visit(ctx context.Context, address string) (url.Values, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("visiting the login page: %w", err)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("visiting the login page: %w", err)
	}
	defer resp.Body.Close()
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return nil, errors.New("the login page leads nowhere")
	}
	return back.Query(), nil
}

func (visitor) Enter(string, string) {}
