package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// no gap: bounds the login at a remote server; failure is an error
const (
	// maxDocument bounds how much of a document is read.
	maxDocument = 256 << 10
	// patience is how long one request may take.
	patience = 15 * time.Second
)

// ResourceMetadata is the server's metadata about itself (RFC 9728).
type ResourceMetadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
}

// ServerMetadata is the metadata of its authorization server (RFC 8414, or
// OpenID Connect Discovery).
type ServerMetadata struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	Registration  string   `json:"registration_endpoint"`
	Device        string   `json:"device_authorization_endpoint"`
	Challenges    []string `json:"code_challenge_methods_supported"`
	Grants        []string `json:"grant_types_supported"`
	Methods       []string `json:"token_endpoint_auth_methods_supported"`
	TellsIssuer   bool     `json:"authorization_response_iss_parameter_supported"`
	TakesDocument bool     `json:"client_id_metadata_document_supported"`
}

// Discovery is what the server published about how to log in.
type Discovery struct {
	// Asked is set once the server asked for a token; Pointed if it named its
	// metadata.
	Asked, Pointed bool
	// ResourceAt and ServerAt are the addresses of the two documents, "" if
	// there were none.
	ResourceAt string
	Resource   *ResourceMetadata
	ServerAt   string
	Server     *ServerMetadata
	// Issuer is the authorization server that the server names.
	Issuer string
}

// discover finds the authorization server.
func (t *Transport) discover(ctx context.Context, c challenge) error {
	t.found.Asked, t.found.Pointed = true, c.Metadata != ""
	if err := t.findResource(ctx, c.Metadata); err != nil {
		return err
	}
	origin := url.URL{Scheme: t.resource.Scheme, Host: t.resource.Host}
	t.found.Issuer = origin.String() // as in revision 2025-03-26, the first with OAuth
	if r := t.found.Resource; r != nil && len(r.Servers) > 0 {
		t.found.Issuer = r.Servers[0]
	}
	issuer, err := t.address(t.found.Issuer)
	if err != nil {
		return fmt.Errorf("the authorization server: %w", err)
	}
	for _, place := range serverPlaces(issuer) {
		var m ServerMetadata
		if t.get(ctx, place, &m) != nil || m.Token == "" && m.Authorization == "" {
			continue
		}
		t.found.Server, t.found.ServerAt = &m, place.String()
		if t.found.Resource != nil && !sameIssuer(m.Issuer, t.found.Issuer) {
			return errors.New("the metadata of the authorization server are those of another one")
		}
		return nil
	}
	if t.found.Resource != nil {
		return errors.New("the authorization server does not say how to log in")
	}
	t.found.Server = &ServerMetadata{
		Issuer: t.found.Issuer, Authorization: origin.String() + "/authorize", Token: origin.String() + "/token",
		Registration: origin.String() + "/register", Challenges: []string{"S256"},
	}
	return nil
}

// findResource reads the server's metadata, from the address it names or a
// well-known one. There may be none.
func (t *Transport) findResource(ctx context.Context, pointed string) error {
	var places []*url.URL
	if pointed != "" {
		u, err := t.address(pointed)
		if err != nil {
			return fmt.Errorf("the server's metadata: %w", err)
		}
		places = append(places, u)
	}
	const known = "/.well-known/oauth-protected-resource"
	places = append(places,
		&url.URL{Scheme: t.resource.Scheme, Host: t.resource.Host, Path: known + strings.TrimSuffix(t.resource.Path, "/")},
		&url.URL{Scheme: t.resource.Scheme, Host: t.resource.Host, Path: known})
	for _, place := range places {
		var m ResourceMetadata
		if t.get(ctx, place, &m) != nil || m.Resource == "" && len(m.Servers) == 0 {
			continue
		}
		t.found.Resource, t.found.ResourceAt = &m, place.String()
		if !covers(m.Resource, t.resource) {
			return errors.New("the server's metadata are those of another one")
		}
		return nil
	}
	return nil
}

// serverPlaces lists the well-known addresses of an issuer's metadata.
func serverPlaces(issuer *url.URL) []*url.URL {
	at := func(path string) *url.URL { return &url.URL{Scheme: issuer.Scheme, Host: issuer.Host, Path: path} }
	path := strings.TrimSuffix(issuer.Path, "/")
	places := []*url.URL{at("/.well-known/oauth-authorization-server" + path), at("/.well-known/openid-configuration" + path)}
	if path != "" {
		places = append(places, at(path+"/.well-known/openid-configuration"))
	}
	return places
}

// covers reports whether metadata are about the server: about its address, or
// about a parent of it.
func covers(resource string, server *url.URL) bool {
	u, err := url.Parse(resource)
	if err != nil || u.Scheme != server.Scheme || !strings.EqualFold(u.Host, server.Host) {
		return false
	}
	above := strings.TrimSuffix(u.Path, "/")
	return above == server.Path || strings.HasPrefix(server.Path+"/", above+"/")
}

func sameIssuer(a, b string) bool { return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/") }

// address parses an address that the server gave. Secrets are sent there: it
// must be https, unless the server runs on this machine.
func (t *Transport) address(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return nil, errors.New("its address makes no sense")
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()) && loopback(t.resource.Hostname()):
		return u, nil
	}
	return nil, errors.New("its address is not https")
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// get reads a JSON document.
func (t *Transport) get(ctx context.Context, u *url.URL, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	return t.exchange(r, into)
}

// exchange makes a request and decodes the response as JSON.
func (t *Transport) exchange(r *http.Request, into any) error {
	response, value, err := t.document(r) //nolint:bodyclose // it is read and closed there
	if err != nil {
		return err
	}
	if err := json.Unmarshal(value, into); err != nil {
		return fmt.Errorf("%s answered HTTP %d and no JSON", r.URL.Host, response.StatusCode)
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered HTTP %d", r.URL.Host, response.StatusCode)
	}
	return nil
}

// document makes a request and returns the JSON value of the response. It
// follows no redirects.
func (t *Transport) document(r *http.Request) (*http.Response, json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	r = r.WithContext(ctx)
	r.Header.Set("Accept", "application/json")
	r.Header.Set(protocol.HeaderRevision, protocol.Offered)
	response, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, nil, fmt.Errorf("asking %s: %w", r.URL.Host, err)
	}
	defer response.Body.Close()
	var value json.RawMessage
	if err := json.NewDecoder(io.LimitReader(response.Body, maxDocument)).Decode(&value); err != nil {
		return nil, nil, fmt.Errorf("%s answered HTTP %d and no JSON", r.URL.Host, response.StatusCode)
	}
	return response, value, nil
}
