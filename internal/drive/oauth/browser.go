package oauth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Browser is a user with a browser that is redirected back to this machine.
type Browser struct {
	redirect string
	server   *http.Server
	ended    chan struct{}
	came     chan url.Values
	tell     func(line string)
}

var _ User = (*Browser)(nil)

// NewBrowser listens on this machine for the redirect of the user's browser,
// until it is closed. tell shows the user a line. It does not open the browser:
// the server chose the address, so the user decides whether to visit it.
func NewBrowser(ctx context.Context, tell func(string)) (*Browser, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("waiting for a browser: %w", err)
	}
	b := &Browser{
		redirect: "http://" + l.Addr().String() + "/callback",
		ended:    make(chan struct{}), came: make(chan url.Values), tell: tell,
	}
	const slow = 10 * time.Second
	b.server = &http.Server{Handler: http.HandlerFunc(b.callback), ReadHeaderTimeout: slow, MaxHeaderBytes: 4 * maxHeader}
	go func() {
		defer close(b.ended)
		_ = b.server.Serve(l) // returns after Close
	}()
	return b, nil
}

// callback handles the browser's request to the redirect address.
func (b *Browser) callback(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/callback" || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	select {
	case b.came <- r.URL.Query():
		fmt.Fprintln(w, "You can close this window and go back to mcpsf.")
	case <-time.After(time.Second):
		http.Error(w, "nobody waits for this", http.StatusGone)
	case <-r.Context().Done():
	}
}

// Close stops listening.
func (b *Browser) Close() {
	_ = b.server.Close()
	<-b.ended
}

// Redirect implements [User].
func (b *Browser) Redirect() string { return b.redirect }

// Visit implements [User]. It ignores a redirect that belongs to another login.
func (b *Browser) Visit(ctx context.Context, address string) (url.Values, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the page to log in at has an address that makes no sense")
	}
	b.tell("the server wants you to log in at " + safetext.Line(u.Host, maxShown) + "; open this address in your browser:")
	b.tell(u.String())
	for {
		select {
		case <-ctx.Done():
			return nil, errors.New("nobody came back from the login in time")
		case q := <-b.came:
			if q.Get("state") == u.Query().Get("state") {
				return q, nil
			}
		}
	}
}

// Enter implements [User].
func (b *Browser) Enter(address, code string) {
	b.tell("the server wants you to log in: open " + address + " and enter " + code)
}
