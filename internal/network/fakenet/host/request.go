package host

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// field is one header, as it was sent.
type field struct{ name, value string }

// request is what a client asked for, in any version of HTTP.
type request struct {
	method, target, version string
	scheme, host            string
	fields                  []field
	body                    *intake // nil until it came

	// parsed once from target
	path    string
	query   url.Values
	upgrade bool
}

// header is the first value of that name, "" if there is none.
func (r *request) header(name string) string {
	for _, f := range r.fields {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}

// headers are all values of that name.
func (r *request) headers(name string) []string {
	var values []string
	for _, f := range r.fields {
		if strings.EqualFold(f.name, name) {
			values = append(values, f.value)
		}
	}
	return values
}

// says looks for a word in a header that is a list of them.
func (r *request) says(name, word string) bool {
	for _, v := range r.headers(name) {
		for token := range strings.SplitSeq(v, ",") {
			if strings.EqualFold(strings.TrimSpace(token), word) {
				return true
			}
		}
	}
	return false
}

// kept is the beginning of the body.
func (r *request) kept() []byte {
	if r.body == nil {
		return nil
	}
	return r.body.kept
}

// domain is the host without its port, in lower case.
func (r *request) domain() string {
	host := r.host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
}

// url is where the request went.
func (r *request) url() string {
	if r.method == "CONNECT" || strings.Contains(r.target, "://") {
		return r.target
	}
	return r.scheme + "://" + r.host + r.target
}

// locate fills in what follows from the target and from the connection.
func (s *session) locate(r *request) {
	if r.scheme = "http"; s.tls {
		r.scheme = "https"
	}
	if r.host == "" {
		r.host = r.header("Host")
	}
	if r.host == "" {
		r.host = s.place()
	}
	target := r.target
	if u, err := url.Parse(target); err == nil {
		r.path, r.query = u.Path, u.Query()
		if u.Host != "" {
			r.host = u.Host
		}
	} else {
		raw, query, _ := strings.Cut(target, "?")
		r.path = raw
		r.query, _ = url.ParseQuery(query) // as far as it can be read
	}
	if r.path == "" {
		r.path = "/"
	}
}

// place is where the client connected to.
func (s *session) place() string {
	name := s.name
	if name == "" {
		name = s.v.To.Addr().Unmap().String()
	}
	if s.tls && s.port == 443 || !s.tls && s.port == 80 {
		if strings.Contains(name, ":") {
			return "[" + name + "]"
		}
		return name
	}
	return net.JoinHostPort(name, strconv.Itoa(int(s.port)))
}

// began tells what a request's head says.
func (s *session) began(r *request) {
	s.last = nil
	if !knownMethod(r.method) { // anything may be written there
		s.sent("method", []byte(r.method))
	}
	s.sent("url", []byte(r.url()))
	for _, f := range r.fields {
		s.sent("header "+f.name, []byte(f.value))
	}
}

// ended tells the request. The answer may be nil: it never got one.
func (s *session) ended(r *request, a *answer) {
	d := &mcpsf.HTTPDetail{
		Method: clean(r.method), URL: clean(r.url()), Version: r.version, Upgrade: r.upgrade,
		Headers: make([]mcpsf.HTTPHeader, 0, len(r.fields)),
	}
	for _, f := range r.fields {
		d.Headers = append(d.Headers, mcpsf.HTTPHeader{Name: clean(f.name), Value: clean(f.value)})
	}
	if b := r.body; b != nil {
		d.Body, d.Size, d.Cut = excerpt(b.kept), b.size, b.cut
		s.cut = s.cut || b.cut
	}
	if a != nil {
		d.Status, d.Answer, d.AnswerSize = a.status, excerpt(a.shown), int64(len(a.shown))
	}
	s.tell(Observation{HTTP: d})
	if hit := s.h.proofs.Requested(r.path); hit != nil {
		s.tell(Observation{ExecProof: hit})
	}
}

func excerpt(p []byte) string { return clean(string(p[:min(len(p), keptInEvent)])) }
