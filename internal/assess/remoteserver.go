package assess

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/drive/oauth"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
)

// Remote describes a server that runs elsewhere: it is reached over the network,
// and none of it runs here.
type Remote struct {
	// Header is sent with every request to the server.
	Header http.Header
	// Private says that the server's address is on this machine or its network.
	Private bool
	// Allowed says that the user is authorised to call and attack every tool.
	Allowed bool
	// Login says how to log in if the server requires it; nil for not at all.
	Login *oauth.Options
	// Proxy returns the proxy for a URL, nil for none; nil Roots are those of the machine.
	Proxy func(*url.URL) (*url.URL, error)
	Roots *x509.CertPool
	// Secrets must not be written anywhere; secrets learned later are added.
	Secrets *remote.Secrets
}

const (
	// remotePause is the time between two requests to somebody else's server.
	remotePause = 50 * time.Millisecond
	// loginWait is how long the user has to log in.
	loginWait = 10 * time.Minute
	// remoteStart is how long the handshake may take.
	remoteStart = 30 * time.Second
	// searchWait is how long the MCP endpoint is searched for at an address without a path.
	searchWait = 20 * time.Second
)

// remoteServer is a server that runs elsewhere.
type remoteServer struct {
	*assessment

	artifact *mcpsf.Artifact
	session  *mcpsf.Session
	// address is the server's URL; shown is the same without possible secrets.
	address *url.URL
	shown   string
	mon     *monitor.Monitor
	// bare adds nothing to requests; client adds what the user gave. login is
	// how it got a token, nil if it has none.
	bare, client *http.Client
	login        *oauth.Transport
}

var _ subject = (*remoteServer)(nil)

func (e *remoteServer) prepare(ctx context.Context) error {
	if err := e.resolve(ctx); err != nil {
		return err
	}
	return e.connect()
}

func (e *remoteServer) release() {
	if e.bare != nil {
		e.bare.CloseIdleConnections()
	}
}

// resolve checks the URL. From here on only this type knows the possible secrets
// in it.
func (e *remoteServer) resolve(ctx context.Context) error {
	u, err := source.Address(e.opts.Target)
	if err != nil {
		return err
	}
	e.address, e.shown = u, remote.Shown(u)
	e.opts.Caller.Progress.Step("resolve", e.shown)
	if e.artifact, err = source.Resolve(ctx, e.opts.Target, e.run.Stage(), e.opts.fetcher().SourceOptions()); err != nil {
		return err
	}
	secrets := e.opts.Remote.Secrets
	for _, values := range u.Query() {
		for _, v := range values {
			secrets.Learn(v)
		}
	}
	for _, values := range e.opts.Remote.Header {
		for _, v := range values {
			secrets.Learn(v)
		}
	}
	e.opts.Caller.Progress.Done("runs elsewhere: it is spoken to over the network, and not sandboxed")
	return nil
}

// connect makes the HTTP clients. Redirects are never followed.
func (e *remoteServer) connect() error {
	r := e.opts.Remote
	base := &remote.Paced{
		Base:  remote.NewTransport(remote.TransportOptions{Private: r.Private, Proxy: r.Proxy, Roots: r.Roots}),
		Pause: remotePause,
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	e.bare = &http.Client{Transport: base, CheckRedirect: stay}
	headed := &remote.Headed{Base: base, Server: e.address, Header: r.Header}
	e.client = &http.Client{Transport: headed, CheckRedirect: stay}
	if r.Login == nil || r.Header.Get("Authorization") != "" {
		return nil
	}
	login := *r.Login
	login.Learned = r.Secrets.Learn
	var err error
	if e.login, err = oauth.New(headed, e.address.String(), &login); err != nil {
		return err
	}
	e.client.Transport = e.login
	return nil
}

func (e *remoteServer) observe(ctx context.Context) error {
	sess, err := e.assess(ctx)
	if sess != nil {
		e.session = sess
	}
	if err != nil {
		return e.hide(err)
	}
	return nil
}

// assess runs a session with the server and checks how it protects itself.
func (e *remoteServer) assess(ctx context.Context) (*mcpsf.Session, error) {
	r := e.opts.Remote
	began := virtualclock.Nanotime()
	e.opts.Caller.Progress.Step("connect", e.shown)
	told := remote.CheckTLS(ctx, remote.NewDialer(r.Private), e.address, r.Roots, e.opts.Caller.Now())
	sess, err := e.enter(ctx)
	if err != nil {
		return nil, err
	}
	finder, err := leak.New(e.marks()) // only now is the token known
	if err != nil {
		return nil, err
	}
	if e.mon, err = monitor.New(&monitor.Options{StartNanos: began, Now: virtualclock.Nanotime, Emit: e.append, Leaks: finder}); err != nil {
		return nil, err
	}
	defer e.mon.Close()
	defer func() { e.ledger.gaps = append(e.ledger.gaps, finder.Gaps()...) }()
	for _, d := range told {
		e.mon.Checked(d)
	}
	if sess != nil {
		e.checkLogin()
		return sess, nil
	}
	if sess, err = e.drive(ctx, &sessionPlan{rounds: e.rounds()}); err != nil {
		return nil, err
	}
	e.session = sess
	conclude(e.opts.Caller.Progress, sess)
	e.checkLogin()
	if !sess.Initialized {
		return sess, nil
	}
	if err := e.stress(ctx, sess); err != nil {
		return nil, err
	}
	return sess, e.check(ctx, sess)
}

// enter logs in, and finds the endpoint if the address has no path. If that
// fails it returns a session that says why.
func (e *remoteServer) enter(ctx context.Context) (*mcpsf.Session, error) {
	if e.login != nil {
		waiting, cancel := context.WithTimeout(ctx, loginWait)
		defer cancel()
		if err := e.login.Login(waiting); errors.Is(err, oauth.ErrLogin) {
			e.opts.Caller.Progress.Warn(err.Error())
			return emptySession(err.Error()), nil
		} else if mcpsf.ErrorCode(err) == mcpsf.CodeUsage {
			return nil, err
		}
	}
	if e.address.Path == "" || e.address.Path == "/" {
		searching, cancel := context.WithTimeout(ctx, searchWait)
		defer cancel()
		if found, err := transport.FindEndpoint(searching, transport.NewInternetWire(e.client), e.address.String(), nil); err == nil {
			if u, err := url.Parse(found); err == nil && u.Host == e.address.Host {
				e.address = u
			}
		}
	}
	e.opts.Caller.Progress.Done("looked at")
	return nil, ctx.Err()
}

// drive runs one session.
func (e *remoteServer) drive(ctx context.Context, plan *sessionPlan) (*mcpsf.Session, error) {
	tell, wall := e.opts.Caller.Progress, e.opts.Sandbox.Wall
	o := plan.options(e.opts, remoteInputs(e.home), tell, e.ledger.calls)
	o.Endpoint = session.Endpoint{Wire: transport.NewInternetWire(e.client), URL: e.address.String()}
	o.Inputs.May, o.Timing.StartTimeout = e.may(plan), remoteStart
	tell.Step("start", "sending initialize")
	bounded, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	heard := listener.New(e.mon)
	sess, err := session.Drive(bounded, nil, heard, o)
	e.ledger.texts = max(e.ledger.texts, heard.Texts())
	if sess != nil {
		e.ledger.calls += len(sess.Calls)
		e.ledger.gaps = append(append(e.ledger.gaps, sess.Gaps...), heard.Gaps()...)
	}
	switch {
	case err == nil:
		if n := len(sess.Calls); !sess.Initialized && sess.Ending == "" && n > 0 {
			sess.Ending = sess.Calls[n-1].Note
		}
		return sess, nil
	case ctx.Err() != nil || sess == nil:
		if e.session == nil { // the report is about this session, as far as it came
			e.session = sess
		}
		return nil, fmt.Errorf("the assessment was interrupted: %w", err)
	}
	e.mon.Limit(wallLimit(wall, "cut"))
	sess.Closed, sess.Ending = "limit", "the run took longer than it may"
	return sess, nil
}

// rounds is how often each tool is called: less often than in the sandbox,
// because the server belongs to somebody else.
func (e *remoteServer) rounds() int { return min(2, e.opts.Profile.Rounds()) }

// append records an event without the secrets.
func (e *remoteServer) append(event mcpsf.Event) {
	if err := remote.Purge(e.opts.Remote.Secrets, &event); err != nil {
		event.MCP, event.Text, event.Change, event.Remote = nil, nil, nil, nil
		e.opts.Caller.Logger.Warn("an event was not written down whole", "seq", event.Seq)
	}
	e.ledger.log.Append(event)
}

// hide removes the secrets from an error.
func (e *remoteServer) hide(err error) error {
	text := e.opts.Remote.Secrets.Hide(err.Error())
	if text == err.Error() {
		return err
	}
	return &mcpsf.Error{Code: mcpsf.ErrorCode(err), Message: text}
}

// marks returns the credentials as marks, because they must not occur in answers.
func (e *remoteServer) marks() []leak.Mark {
	known := e.opts.Remote.Secrets.Known()
	known = slices.DeleteFunc(known, func(s string) bool { return len(s) < planted.LeastSecret })
	if len(known) == 0 {
		return nil
	}
	return []leak.Mark{{ID: "conf-01", Kind: planted.KindConfigured, Source: "the credentials", Configured: true, Tokens: known}}
}
