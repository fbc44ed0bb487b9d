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
	"github.com/mcpsf/mcpsf/internal/drive/oauth"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Remote is what is known of a server that runs elsewhere: it is spoken to over
// the network, and nothing of it runs here.
type Remote struct {
	// Header is sent with every request to the server.
	Header http.Header
	// Private says that the server is at an address of this machine or its
	// network.
	Private bool
	// Allowed says that the user may have every tool called, and attacked.
	Allowed bool
	// Login says how to log in if the server wants that; nil is not at all.
	Login *oauth.Options
	// Proxy is the way out, nil for none; Roots nil are those of the machine.
	Proxy func(*url.URL) (*url.URL, error)
	Roots *x509.CertPool
	// Secrets must not be written down; what is learned is added.
	Secrets *remote.Secrets
}

const (
	// remotePause is the time between two requests to somebody else's server.
	remotePause = 50 * time.Millisecond
	// loginWait is how long the user has to log in.
	loginWait = 10 * time.Minute
	// searchWait is how long a server is looked for at an address without a path.
	searchWait = 20 * time.Second
)

// faraway is the assessment of a server that runs elsewhere.
type faraway struct {
	opts    *Options
	run     *box.RunDir
	home    *decoys.Home
	address *url.URL
	shown   string
	log     *trace.Log
	mon     *monitor.Monitor
	// bare adds nothing to requests, client what the user gave; login is how it
	// got a token, nil if it does not.
	bare, client *http.Client
	login        *oauth.Transport
	calls        int
	undone       []string
}

// assessRemote is [Assess] for a server that runs elsewhere.
func assessRemote(ctx context.Context, opts *Options) (*Result, error) {
	started := opts.Now()
	run, remove, err := opts.runDir(started)
	if err != nil {
		return nil, err
	}
	defer remove()
	e := &faraway{opts: opts, run: run}
	artifact, err := e.resolve(ctx)
	if err != nil {
		return nil, err
	}
	home, err := decoys.Mint(opts.Seed, started)
	if err != nil {
		return nil, fmt.Errorf("minting the decoys: %w", err)
	}
	e.home = &home
	if err := e.connect(); err != nil {
		return nil, err
	}
	defer e.bare.CloseIdleConnections()
	sink, err := opts.Events(run.ID)
	if err != nil {
		return nil, err
	}
	defer sink.Close()
	e.log = trace.NewLog(trace.Create(sink))
	sess, err := e.assess(ctx)
	if err != nil {
		return nil, e.hide(err)
	}
	if err := e.log.Close(); err != nil {
		return nil, err
	}
	return e.judge(ctx, artifact, sess, started)
}

// resolve checks the address. From here on what may be secret in it is known
// to this alone.
func (e *faraway) resolve(ctx context.Context) (*mcpsf.Artifact, error) {
	u, err := source.Address(e.opts.Target)
	if err != nil {
		return nil, err
	}
	e.address, e.shown = u, remote.Shown(u)
	e.opts.Progress.Step("resolve", e.shown)
	artifact, err := source.Resolve(ctx, e.opts.Target, e.run.Stage(), e.opts.source())
	if err != nil {
		return nil, err
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
	e.opts.Progress.Done("runs elsewhere: it is spoken to over the network, and not sandboxed")
	return artifact, nil
}

// connect makes the clients. Nobody's redirects are followed.
func (e *faraway) connect() error {
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

// assess talks to the server and looks at how it guards itself.
func (e *faraway) assess(ctx context.Context) (*mcpsf.Session, error) {
	r := e.opts.Remote
	began := nanotime()
	e.opts.Progress.Step("reach", e.shown)
	told := remote.CheckTLS(ctx, remote.NewDialer(r.Private), e.address, r.Roots, e.opts.Now())
	sess, err := e.enter(ctx)
	if err != nil {
		return nil, err
	}
	finder, err := leak.New(e.marks()) // the token is known by now
	if err != nil {
		return nil, err
	}
	if e.mon, err = monitor.New(&monitor.Options{StartNanos: began, Now: nanotime, Emit: e.append, Leaks: finder}); err != nil {
		return nil, err
	}
	defer e.mon.Close()
	for _, d := range told {
		e.mon.Checked(d)
	}
	if sess != nil {
		e.checkLogin()
		return sess, nil
	}
	if sess, err = e.drive(ctx, &talk{rounds: e.rounds()}); err != nil {
		return nil, err
	}
	conclude(e.opts.Progress, sess)
	e.checkLogin()
	if !sess.Initialized {
		return sess, nil
	}
	if err := e.press(ctx, sess); err != nil {
		return nil, err
	}
	return sess, e.check(ctx, sess)
}

// enter logs in, and finds the server where the address has no path. A session
// is returned if there is no way in.
func (e *faraway) enter(ctx context.Context) (*mcpsf.Session, error) {
	if e.login != nil {
		waiting, cancel := context.WithTimeout(ctx, loginWait)
		defer cancel()
		if err := e.login.Login(waiting); errors.Is(err, oauth.ErrLogin) {
			e.opts.Progress.Warn(err.Error())
			return unentered(err.Error()), nil
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
	e.opts.Progress.Done("looked at")
	return nil, ctx.Err()
}

// unentered is the session that never was.
func unentered(why string) *mcpsf.Session {
	return &mcpsf.Session{
		Tools: []mcpsf.Tool{}, Resources: []mcpsf.Resource{}, Prompts: []mcpsf.Prompt{}, Calls: []mcpsf.Call{}, Ending: why,
	}
}

// drive is one conversation.
func (e *faraway) drive(ctx context.Context, say *talk) (*mcpsf.Session, error) {
	opts := e.opts
	p, told := places(e.home), newTyped(opts.Seed)
	o := &session.Options{
		Endpoint:  session.Endpoint{Wire: transport.NewInternetWire(e.client), URL: e.address.String()},
		Inputs:    session.Inputs{Seed: opts.Seed, Values: remoteValues(p), Rounds: say.rounds, May: e.may(say)},
		Client:    say.client,
		Answers:   session.Answers{Roots: []string{p.Dir}, Sampling: told.spoken, Typed: told.secrets},
		Limits:    transport.Limits{MaxOutput: maxOutput},
		Timing:    session.Timing{Linger: opts.Linger, StartTimeout: 30 * time.Second},
		Earlier:   session.Earlier{Session: say.known, Since: say.since},
		Instead:   session.Instead{AttackCalls: say.shots, Until: say.until},
		FirstCall: e.calls,
		Progress:  progressOf(opts.Progress),
		Logger:    opts.Logger,
	}
	if len(say.shots) > 0 {
		o.Timing.CallTimeout = shotTimeout
	}
	opts.Progress.Step("start", "saying hello")
	bounded, cancel := context.WithTimeout(ctx, opts.Wall)
	defer cancel()
	sess, err := session.Drive(bounded, nil, newListener(e.mon), o)
	if sess != nil {
		e.calls += len(sess.Calls)
	}
	switch {
	case err == nil:
		if n := len(sess.Calls); !sess.Initialized && sess.Ending == "" && n > 0 {
			sess.Ending = sess.Calls[n-1].Note
		}
		return sess, nil
	case ctx.Err() != nil || sess == nil:
		return nil, fmt.Errorf("the assessment was interrupted: %w", err)
	}
	e.mon.Limit(mcpsf.LimitDetail{
		Name: mcpsf.LimitWall, Limit: int64(opts.Wall.Seconds()), Value: int64(opts.Wall.Seconds()), Action: "cut",
	})
	sess.Closed, sess.Ending = "limit", "the run took longer than it may"
	return sess, nil
}

// rounds is how often each tool is called: less often than here, where nobody
// is bothered.
func (e *faraway) rounds() int { return min(2, e.opts.Profile.rounds()) }

// append writes an event down, without the secrets.
func (e *faraway) append(event mcpsf.Event) {
	if err := remote.Purge(e.opts.Remote.Secrets, &event); err != nil {
		event.MCP, event.Text, event.Change, event.Remote = nil, nil, nil, nil
		e.opts.Logger.Warn("an event was not written down whole", "seq", event.Seq)
	}
	e.log.Append(event)
}

// hide takes the secrets out of an error.
func (e *faraway) hide(err error) error {
	text := e.opts.Remote.Secrets.Hide(err.Error())
	if text == err.Error() {
		return err
	}
	return &mcpsf.Error{Code: mcpsf.ErrorCode(err), Message: text}
}

// marks are the credentials, which must not come back.
func (e *faraway) marks() []leak.Mark {
	known := e.opts.Remote.Secrets.Known()
	known = slices.DeleteFunc(known, func(s string) bool { return len(s) < leastSecret })
	if len(known) == 0 {
		return nil
	}
	return []leak.Mark{{ID: "conf-01", Kind: kindConfigured, Source: "the credentials", Configured: true, Tokens: known}}
}
