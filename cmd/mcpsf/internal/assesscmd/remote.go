package assesscmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/http/httpproxy"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/drive/oauth"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// remoteFlags are the flags for remote servers.
type remoteFlags struct {
	headers      []string
	client, flow string
	yes, allowed bool
}

func (f *remoteFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.headers, "header", nil, "HTTP header for a remote server, K=V; repeatable (MCPSF_BEARER is a bearer token)")
	flags.StringVar(&f.flow, "oauth", "auto", "OAuth flow for a remote server: auto, code, device, client or none")
	flags.StringVar(&f.client, "oauth-client-id", "", "OAuth client id, with its secret in MCPSF_OAUTH_CLIENT_SECRET (default: register a client for the run)")
	flags.BoolVar(&f.yes, "yes", false, "do not ask before connecting to a server on this machine or its network")
	flags.BoolVar(&f.allowed, "yes-i-may-attack-this", false, "call every tool of a remote server, and let --profile aggressive attack it")
}

// used is the first given flag that only applies to remote servers, "" if none.
func (f *remoteFlags) used() string {
	switch {
	case len(f.headers) > 0:
		return "--header"
	case f.client != "":
		return "--oauth-client-id"
	case f.allowed:
		return "--yes-i-may-attack-this"
	}
	return ""
}

// remoteServer is the options for a remote server, nil if target is another
// kind. done stops waiting for the user's login.
func (a *assessor) remoteServer(ctx context.Context, target mcpsf.Target, profile plan.Profile, f *remoteFlags) (r *assess.Remote, done func(), err error) {
	done = func() {}
	if !source.IsRemote(target) {
		if name := f.used(); name != "" {
			return nil, done, program.Usage(fmt.Errorf("%s is for servers that run elsewhere, such as https://mcp.example/mcp", name))
		}
		return nil, done, nil
	}
	u, err := source.Address(target)
	if err != nil {
		return nil, done, err
	}
	if profile == plan.Aggressive && !f.allowed {
		return nil, done, program.Usage(errors.New("--profile aggressive attacks a server that runs elsewhere; if you may do that, add --yes-i-may-attack-this"))
	}
	r = &assess.Remote{Allowed: f.allowed, Secrets: a.Secrets, Private: remote.IsNear(ctx, net.DefaultResolver, u.Hostname())}
	if r.Header, err = a.headers(f.headers); err != nil {
		return nil, done, err
	}
	if r.Private {
		if err := a.consent(remote.Shown(u), f.yes); err != nil {
			return nil, done, err
		}
	} else {
		r.Proxy = a.proxy(u)
	}
	r.Login, done, err = a.login(ctx, f)
	return r, done, err
}

// headers parses --header. The error about an invalid one does not repeat it.
func (a *assessor) headers(list []string) (http.Header, error) {
	h := http.Header{}
	for _, kv := range list {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, program.Usage(errors.New(`--header takes K=V, as in --header "Authorization=Bearer ..."`))
		}
		h[textproto.CanonicalMIMEHeaderKey(name)] = []string{value}
	}
	if token := a.Getenv("MCPSF_BEARER"); token != "" && h.Get("Authorization") == "" {
		if !httpguts.ValidHeaderFieldValue(token) {
			return nil, program.Usage(errors.New("MCPSF_BEARER holds characters that no token has"))
		}
		h.Set("Authorization", "Bearer "+token)
	}
	return h, nil
}

// consent asks the user before testing a server on this machine, because no
// sandbox contains it.
func (a *assessor) consent(address string, yes bool) error {
	warning := address + " runs on this machine or its network and is not isolated: what its tools do, they do for real"
	fmt.Fprintln(a.Stderr, "warning: "+safetext.Clean(warning))
	if yes {
		return nil
	}
	if f, ok := a.Stdin.(*os.File); !ok || !term.IsTerminal(f.Fd()) {
		return program.Usage(errors.New("there is no terminal to ask whether to go on; add --yes if you want to"))
	}
	fmt.Fprint(a.Stderr, "Go on? [y/N] ")
	const longest = 64
	answer, err := bufio.NewReader(io.LimitReader(a.Stdin, longest)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return program.Usage(errors.New("nothing was done"))
}

// proxy is the proxy for a server, nil if none is needed.
func (a *assessor) proxy(to *url.URL) func(*url.URL) (*url.URL, error) {
	either := func(name string) string { return cmp.Or(a.Getenv(strings.ToUpper(name)), a.Getenv(name)) }
	config := httpproxy.Config{HTTPProxy: either("http_proxy"), HTTPSProxy: either("https_proxy"), NoProxy: either("no_proxy")}
	find := config.ProxyFunc()
	if via, err := find(to); err == nil && via == nil {
		return nil
	}
	return find
}

// login is how to log in. The user is asked only if there is a terminal, or if
// a flag says so.
func (a *assessor) login(ctx context.Context, f *remoteFlags) (*oauth.Options, func(), error) {
	nothing := func() {}
	opts := &oauth.Options{ID: f.client, Secret: a.Getenv("MCPSF_OAUTH_CLIENT_SECRET")}
	file, _ := a.Stdin.(*os.File)
	someone := file != nil && term.IsTerminal(file.Fd())
	switch f.flow {
	case "none":
		return nil, nothing, nil
	case "auto":
	case "code", "device":
		opts.Flow, someone = oauth.Flow(f.flow), true
	case "client":
		opts.Flow, someone = oauth.FlowClient, false
	default:
		return nil, nothing, program.Usage(fmt.Errorf("--oauth is auto, code, device, client or none, not %q", f.flow))
	}
	if !someone {
		return opts, nothing, nil
	}
	browser, err := oauth.NewBrowser(ctx, func(line string) { fmt.Fprintln(a.Stderr, safetext.Clean(line)) })
	if err != nil {
		return nil, nothing, err
	}
	opts.User = browser
	return opts, browser.Close, nil
}
