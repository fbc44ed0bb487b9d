package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/pause"
)

// no gap: bounds the user's own settings and the answers of registries; more is an error
const maxRedirects = 5

// Request is one GET or HEAD, or a query that is too long for a URL.
//
// Credentials go only to the registry's own origin: scheme, host and port. They
// do not go to another host that the registry names, and not across a redirect
// to one.
type Request struct {
	Registry Registry
	// Method is GET if it is "". Beside GET and HEAD only a POST with a Body to
	// a server without credentials is sent: registries are read, not changed.
	Method string
	Body   []byte
	// URL is absolute or relative to the registry.
	URL    string
	Accept string
	// Header holds further headers to send, such as Range.
	Header http.Header
	// What names it in messages, for example `npm package "x"`; the URL if it
	// is "".
	What string
}

// Do sends the request and returns the response whatever its status is. The
// caller closes its body. Redirects are followed; failed connections and
// answers that mean "later" are retried. Reading the body fails if it stalls or
// is too slow.
func (c *Client) Do(ctx context.Context, r *Request) (*http.Response, error) {
	u, err := r.resolve()
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		resp, err := c.follow(ctx, r, u)
		if ctx.Err() != nil {
			discard(resp)
			return nil, context.Cause(ctx)
		}
		again := isAgain(resp, err)
		if !again || try == c.pace.tries-1 {
			return resp, err
		}
		wait := c.pace.backoff << try
		if resp != nil {
			wait = max(wait, c.pace.retryAfter(resp.Header.Get("Retry-After")))
		}
		discard(resp)
		c.opts.Logger.DebugContext(ctx, "asking the registry again", "host", u.Host, "try", try+2)
		if err := pause.For(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// resolve checks the request and completes its URL.
func (r *Request) resolve() (*url.URL, error) {
	if r.Registry.broken != nil {
		return nil, r.Registry.broken
	}
	if r.Registry.URL == nil {
		return nil, errors.New("a request without a registry")
	}
	if !slices.Contains([]string{"", http.MethodGet, http.MethodHead}, r.Method) && !r.asks() {
		return nil, fmt.Errorf("registries are only read, not asked to %s", strconv.Quote(r.Method))
	}
	ref, err := url.Parse(r.URL)
	if err != nil {
		return nil, refused("%s cannot be asked for: it is no address", quote(r.URL))
	}
	u := r.Registry.URL.ResolveReference(ref)
	if err := checkAddress(u); err != nil {
		return nil, err
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return u, nil
}

// asks says whether the request is a query in a body.
func (r *Request) asks() bool {
	return r.Method == http.MethodPost && r.Body != nil && r.Registry.auth == ""
}

func checkAddress(u *url.URL) error {
	if (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" {
		return refused("%s cannot be asked for: it is not an address of the web", quote(u.Redacted()))
	}
	return nil
}

// follow sends the request once and follows redirects.
func (c *Client) follow(ctx context.Context, r *Request, u *url.URL) (*http.Response, error) {
	for hop := 0; ; hop++ {
		resp, err := c.send(ctx, r, u)
		if err != nil {
			return nil, err
		}
		next, err := redirect(resp, u)
		if err == nil && next == nil {
			return resp, nil
		}
		discard(resp)
		if err != nil {
			return nil, err
		}
		if r.asks() {
			return nil, refused("%s sends questions elsewhere; it is set up wrongly", quote(r.URL))
		}
		if hop == maxRedirects {
			return nil, refused("%s redirects more than %d times; the registry is set up wrongly", quote(r.URL), maxRedirects)
		}
		u = next
	}
}

// redirect returns where an answer redirects to, nil if it does not.
func redirect(resp *http.Response, from *url.URL) (*url.URL, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	ref, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || ref.String() == "" {
		return nil, refused("%s redirects to nowhere; the registry is set up wrongly", quote(from.Redacted()))
	}
	next := from.ResolveReference(ref)
	if err := checkAddress(next); err != nil {
		return nil, err
	}
	if from.Scheme == "https" && next.Scheme != "https" {
		return nil, refused("%s redirects to an address without encryption; the registry is set up wrongly", quote(from.Redacted()))
	}
	next.User, next.Fragment, next.RawFragment = nil, "", ""
	return next, nil
}

// body is a new reader of the body for each try.
func (r *Request) body() io.Reader {
	if !r.asks() {
		return http.NoBody
	}
	return bytes.NewReader(r.Body)
}

// send is a single exchange.
func (c *Client) send(ctx context.Context, r *Request, u *url.URL) (*http.Response, error) {
	own := origin(u) == origin(r.Registry.URL)
	transport, err := c.transport(ctx, r.Registry, u, own)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), r.body())
	if err != nil {
		cancel(nil)
		return nil, refused("%s cannot be asked for: it is no address", quote(u.Redacted()))
	}
	for name, values := range r.Header {
		req.Header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Host"} {
		req.Header.Del(name)
	}
	req.Header.Set("User-Agent", c.opts.UserAgent)
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	if own && r.Registry.auth != "" {
		req.Header.Set("Authorization", string(r.Registry.auth))
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	resp.Body = newPatientBody(resp.Body, cancel, c.pace)
	return resp, nil
}

// isAgain reports whether a retry may succeed. A registry that accepted the
// request and then sent nothing is not asked again: the user has waited long
// enough.
func isAgain(resp *http.Response, err error) bool {
	if err != nil {
		_, ours := errors.AsType[*mcpsf.Error](err)
		return !ours && !isUntrusted(err) && !isSilence(err)
	}
	return slices.Contains([]int{
		http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}, resp.StatusCode)
}

// discard ends an unread answer. A little is read so that the connection can be
// used again.
func discard(resp *http.Response) {
	if resp == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	_ = resp.Body.Close()
}

// refused is the error for an answer or a URL that is not followed.
func refused(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

// quote makes foreign text safe to print: one line, no terminal escapes,
// bounded.
func quote(s string) string {
	// no gap: bounds the user's own settings and the answers of registries; more is an error
	const most = 200
	s = strings.ToValidUTF8(s, "?")
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "..."
	}
	return strconv.Quote(s)
}
