package shape

import (
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Request is a request that is answered.
type Request struct {
	Method, Path string
	// Scheme and Host are those of URLs in the answer, Domain is the host without
	// its port.
	Scheme, Host, Domain string
	// Client is what the client says of itself, in lower case.
	Client string
	// Later is set if a further page is asked for: there is none.
	Later bool
	// Form tells apart what is asked for at one path: see [Form].
	Form string
	// Seed determines the values, Now is the time that they are before.
	Seed uint64
	Now  time.Time
}

// key identifies requests that are answered alike. What the service and the source
// say is the same for all forms, what was learned is not.
type key struct{ method, host, path, form string }

// key finds the pattern of the path: that of the service, that of the source, or
// the path without what looks like an id.
func (e *Expectations) key(r *Request) key {
	k := key{method: reading(r.Method), host: r.Domain, form: r.Form}
	if a := serviceAnswer(r); a != nil {
		k.path = a.pattern
		return k
	}
	asked := segmentsOf(r.Path)
	for i := range e.sourced {
		if s := &e.sourced[i]; len(s.path) > 1 && s.rank(r, asked) >= rankPath {
			k.path = strings.Join(s.path, "/")
			return k
		}
	}
	k.path = strings.Join(generalised(r.Path), "/")
	return k
}

// reading makes HEAD into GET.
func reading(method string) string {
	if method == "HEAD" {
		return "GET"
	}
	return method
}

var (
	literal = lazyregexp.New(`^(v\d{1,3}(\.\d+)?|[A-Za-z][A-Za-z_.-]{0,39})$`)
	many    = lazyregexp.New(`^[a-z_-]{3,}[^s]s$`)
)

// generalised replaces the segments of a path that look like ids: those that are
// no words, and those behind the name of a collection.
func generalised(path string) []string {
	segments := segmentsOf(path)
	segments = segments[:min(len(segments), maxSegments)]
	var all []string
	for i, s := range segments {
		behind := i > 0 && many.MatchString(segments[i-1]) && !table().verbs[s]
		if !literal.MatchString(s) || behind && !many.MatchString(s) {
			s = "{}"
		}
		all = append(all, s)
	}
	return all
}

// maxSegments is how much of a path is looked at.
// no gap: bounds our own made-up answers
const maxSegments = 32

// segmentsOf splits a path.
func segmentsOf(path string) []string {
	path, _, _ = strings.Cut(path, "?")
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// matches compares segments with a pattern: {} in a segment is anything in it,
// {...} at the end is any number of segments.
func matches(pattern, segments []string) bool {
	for i, p := range pattern {
		if p == "{...}" {
			return true
		}
		if i >= len(segments) || !like(p, segments[i]) {
			return false
		}
	}
	return len(pattern) == len(segments)
}

func like(pattern, s string) bool {
	before, after, ok := strings.Cut(pattern, "{")
	if !ok {
		return strings.EqualFold(pattern, s)
	}
	_, after, _ = strings.Cut(after, "}")
	if i := strings.LastIndexByte(after, '}'); i >= 0 { // several parts: the last one counts
		after = after[i+1:]
	}
	return len(s) >= len(before)+len(after) && strings.HasPrefix(s, before) && strings.HasSuffix(s, after)
}

// hostLike compares a host with a pattern: "*" is any host, "*.NAME" those below
// NAME, and {} any part of a name.
func hostLike(pattern, domain string) bool {
	if below, ok := strings.CutPrefix(pattern, "*."); ok {
		return strings.HasSuffix(domain, "."+below)
	}
	return pattern == "*" || like(pattern, domain)
}
