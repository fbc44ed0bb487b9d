package source

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// KindRemote is the kind of a server that runs elsewhere and is reached over
// the network.
const KindRemote = "remote"

// remote is a server that runs elsewhere. There is nothing to copy.
type remote struct{}

var _ kind.Resolver = remote{}

// Kind implements [kind.Resolver].
func (remote) Kind() string { return KindRemote }

// Match implements [kind.Resolver]. Sources with URLs of their own are tried
// before.
func (remote) Match(target mcpsf.Target) bool {
	scheme, _, ok := strings.Cut(target.Source, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// Resolve implements [kind.Resolver].
func (r remote) Resolve(_ context.Context, target mcpsf.Target, _ string, _ kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	u, err := Address(target)
	if err != nil {
		return nil, nil, err
	}
	return &mcpsf.Artifact{Kind: r.Kind(), Name: u.Host, Runtime: mcpsf.RuntimeElsewhere, Command: []string{}}, nil, nil
}

// Kinds of sources that are local files.
const (
	KindLocal   = "local"
	KindArchive = "archive"
)

// IsRemote reports whether a target is a server that runs elsewhere.
func IsRemote(target mcpsf.Target) bool { return KindOf(target) == KindRemote }

// KindOf is the kind of source that a target names.
func KindOf(target mcpsf.Target) string {
	for _, r := range All() {
		if r.Match(target) {
			return r.Kind()
		}
	}
	return ""
}

// Address is the URL of such a server. Its error does not repeat what may be a
// secret.
func Address(target mcpsf.Target) (*url.URL, error) {
	u, err := url.Parse(target.Source)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, usererr.Usage("that is no address of a server; write it as in https://mcp.example/mcp")
	case u.User != nil:
		return nil, usererr.Usage("the address of a server holds no user and password; give them with --header")
	case len(target.Command) > 0:
		return nil, usererr.Usage("a server that runs elsewhere cannot be started; leave out what follows --")
	case len(target.Env) > 0:
		return nil, usererr.Usage("a server that runs elsewhere takes no --env; give what it wants to know with --header")
	}
	u.Scheme, u.Fragment = strings.ToLower(u.Scheme), ""
	name := strings.ToLower(u.Path)
	if slices.ContainsFunc(archive.Suffixes(), func(s string) bool { return strings.HasSuffix(name, s) }) {
		return nil, usererr.Usage("%s is an archive; download it and name the file", usererr.Quote(u.Host+u.Path))
	}
	if hint := packageOf(u); hint != "" {
		return nil, usererr.Usage("%s is a page about a package; write %s", usererr.Quote(u.Host+u.Path), usererr.Quote(hint))
	}
	return u, nil
}

// packageOf is the target for the package of a registry's page.
func packageOf(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."); {
	case host == "npmjs.com" && len(parts) >= 2 && parts[0] == "package":
		return "npm:" + strings.Join(parts[1:min(3, len(parts))], "/")
	case host == "pypi.org" && len(parts) >= 2 && parts[0] == "project":
		return "pypi:" + parts[1]
	}
	return ""
}
