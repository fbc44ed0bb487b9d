package services

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// Field is one header as sent.
type Field struct{ Name, Value string }

// Request is an HTTP request, in any version of HTTP.
type Request struct {
	Method, Target, Version string
	Scheme, Host            string
	Fields                  []Field
	Upgrade                 bool
	// Kept is the beginning of the decoded body.
	Kept []byte

	// Path and Query are parsed from Target.
	Path  string
	Query url.Values

	// Place is where the client connected to, in URL form, and Address the IP
	// address if it connected directly. TLS says that it speaks TLS.
	Place   string
	Address netip.Addr
	TLS     bool
	// DNS answers DNS over HTTPS; nil: that is not served.
	DNS Resolver
	// Objects is what object storage contains in this start of the server; nil: the
	// request is none to it. Draft is the body as sent, for it.
	Objects *objects.Store
	Draft   *objects.Draft
}

// Resolver answers and reports DNS questions.
type Resolver interface {
	// Message answers one DNS message; nil if it is invalid.
	Message(query []byte, over string) []byte
	// Resolve answers one question; false: the name does not exist.
	Resolve(q dnsmessage.Question, over string) ([]dnsmessage.Resource, bool)
}

// Header is the first value of a header, "" if there is none.
func (r *Request) Header(name string) string {
	for _, f := range r.Fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Headers are all values of a header.
func (r *Request) Headers(name string) []string {
	var values []string
	for _, f := range r.Fields {
		if strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// HasToken looks for a word in a header that is a comma-separated list.
func (r *Request) HasToken(name, word string) bool {
	for _, v := range r.Headers(name) {
		for token := range strings.SplitSeq(v, ",") {
			if strings.EqualFold(strings.TrimSpace(token), word) {
				return true
			}
		}
	}
	return false
}

// Domain is the host without its port, in lower case.
func (r *Request) Domain() string {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
}

// URL is the full URL of the request.
func (r *Request) URL() string {
	if r.Method == http.MethodConnect || strings.Contains(r.Target, "://") {
		return r.Target
	}
	return r.Scheme + "://" + r.Host + r.Target
}
