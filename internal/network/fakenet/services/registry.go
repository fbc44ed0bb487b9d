package services

import (
	"crypto/sha1" //nolint:gosec // registries name it beside a better one
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
)

var packageName = lazyregexp.New(`^(@[a-z0-9._-]{1,100}/)?[A-Za-z0-9._-]{1,100}$`)

// registry answers like a package registry: every package exists, in one
// version that does nothing.
func registry(s *Services, r *Request) *Answer {
	switch {
	case isNPM(r):
		return s.npm(r)
	case isPyPI(r):
		return pypi(r)
	}
	return nil
}

func isRegistry(r *Request) bool { return isNPM(r) || isPyPI(r) }

func isNPM(r *Request) bool {
	return hasAny(r.Domain(), "npmjs", "yarnpkg") || strings.Contains(r.Header("Accept"), "vnd.npm")
}

func isPyPI(r *Request) bool {
	return hasAny(r.Domain(), "pypi", "pythonhosted") || strings.HasPrefix(r.Path, "/simple/")
}

func (s *Services) npm(r *Request) *Answer {
	if !r.Reads() {
		return asJSON(http.StatusOK, object{"ok": true})
	}
	name := strings.Trim(r.Path, "/")
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if of, file, ok := strings.Cut(name, "/-/"); ok && strings.HasSuffix(file, ".tgz") && packageName.MatchString(of) {
		return whole("application/octet-stream", s.npmPackage(r, of))
	}
	if !packageName.MatchString(name) {
		return asJSON(http.StatusNotFound, object{"error": "Not found"})
	}
	tarball := s.npmPackage(r, name)
	sum, short := sha512.Sum512(tarball), sha1.Sum(tarball) //nolint:gosec // as above
	return asJSON(http.StatusOK, object{
		"_id": name, "name": name, "dist-tags": object{"latest": npmVersion}, "time": object{npmVersion: s.moment(s.diceFor(r))},
		"versions": object{npmVersion: object{"name": name, "version": npmVersion, "main": "index.js", "bin": object{path.Base(name): "index.js"}, "dist": object{
			"tarball":   npmAddress(r, name),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]), "shasum": hex.EncodeToString(short[:]),
		}}},
	})
}

const npmVersion = "1.0.3"

func npmAddress(r *Request, name string) string {
	return r.Scheme + "://" + hostname(r) + "/" + name + "/-/" + path.Base(name) + "-" + npmVersion + ".tgz"
}

// npmPackage is a package that exports nothing and reports when it is run.
func (s *Services) npmPackage(r *Request, name string) []byte {
	report := s.proofs.Script(execproof.JavaScript, execproof.Origin{URL: npmAddress(r, name), Scheme: r.Scheme, Host: r.Place})
	return zipped(tarOf([]entry{
		{"package/package.json", `{"name":"` + name + `","version":"` + npmVersion + `","main":"index.js","bin":{"` + path.Base(name) + `":"index.js"},"license":"MIT"}` + "\n"},
		{"package/index.js", "#!/usr/bin/env node\nmodule.exports = {};\n" + string(report)},
	}))
}

func pypi(r *Request) *Answer {
	if !r.Reads() {
		return &Answer{Status: http.StatusOK}
	}
	segments := strings.Split(strings.Trim(r.Path, "/"), "/")
	switch {
	case segments[0] == "simple":
		return of(http.StatusOK, "text/html; charset=UTF-8", []byte("<!DOCTYPE html>\n<html>\n  <head>\n    <meta name=\"pypi:repository-version\" content=\"1.1\">\n    <title>Links</title>\n  </head>\n  <body>\n  </body>\n</html>\n"))
	case len(segments) >= 3 && segments[0] == "pypi":
		return asJSON(http.StatusNotFound, object{"message": "Not Found"})
	}
	return nil
}
