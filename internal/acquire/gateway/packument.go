package gateway

import (
	"encoding/json"
	"errors"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// The two forms of a packument. The client's Accept header is not passed on: it
// only chooses between these.
const (
	npmShort       = "application/vnd.npm.install-v1+json"
	acceptNPMShort = npmShort + "; q=1.0, application/json; q=0.8, */*"
	acceptNPMFull  = "application/json"
)

// refusedFile replaces the URL of a file that is not fetched.
const refusedFile = "refused"

// packument answers with the description of a package or of one version.
func (g *Gateway) packument(x *exchange, to *target) error {
	accept := acceptNPMFull
	if strings.Contains(x.r.Header.Get("Accept"), npmShort) {
		accept = acceptNPMShort
	}
	list, versions := "npm", map[string]string(nil)
	if to.locked {
		list, versions = npmLocked, g.opts.Locked[to.name]
	}
	key := strings.Join([]string{list, to.name, to.version, accept}, " ")
	return g.page(x, key, func() (*page, error) {
		reg := g.opts.Client.NPM(to.scope())
		src, err := g.fetchPackument(x, to, reg, accept)
		if err != nil {
			return nil, err
		}
		if versions != nil && to.version == "" {
			if src.body, err = keepLocked(src.body, versions); err != nil {
				return nil, g.failed(x.r.Context(), npmWhat(to.name), reg, 0, err)
			}
		}
		body, err := g.rewrite(to, reg, src)
		if err != nil {
			return nil, g.failed(x.r.Context(), npmWhat(to.name), reg, 0, err)
		}
		contentType := "application/json"
		if strings.HasPrefix(src.contentType, npmShort) {
			contentType = npmShort
		}
		return newPage(contentType, body), nil
	})
}

func (g *Gateway) fetchPackument(x *exchange, to *target, reg registry.Registry, accept string) (*source, error) {
	if !g.opts.Before.IsZero() {
		return g.fetchBefore(x, to, reg, accept == acceptNPMShort)
	}
	return g.fetch(x, npmWhat(to.name), reg, npmPath(to.name, to.version), accept)
}

// tarball answers with a file at the path that every registry uses.
func (g *Gateway) tarball(x *exchange, to *target) error {
	reg := g.opts.Client.NPM(to.scope())
	version := strings.TrimSuffix(strings.TrimPrefix(to.file, path.Base(to.name)+"-"), ".tgz")
	return g.stream(x, reg, &upstreamFile{
		kind: targetNPMFile, entry: "npm " + to.name + "@" + version, file: to.file,
		address: reg.URL.String() + npmPath(to.name, "-") + "/" + to.file,
	})
}

// rewrite puts our own URLs into a packument and leaves the rest unchanged.
func (g *Gateway) rewrite(to *target, reg registry.Registry, src *source) ([]byte, error) {
	var only struct{ Version string }
	if !json.Valid(src.body) {
		return nil, errors.New("it is not JSON")
	}
	if to.version != "" {
		// The version may have been requested by a tag.
		_ = json.Unmarshal(src.body, &only)
	}
	own, host := reg.URL.String(), reg.URL.Scheme+"://"+reg.URL.Host+"/"
	return rewriteStrings(src.body, func(at place, text string) (string, bool) {
		if at.tarball {
			version := at.version
			if version == "" {
				version = only.Version
			}
			return g.tarballAddress(to, version, reg, src.at, text), true
		}
		// Other URLs of the registry, such as those of attestations: the
		// sandbox must not learn the registry's host.
		if rest, ok := strings.CutPrefix(text, own); ok {
			return g.base + "npm/" + rest, true
		}
		rest, ok := strings.CutPrefix(text, host)
		return g.base + rest, ok
	})
}

func (g *Gateway) tarballAddress(to *target, version string, reg registry.Registry, at *url.URL, raw string) string {
	file := path.Base(to.name) + "-" + version + ".tgz"
	if !npmFile.MatchString(file) || !npmVersion.MatchString(version) {
		file, version = "package.tgz", "?"
	}
	u, err := resolveNPM(reg.URL, at, raw)
	if err != nil {
		g.opts.Logger.Debug("the registry names a file that is not fetched", "package", to.name, "reason", err)
		return g.base + "npm-files/" + refusedFile + "/" + file
	}
	token := g.addresses.encrypt(&upstreamFile{
		kind: targetNPMFile, registry: to.scope(), entry: "npm " + to.name + "@" + version, file: file, address: u.String(),
	})
	return g.base + "npm-files/" + token + "/" + file
}

// npmPath is a package's path at a registry, in the form that npm uses.
func npmPath(name, version string) string {
	p := strings.Replace(name, "/", "%2f", 1)
	if version != "" {
		p += "/" + url.PathEscape(version)
	}
	return p
}

func npmWhat(name string) string { return "npm package " + strconv.Quote(name) }
