package s3

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

const (
	kindHeader  = "Content-Type"
	classHeader = "x-amz-storage-class"
	usualKind   = "binary/octet-stream"
	frameCoding = "aws-chunked"
)

// kept are the headers that an object keeps, beside those that the client names.
func kept() []string {
	return []string{kindHeader, "Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Expires", "x-amz-website-redirect-location", classHeader}
}

// metadata tells whether a header is the client's own description of an object, and
// returns its usual name.
func metadata(name string) (string, bool) {
	name = strings.ToLower(name)
	return name, strings.HasPrefix(name, "x-amz-meta-") || strings.HasPrefix(name, "x-goog-meta-")
}

// headers are those of the request that belong to the object.
func headers(from http.Header) []objects.Pair {
	var list []objects.Pair
	for _, name := range kept() {
		value := from.Get(name)
		switch {
		case name == "Content-Encoding":
			value = withoutFrame(value)
		case name == kindHeader && value == "":
			value = usualKind
		case name == classHeader && value == "STANDARD":
			value = ""
		}
		if value != "" {
			list = append(list, objects.Pair{Name: name, Value: oneLine(value)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if lower, ok := metadata(name); ok {
			list = append(list, objects.Pair{Name: lower, Value: oneLine(strings.Join(from[name], ","))})
		}
	}
	return list
}

// withoutFrame leaves out the encoding that only frames a body on its way.
func withoutFrame(encodings string) string {
	var list []string
	for e := range strings.SplitSeq(encodings, ",") {
		if e = strings.TrimSpace(e); e != "" && !strings.EqualFold(e, frameCoding) {
			list = append(list, e)
		}
	}
	return strings.Join(list, ",")
}

// tagsOf reads tags that stand in a header, as in a query.
func tagsOf(header string) ([]objects.Pair, error) {
	if header == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(header)
	if err != nil {
		return nil, objects.ErrInvalidTag
	}
	return objects.Tagged(values), nil
}

// described adds what an object is to an answer. A client may ask for other values of
// some headers.
func (c *call) described(a *Answer, o *objects.Object) *Answer {
	a.add("Last-Modified", o.Modified.UTC().Format(http.TimeFormat)).add("ETag", quoted(o.ETag)).add("Accept-Ranges", "bytes")
	for _, h := range o.Headers {
		if c.Query.Get("response-"+strings.ToLower(h.Name)) == "" {
			a.add(h.Name, h.Value)
		}
	}
	for _, name := range kept() {
		if value := c.Query.Get("response-" + strings.ToLower(name)); value != "" {
			a.add(name, value)
		}
	}
	if n := len(o.Tags); n > 0 {
		a.add("x-amz-tagging-count", decimal(n))
	}
	return a.add("x-amz-server-side-encryption", "AES256")
}

// condition is what the client demands of the object that there is.
func (r *Request) condition() objects.Condition {
	match, none := r.Header.Get("If-Match"), r.Header.Get("If-None-Match")
	if match == "" && none == "" {
		return nil
	}
	return func(old *objects.Object) error {
		switch {
		case match != "" && old == nil:
			return objects.ErrNoSuchKey
		case match != "" && !matches(match, old), none != "" && old != nil && matches(none, old):
			return fault("PreconditionFailed")
		}
		return nil
	}
}

// matches compares a list of digests with that of an object.
func matches(list string, o *objects.Object) bool {
	for e := range strings.SplitSeq(list, ",") {
		e = strings.Trim(strings.TrimPrefix(strings.TrimSpace(e), "W/"), `"`)
		if e == "*" || e == o.ETag {
			return true
		}
	}
	return false
}

// unread is the status of an answer without the object, because the client has it or
// wants another one; 0: it gets the object.
func unread(h http.Header, prefix string, o *objects.Object) int {
	at := o.Modified.Truncate(time.Second)
	match, none := h.Get(prefix+"If-Match"), h.Get(prefix+"If-None-Match")
	since, sinceErr := http.ParseTime(h.Get(prefix + "If-Modified-Since"))
	until, untilErr := http.ParseTime(h.Get(prefix + "If-Unmodified-Since"))
	switch {
	case match != "" && !matches(match, o), match == "" && untilErr == nil && at.After(until):
		return http.StatusPreconditionFailed
	case none != "" && matches(none, o), none == "" && sinceErr == nil && !at.After(since):
		return http.StatusNotModified
	}
	return 0
}
