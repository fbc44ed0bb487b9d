package s3

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// Request is a request that may be one to object storage.
type Request struct {
	Method string
	// Scheme is "http" or "https", and Host the name and port that the client asked.
	Scheme, Host string

	Path   string
	Query  url.Values
	Header http.Header
	// Store is what the storage contains; nil: it is not known yet.
	Store *objects.Store
	// Draft is the body as sent, without what only frames it; nil: there is none.
	Draft *objects.Draft
	// Now is the time of changes, and ID identifies the answer.
	Now time.Time
	ID  string
}

// Answer is an answer of the storage.
type Answer struct {
	Status int
	Fields []objects.Pair
	Body   []byte
	// Fault is the error, "" if there is none.
	Fault string
}

// call is a request, and what it is about.
type call struct {
	*Request
	place

	login  login
	region string
}

func newCall(r *Request) *call {
	c := &call{Request: r}
	c.login, c.region = loginOf(r)
	c.place = placeOf(r)
	return c
}

// Reply answers a request; nil if it is none to object storage.
func Reply(r *Request) *Answer {
	c := newCall(r)
	if !c.ours() {
		return nil
	}
	a := c.answer()
	a.add("x-amz-request-id", r.ID)
	if r.Method == http.MethodHead && a.Status >= http.StatusBadRequest {
		a.Body = nil
	}
	return a
}

// answer answers a request to the storage.
func (c *call) answer() *Answer {
	switch {
	case c.bucket == "":
		return c.service()
	case c.key == "":
		return c.onBucket()
	}
	return c.onObject()
}

// service answers what is asked of no bucket.
func (c *call) service() *Answer {
	if c.Method != http.MethodGet && c.Method != http.MethodHead || c.key != "" {
		return c.fail(fault("MethodNotAllowed"))
	}
	return c.buckets()
}

// onBucket answers what is asked of a bucket.
func (c *call) onBucket() *Answer {
	if name := c.setting(); name != "" {
		return c.settings(name)
	}
	switch c.Method + " " + c.which("acl", "delete", "location", "uploads", "versions") {
	case "GET ":
		return (&listing{c}).objects()
	case "HEAD ":
		return c.headBucket()
	case "PUT ":
		return c.createBucket()
	case "DELETE ":
		return c.done(c.Store.Delete(c.bucket), http.StatusNoContent)
	case "POST ":
		return c.form()
	case "GET acl":
		return c.acl()
	case "PUT acl":
		_, err := c.Store.Bucket(c.bucket)
		return c.done(err, http.StatusOK)
	case "POST delete":
		return c.removeAll()
	case "GET location":
		return c.location()
	case "GET uploads":
		return (&listing{c}).uploads()
	case "GET versions":
		return (&listing{c}).versions()
	}
	return c.fail(fault("NotImplemented"))
}

// onObject answers what is asked of an object.
func (c *call) onObject() *Answer {
	if v := c.Query.Get("versionId"); v != "" && v != "null" {
		return c.fail(fault("NoSuchVersion"))
	}
	switch c.Method + " " + c.which("acl", "attributes", "legal-hold", "restore", "retention", "select", "tagging", "torrent", "uploadId", "uploads") {
	case "GET ", "HEAD ":
		return c.get()
	case "PUT ":
		return c.putOrCopy()
	case "DELETE ":
		return c.done(c.Store.Remove(c.bucket, c.key, c.condition()), http.StatusNoContent)
	case "GET acl":
		return c.acl()
	case "PUT acl":
		_, err := c.object()
		return c.done(err, http.StatusOK)
	case "GET attributes":
		return c.attributes()
	case "GET tagging", "PUT tagging", "DELETE tagging":
		return c.tagging()
	case "GET legal-hold", "GET retention":
		return c.fail(fault("NoSuchObjectLockConfiguration"))
	case "POST uploads":
		return (&upload{c}).begin()
	case "GET uploadId":
		return (&upload{c}).parts()
	case "PUT uploadId":
		return (&upload{c}).put()
	case "POST uploadId":
		return (&upload{c}).complete()
	case "DELETE uploadId":
		return c.done(c.Store.Abort(c.bucket, c.key, c.Query.Get("uploadId")), http.StatusNoContent)
	}
	return c.fail(fault("NotImplemented"))
}

// which is the first of these parameters that the request has, "" if it has none.
func (r *Request) which(names ...string) string {
	for _, n := range names {
		if r.Query.Has(n) {
			return n
		}
	}
	return ""
}

// address is the URL of the object.
func (c *call) address() string {
	path := "/" + c.key
	if strings.EqualFold(c.Host, c.endpoint) {
		path = "/" + c.bucket + path
	}
	return (&url.URL{Scheme: c.Scheme, Host: c.Host, Path: path}).String()
}

// object is the object that the request names.
func (c *call) object() (*objects.Object, error) { return c.Store.Get(c.bucket, c.key) }
