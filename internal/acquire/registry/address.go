package registry

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net"
	"net/url"
	"strings"
)

// Registry is one configured registry.
type Registry struct {
	// URL ends in "/" and has no credentials.
	URL *url.URL

	auth authorization
	// ca are the trusted certificate authorities, nil for the system's.
	ca *x509.CertPool
	// certificate is the client's, nil for none.
	certificate *tls.Certificate
	// proxy is nil where the environment's applies.
	proxy *proxySettings
	// settings is what the user changes to change this registry, for messages.
	settings string
	// broken is why it cannot be used.
	broken error
}

// authorization is the value of the header, "" for none.
type authorization string

func bearer(token string) authorization {
	if token == "" {
		return ""
	}
	return authorization("Bearer " + token)
}

func basic(user, password string) authorization {
	return authorization("Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
}

// newRegistry takes a URL of the user's settings. A user name in it is used as
// credentials. The error does not repeat the URL, because it can contain a
// password.
func newRegistry(rawURL string, ca *x509.CertPool) (Registry, error) {
	u, err := url.Parse(rawURL)
	switch {
	case err != nil:
		return Registry{}, errors.New("it is no address")
	case u.Scheme != "https" && u.Scheme != "http":
		return Registry{}, errors.New("it does not begin with https:// or http://")
	case u.Hostname() == "":
		return Registry{}, errors.New("it names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return Registry{}, errors.New("it has a query or a fragment")
	}
	var auth authorization
	if password, _ := u.User.Password(); u.User != nil {
		auth = basic(u.User.Username(), password)
	}
	if strings.ContainsFunc(string(auth), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return Registry{}, errors.New("its credentials have control characters in them")
	}
	u.User = nil
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	return Registry{URL: u, auth: auth, ca: ca}, nil
}

// brokenRegistry is a registry that answers every request with err.
func brokenRegistry(err error) Registry {
	return Registry{URL: &url.URL{Scheme: "https", Host: "registry.invalid", Path: "/"}, broken: err}
}

// origin is what credentials belong to: scheme, host and port.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return u.Scheme + "://" + net.JoinHostPort(host, port)
}
