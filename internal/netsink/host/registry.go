package host

import (
	"crypto/sha1" //nolint:gosec // registries name it beside a better one
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
)

var packageName = regexp.MustCompile(`^(@[a-z0-9._-]{1,100}/)?[A-Za-z0-9._-]{1,100}$`)

// registry answers as those of packages do: every package exists, in one
// version that does nothing.
func registry(s *session, r *request) *answer {
	host := r.domain()
	switch {
	case hasAny(host, "npmjs", "yarnpkg") || strings.Contains(r.header("Accept"), "vnd.npm"):
		return s.npm(r)
	case hasAny(host, "pypi", "pythonhosted") || strings.HasPrefix(r.path, "/simple/"):
		return pypi(r)
	}
	return nil
}

func (s *session) npm(r *request) *answer {
	if !r.reads() {
		return asJSON(http.StatusOK, object{"ok": true})
	}
	name := strings.Trim(r.path, "/")
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if of, file, ok := strings.Cut(name, "/-/"); ok && strings.HasSuffix(file, ".tgz") && packageName.MatchString(of) {
		a := fileOf("tgz", npmFiles(of))
		a.whole = true
		return a
	}
	if !packageName.MatchString(name) {
		return asJSON(http.StatusNotFound, object{"error": "Not found"})
	}
	const version = "1.0.3"
	tarball := fileOf("tgz", npmFiles(name)).body
	sum, short := sha512.Sum512(tarball), sha1.Sum(tarball) //nolint:gosec // as above
	return asJSON(http.StatusOK, object{
		"_id": name, "name": name, "dist-tags": object{"latest": version}, "time": object{version: s.moment(s.dice(r))},
		"versions": object{version: object{"name": name, "version": version, "main": "index.js", "dist": object{
			"tarball":   r.scheme + "://" + hostname(r) + "/" + name + "/-/" + path.Base(name) + "-" + version + ".tgz",
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]), "shasum": hex.EncodeToString(short[:]),
		}}},
	})
}

// npmFiles is a package that exports nothing.
func npmFiles(name string) []entry {
	return []entry{
		{"package/package.json", `{"name":"` + name + `","version":"1.0.3","main":"index.js","license":"MIT"}` + "\n"},
		{"package/index.js", "module.exports = {};\n"},
	}
}

func pypi(r *request) *answer {
	if !r.reads() {
		return &answer{status: http.StatusOK}
	}
	segments := strings.Split(strings.Trim(r.path, "/"), "/")
	switch {
	case segments[0] == "simple":
		return of(http.StatusOK, "text/html; charset=UTF-8", []byte("<!DOCTYPE html>\n<html>\n  <head>\n    <meta name=\"pypi:repository-version\" content=\"1.1\">\n    <title>Links</title>\n  </head>\n  <body>\n  </body>\n</html>\n"))
	case len(segments) >= 3 && segments[0] == "pypi":
		return asJSON(http.StatusNotFound, object{"message": "Not Found"})
	}
	return nil
}
