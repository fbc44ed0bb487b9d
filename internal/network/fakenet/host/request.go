package host

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// request is a client's request and its body as sent.
type request struct {
	services.Request
	body *intake // nil until the body begins
}

// web is the state of an HTTP connection, in any version.
type web struct {
	*session
	requests int
	last     *intake // whose piece was reported last
}

// answer makes up the answer to a complete request.
func (w *web) answer(r *request) *services.Answer {
	if r.body != nil {
		r.Kept = r.body.kept
	}
	return w.h.services.Reply(&r.Request)
}

// finish adds to an answer the headers that every server sends.
func (w *web) finish(r *request, a *services.Answer) *services.Answer {
	return w.h.services.Finish(&r.Request, a)
}

// locate fills in what follows from the target and the connection.
func (w *web) locate(r *request) {
	r.Place, r.TLS = w.place(), w.tls
	if w.tunnels == 0 {
		r.Address = w.v.To.Addr().Unmap()
	}
	if w.h.o.Resolve != nil {
		r.DNS = w.resolver()
	}
	if r.Scheme = "http"; w.tls {
		r.Scheme = "https"
	}
	if r.Host == "" {
		r.Host = r.Header("Host")
	}
	if r.Host == "" {
		r.Host = w.place()
	}
	target := r.Target
	if u, err := url.Parse(target); err == nil {
		r.Path, r.Query = u.Path, u.Query()
		if u.Host != "" {
			r.Host = u.Host
		}
	} else {
		raw, query, _ := strings.Cut(target, "?")
		r.Path = raw
		r.Query, _ = url.ParseQuery(query) // as much as can be parsed
	}
	if r.Path == "" {
		r.Path = "/"
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

// began reports the head of a request.
func (w *web) began(r *request) {
	w.last = nil
	if !knownMethod(r.Method) { // a method can contain any text
		w.sent("method", []byte(r.Method))
	}
	w.sent("url", []byte(r.URL()))
	for _, f := range r.Fields {
		w.sent("header "+f.Name, []byte(f.Value))
	}
}

// ended reports the request. The answer is nil if there was none.
func (w *web) ended(r *request, a *services.Answer) {
	d := &mcpsf.HTTPDetail{
		Method: clean(r.Method), URL: clean(r.URL()), Version: r.Version, Upgrade: r.Upgrade,
		Headers: make([]mcpsf.HTTPHeader, 0, len(r.Fields)),
	}
	for _, f := range r.Fields {
		d.Headers = append(d.Headers, mcpsf.HTTPHeader{Name: clean(f.Name), Value: clean(f.Value)})
	}
	if b := r.body; b != nil {
		d.Body, d.MailCut = b.shown()
		d.Size, d.Cut = b.size, b.cut
		if b.cut {
			w.unread()
		}
	}
	if a != nil {
		d.Status, d.Answer, d.AnswerSize = a.Status, excerpt(shownOf(a)), int64(len(a.Shown))
	}
	r.Draft.Discard()
	w.tell(Observation{HTTP: d, Answer: answerText(a)})
	if hit := w.h.proofs.Requested(r.Path); hit != nil {
		w.tell(Observation{ExecProof: hit})
	}
}

// answerText returns the headers and the beginning of the body of an answer,
// without what the client made us write: it counts as known to the client from here
// on.
func answerText(a *services.Answer) []byte {
	if a == nil {
		return nil
	}
	if a.Stored {
		return a.Own
	}
	var text []byte
	for _, f := range a.Fields {
		text = append(append(text, f.Value...), '\n')
	}
	own := a.Shown
	if a.Own != nil {
		own = a.Own
	}
	return append(text, own[:min(len(own), keptOfAnswer)]...)
}

// shownOf is what an event shows of an answer: of what a client may have stored only
// the error, because what was stored is no word of the host.
func shownOf(a *services.Answer) []byte {
	if a.Stored {
		return a.Own
	}
	return a.Shown
}

func excerpt(p []byte) string { return clean(string(p[:min(len(p), keptInEvent)])) }
