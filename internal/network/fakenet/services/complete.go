package services

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// complete adds to an answer what is expected of it. Errors stay as they are.
func (s *Services) complete(r *Request, a *Answer) {
	s.reply(r, a)
	if a.Status >= http.StatusBadRequest || len(a.Body) == 0 || !strings.Contains(a.Kind(), "json") {
		return
	}
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return
	}
	about := s.about(r)
	value = s.expected.Complete(about, value)
	if body := s.expected.AsXML(about, value); body != nil {
		*a = *of(a.Status, "application/xml; charset=utf-8", body)
		a.Own = s.expected.Own(about, body)
		return
	}
	body, err := json.Marshal(value)
	if err != nil { // cannot happen with what was decoded and made up
		return
	}
	a.Body, a.Own = body, s.expected.Own(about, body)
}

// learnedJSON answers with JSON what a client turned out to read as that: a page, a
// file, or the answer to DELETE, which is usually nothing.
func (s *Services) learnedJSON(r *Request) *Answer {
	if s.opts.Install || !s.expected.WantsJSON(s.about(r)) {
		return nil
	}
	a := api(s, r)
	if len(a.Body) == 0 {
		a = asJSON(http.StatusOK, object{"ok": true, "success": true, "status": "ok", "id": s.recordID(r)})
	}
	s.complete(r, a)
	return a
}

// note remembers what was answered with something else than JSON.
func (s *Services) note(r *Request, a *Answer) {
	if !s.opts.Install && a.Status < http.StatusMultipleChoices && !strings.Contains(a.Kind(), "json") {
		s.expected.Answered(s.about(r))
	}
}

// reply gives an answer the status and the headers that the source wants.
func (s *Services) reply(r *Request, a *Answer) {
	if a.Status < http.StatusOK || a.Status >= http.StatusMultipleChoices {
		return
	}
	want := s.expected.Reply(s.about(r))
	switch {
	case want.Status == http.StatusNoContent:
		*a = Answer{Status: want.Status}
	case want.Status != 0 && len(a.Body) == 0:
		*a = *asJSON(want.Status, object{"ok": true, "success": true, "status": "ok", "id": s.recordID(r)})
	case want.Status != 0:
		a.Status = want.Status
	}
	for _, h := range want.Headers {
		a.with(http.CanonicalHeaderKey(h[0]), h[1])
	}
}

// document answers with what the source reads as XML or as a table.
func document(s *Services, r *Request) *Answer {
	if s.opts.Install || !r.Reads() && r.Method != http.MethodPost {
		return nil
	}
	about := s.about(r)
	kind, body := s.expected.Document(about, s.expected.Reply(about))
	if body == nil {
		return nil
	}
	a := of(http.StatusOK, kind, body)
	a.Own = s.expected.Own(about, body)
	return a
}

// about is what an answer may depend on.
func (s *Services) about(r *Request) *shape.Request {
	return &shape.Request{
		Method: r.Method, Scheme: r.Scheme, Host: hostname(r), Domain: r.Domain(), Path: segmented(r), Later: isLaterPage(r), Form: formOf(r),
		Client: strings.ToLower(r.Header("User-Agent") + " " + r.Header("Accept")), Seed: s.opts.Seed, Now: s.opts.Now(),
	}
}

// segmented is the path of a request, in which a slash that is part of a name stays
// %2F: /flags/a%2Fb is the flag a/b.
func segmented(r *Request) string {
	raw, _, _ := strings.Cut(r.Target, "?")
	if !strings.HasPrefix(raw, "/") || !strings.Contains(strings.ToUpper(raw), "%2F") {
		return r.Path
	}
	parts := strings.Split(raw, "/")
	for i, p := range parts {
		if decoded, err := url.PathUnescape(p); err == nil {
			parts[i] = strings.ReplaceAll(decoded, "/", "%2F")
		}
	}
	return strings.Join(parts, "/")
}

// knownText is the answer of a known service that is no JSON: a page of a search engine,
// a feed. A person who looks at it gets it, too.
func knownText(s *Services, r *Request) *Answer {
	if s.opts.Install {
		return nil
	}
	a := shape.Service(s.about(r))
	if a == nil || a.Body == "" {
		return nil
	}
	return of(a.Status, a.Kind, []byte(a.Body))
}

// known answers for public services that have an entry in the table of shapes. What
// they answer is made when the answer is completed.
func known(s *Services, r *Request) *Answer {
	if s.opts.Install || r.Reads() && strings.Contains(r.Header("Accept"), "text/html") { // a person looks at it
		return nil
	}
	a := shape.Service(s.about(r))
	if a == nil || a.Body != "" || s.expected.Reply(s.about(r)).Sure {
		return nil
	}
	if other := graph(s, r); other != nil {
		return other
	}
	if other := weather(s, r); other != nil {
		return other
	}
	out := asJSON(a.Status, nil)
	for _, name := range slices.Sorted(maps.Keys(a.Headers)) {
		out.with(name, a.Headers[name])
	}
	return out
}

// isLaterPage says whether a request asks for a further page. There is none, so
// that no client asks for pages forever.
func isLaterPage(r *Request) bool {
	for _, key := range lists().API.PageParameters {
		if v := r.Query.Get(key); v != "" && v != "0" && v != "1" {
			return true
		}
	}
	return false
}
