package oauth

import (
	"net/url"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Check reports contradictions and weaknesses in what the server says about
// logging in. A server that never asked for a login is not checked.
func (d *Discovery) Check(address string) []mcpsf.RemoteDetail {
	if !d.Asked {
		return nil
	}
	var told []mcpsf.RemoteDetail
	defect := func(got, want string) {
		told = append(told, mcpsf.RemoteDetail{Check: mcpsf.CheckOAuth, URL: address, Got: got, Want: want, Weak: true})
	}
	server, err := url.Parse(address)
	if err != nil {
		return nil
	}
	if r := d.Resource; r != nil && !covers(r.Resource, server) {
		defect("the metadata of the server are those of another resource", "its own address as the resource")
	}
	if d.Resource != nil && len(d.Resource.Servers) == 0 {
		defect("the metadata of the server name no authorization server", "one at least")
	}
	if d.Server != nil && d.ServerAt != "" {
		d.checkServer(server, defect)
	}
	if len(told) == 0 && d.Server != nil && d.ServerAt != "" {
		told = append(told, mcpsf.RemoteDetail{Check: mcpsf.CheckOAuth, URL: address, Got: "the metadata fit together"})
	}
	return told
}

func (d *Discovery) checkServer(server *url.URL, defect func(got, want string)) {
	m := d.Server
	if d.Resource != nil && !sameIssuer(m.Issuer, d.Issuer) {
		defect("the authorization server's metadata name another issuer", "the issuer that was asked")
	}
	if m.Authorization != "" && !slices.Contains(m.Challenges, "S256") {
		defect("the authorization server does not offer PKCE with S256", "PKCE with S256")
	}
	for _, endpoint := range []struct{ what, address string }{
		{"the page to log in at", m.Authorization}, {"where tokens are fetched", m.Token},
		{"where clients are registered", m.Registration}, {"where codes are given out", m.Device},
	} {
		u, err := url.Parse(endpoint.address)
		switch {
		case endpoint.address == "":
		case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
			defect(endpoint.what+" has an address that is none", "an address of https")
		case u.Scheme != "https" && (!loopback(u.Hostname()) || !loopback(server.Hostname())):
			defect(endpoint.what+" is in clear text", "an address of https")
		}
	}
	for _, old := range []string{"implicit", "password"} {
		if slices.Contains(m.Grants, old) {
			defect("the authorization server still offers the grant "+old, "the grants of OAuth 2.1")
		}
	}
}
