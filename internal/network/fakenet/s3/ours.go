package s3

import (
	"net/http"
	"strings"
)

// Concerns tells whether a request may be one to object storage, so that its body has
// to be kept.
func Concerns(r *Request) bool {
	c := newCall(r)
	return !c.elsewhere() && (c.login != anonymous || c.known)
}

// elsewhere tells whether another service is asked at the same host.
func (c *call) elsewhere() bool {
	if c.Method == http.MethodOptions || c.foreign {
		return true
	}
	for _, p := range tables().Hosts.Paths {
		if strings.HasPrefix(c.Path, p) {
			return true
		}
	}
	return false
}

// ours tells whether the storage answers. A client with keys is always answered. One
// that has only an address may be looking for anything, such as a program at a host
// where files lie: it gets what is stored, and may store.
func (c *call) ours() bool {
	reads := c.Method == http.MethodGet || c.Method == http.MethodHead
	switch {
	case c.elsewhere() || c.login == anonymous && !c.known:
		return false
	case c.login == signed:
		c.Store.Serve(c.endpoint)
		if c.bucket != "" && !c.makesBucket() {
			c.Store.Name(c.bucket)
		}
		return true
	case c.bucket == "":
		return false
	case reads && c.key == "" && c.asksBucket():
		c.Store.Name(c.bucket)
	case reads:
	case c.key != "" && c.Method != http.MethodPost, c.Query.Has("uploads"), c.Query.Has("uploadId"), c.isForm():
		c.Store.Borrow(c.bucket, c.Now)
	default:
		return false
	}
	return c.Store.Has(c.bucket)
}

// makesBucket tells whether a bucket is made or removed.
func (c *call) makesBucket() bool {
	return c.key == "" && (c.Method == http.MethodPut || c.Method == http.MethodDelete) && c.setting() == "" && !c.Query.Has("acl")
}
