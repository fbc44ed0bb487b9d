package npm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: a larger package, manifest or list is refused with an error
const (
	maxPackument = 64 << 20
	// maxDependencies is more than any package has.
	maxDependencies = 2000
)

// run is one resolution.
type run struct {
	spec request
	from registry.Registry
	opts kind.Options
	// dir is where the package file is put.
	dir string
}

// pick is a resolved request, in the form in which it is cached.
type pick struct {
	Version    string `json:"version"`
	URL        string `json:"url"`
	Pin        string `json:"pin"`
	Deprecated string `json:"deprecated,omitempty"`
	// Published is zero if the registry does not state it.
	Published time.Time `json:"published,omitzero"`
	// Dependencies are those that the registry states.
	Dependencies []string `json:"dependencies,omitempty"`
	// Commit is the commit that npm recorded at publication, "" for none.
	Commit string `json:"commit,omitempty"`
	// History is what the registry states about earlier versions.
	History history `json:"history,omitzero"`

	want integrity
	// stale is set if the registry could not be reached to confirm the pick.
	stale bool
}

// pick finds the version to assess. An exact version never changes, so it is
// taken from the cache; for anything else the registry is asked, and the cache
// is used only if the registry cannot be reached.
func (r *run) pick(ctx context.Context) (*pick, error) {
	if r.spec.kind == wantVersion {
		if p := r.remembered(r.key(r.spec.want)); p != nil {
			return p, nil
		}
	}
	release, err := r.ask(ctx)
	if err != nil {
		if mcpsf.ErrorCode(err) == mcpsf.CodeUnavailable && ctx.Err() == nil {
			if p := r.remembered(r.requestKey()); p != nil {
				p.stale = true
				return p, nil
			}
		}
		return nil, err
	}
	want := parseIntegrity(release.integrity, release.shasum)
	if want.algorithm == "" {
		return nil, usererr.Usage("npm package %s is published without a digest that can be checked; it cannot be told whether what arrives is what was published",
			usererr.Quote(r.spec.name+"@"+release.version))
	}
	u, err := r.tarball(release.tarball)
	if err != nil {
		return nil, err
	}
	if len(release.dependencies) > maxDependencies {
		return nil, usererr.Usage("npm package %s depends on more than %d packages; do not use it", usererr.Quote(r.spec.name+"@"+release.version), maxDependencies)
	}
	return &pick{
		Version: release.version, URL: u, want: want, Deprecated: safetext.Line(release.deprecated, 300), Published: release.published,
		Dependencies: slices.Sorted(maps.Keys(release.dependencies)), History: release.history, Commit: release.commit,
	}, nil
}

// ask asks the registry. The short form of its answer has everything but the
// dates.
func (r *run) ask(ctx context.Context) (*release, error) {
	var d packument
	err := r.opts.Registry.JSON(ctx, &registry.Request{
		Registry: r.from, URL: strings.Replace(r.spec.name, "/", "%2f", 1), What: "npm package " + usererr.Quote(r.spec.name),
		Accept: "application/json",
	}, maxPackument, &d)
	if err != nil {
		return nil, err
	}
	if d.Name != "" && d.Name != r.spec.name {
		return nil, usererr.Usage("%s answers with npm package %s when asked for %s; do not use it", r.from.URL.Host, usererr.Quote(d.Name), usererr.Quote(r.spec.name))
	}
	release, err := d.choose(r.spec)
	if err != nil {
		return nil, err
	}
	release.published = published.Date(document.Text(document.Object(d.Times)[release.version]))
	release.history = d.history(release.version)
	return release, nil
}

// tarball returns the file's URL. Mirrors pass on the URLs of the registry they
// mirror, and those behind another server state their own without TLS; like
// npm, we use the host that the user set.
func (r *run) tarball(at string) (string, error) {
	u, err := r.from.URL.Parse(at)
	if at == "" || err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" {
		return "", usererr.Usage("npm package %s is published at %s, which is no address of the web; the registry is set up wrongly", usererr.Quote(r.spec.name), usererr.Quote(at))
	}
	u.User, u.Fragment = nil, ""
	own := r.from.URL
	switch {
	case u.Host == "registry.npmjs.org" && own.Host != u.Host:
		moved := *own
		moved.Path, moved.RawPath = strings.TrimSuffix(own.Path, "/")+u.Path, ""
		moved.RawQuery = u.RawQuery
		u = &moved
	case u.Scheme == "http" && own.Scheme == "https" && u.Host == own.Host:
		u.Scheme = "https"
	}
	return u.String(), nil
}

// fetch puts the file into r.dir, from the cache or from the registry. offline
// is set if nothing was downloaded.
func (r *run) fetch(ctx context.Context, p *pick) (file string, offline bool, err error) {
	name := strings.ReplaceAll(strings.TrimPrefix(r.spec.name, "@"), "/", "-") + "-" + p.Version + ".tgz"
	file = filepath.Join(r.dir, name)
	if r.fromCache(ctx, p, file) {
		return file, true, nil
	}
	if p.stale || p.want.algorithm == "" {
		return "", false, usererr.Usage("the cached file of npm package %s is damaged; try again", usererr.Quote(r.spec.name))
	}
	if err := r.download(ctx, p, file); err != nil {
		return "", false, err
	}
	return file, false, nil
}

// fromCache verifies a cached file like a downloaded one.
func (r *run) fromCache(ctx context.Context, p *pick, file string) bool {
	if r.opts.Cache == nil {
		return false
	}
	kept, note, ok := r.opts.Cache.Get(r.key(p.Version))
	var was pick
	if !ok || json.Unmarshal(note, &was) != nil {
		return false
	}
	if p.want.algorithm == "" {
		p.want = parseIntegrity(p.Pin, "")
	}
	// The registry may state several sums of which only one was checked.
	if !p.want.allows(was.Pin) || published.LinkOrCopy(kept, file) != nil {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	h := newHash(p.want.algorithm)
	_, err = io.Copy(h, archive.Stream(ctx, f))
	if p.Pin = p.want.check(h); err != nil || p.Pin == "" {
		_ = os.Remove(file)
		return false
	}
	return true
}

func (r *run) download(ctx context.Context, p *pick, file string) (err error) {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("keeping a download: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	h := newHash(p.want.algorithm)
	whole := usererr.Quote(r.spec.name + "@" + p.Version)
	err = r.opts.Registry.Download(ctx, &registry.Request{
		Registry: r.from, URL: p.URL, What: "npm package " + whole,
	}, io.MultiWriter(out, h), r.opts.MaxBytes, r.opts.Progress)
	if err != nil {
		return err
	}
	if p.Pin = p.want.check(h); p.Pin == "" {
		return usererr.Usage("what was downloaded as npm package %s is not what %s lists: its %s is another; somebody changed it on the way, do not use it",
			whole, r.from.URL.Host, p.want.algorithm)
	}
	return nil
}

// key names one version at one registry.
func (r *run) key(version string) string {
	return "npm/" + r.place() + "/" + r.spec.name + "/" + version
}

func (r *run) requestKey() string { return r.key("request/" + r.spec.want) }

// place is the registry's host and path: a host can have several registries
// with different packages of the same name.
func (r *run) place() string {
	return strings.TrimSuffix(r.from.URL.Host+url.PathEscape(strings.TrimSuffix(r.from.URL.Path, "/")), "/")
}

// remembered returns an earlier pick whose file is still cached.
func (r *run) remembered(key string) *pick {
	if r.opts.Cache == nil {
		return nil
	}
	_, note, ok := r.opts.Cache.Get(key)
	var p pick
	if !ok || json.Unmarshal(note, &p) != nil || !exactForm.MatchString(p.Version) || p.Pin == "" {
		return nil
	}
	if file := r.key(p.Version); file != key {
		if _, _, ok := r.opts.Cache.Get(file); !ok {
			return nil
		}
	}
	return &p
}

// keep puts the file and the pick into the cache. A full or read-only cache is
// no error.
func (r *run) keep(p *pick, file string, downloaded bool) {
	if r.opts.Cache == nil || p.stale {
		return
	}
	note, err := json.Marshal(p)
	if err != nil {
		return
	}
	// Put moves its file, and npm still needs this one.
	spare := filepath.Join(r.dir, "spare")
	if downloaded {
		if err = published.LinkOrCopy(file, spare); err == nil {
			_, err = r.opts.Cache.Put(r.key(p.Version), spare, note)
		}
	}
	if err == nil && r.spec.kind != wantVersion {
		if err = os.WriteFile(spare, note, 0o644); err == nil {
			_, err = r.opts.Cache.Put(r.requestKey(), spare, note)
		}
	}
	if err != nil {
		_ = os.Remove(spare)
		r.opts.Logger.Warn("the download is not kept", "error", err)
	}
}
