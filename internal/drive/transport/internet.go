package transport

import "net/http"

// internet is the [Wire] of an ordinary client. It does not count bytes.
type internet struct{ client http.Client }

var _ Wire = (*internet)(nil)

// NewInternetWire talks to remote servers. It uses the client's transport, jar
// and timeout; the link handles redirects.
func NewInternetWire(client *http.Client) Wire {
	w := &internet{client: *client}
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return w
}

func (w *internet) Do(r *http.Request, leaving func(offset, size int64)) (*http.Response, error) {
	leaving(0, max(0, r.ContentLength))
	return w.client.Do(r)
}
