package registry

import (
	"crypto/tls"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: bounds the user's own settings and the answers of registries; more is an error
const (
	defaultPyPI = "https://pypi.org/simple/"
	// maxIndexes bounds how many indexes are asked for one package.
	maxIndexes = 16
	// pipWhere is what a user changes to change the index.
	pipWhere = "PIP_INDEX_URL or pip.conf" //nolint:gosec // no credential
)

// readPip reads the user's settings for PyPI in pip's order: the environment,
// then the files, of which later ones win. If pip has no setting, uv's
// variables count.
func (c *Client) readPip() error {
	return c.readPipFiles(pipFiles(c.opts.Getenv, c.opts.Home))
}

func (c *Client) readPipFiles(files []string) error {
	s := pipSettings{}
	for _, name := range files {
		data, err := readSettings(c.inHome(name))
		if err != nil {
			return err
		}
		if err := s.add(name, data); err != nil {
			return err
		}
	}
	for _, key := range []string{"index-url", "extra-index-url", "no-index", "cert", "client-cert", "proxy"} {
		name := "PIP_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
		if value := strings.TrimSpace(c.opts.Getenv(name)); value != "" {
			s[":env:."+key] = setting{value: value, from: name}
		}
	}
	if off, err := pipBool(s.get("no-index")); err != nil {
		return err
	} else if off {
		c.pypi = []Registry{brokenRegistry(&mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: "pip is told to ask no index (" + s.get("no-index").from + "); unset that to assess packages of an index",
		})}
		return nil
	}
	return c.addIndexes(s)
}

func (c *Client) addIndexes(s pipSettings) error {
	common, err := c.pipCommon(s)
	if err != nil {
		return err
	}
	first := s.get("index-url")
	for _, name := range []string{"UV_DEFAULT_INDEX", "UV_INDEX_URL"} {
		if value := strings.TrimSpace(c.opts.Getenv(name)); first.value == "" && value != "" {
			first = setting{value: uvAddress(value), from: name}
		}
	}
	if first.value == "" {
		first = setting{value: defaultPyPI, from: pipWhere}
	}
	all := []setting{first}
	extra := s.get("extra-index-url")
	for address := range strings.FieldsSeq(extra.value) {
		all = append(all, setting{value: address, from: extra.from})
	}
	if len(all) > maxIndexes {
		return badSetting(extra.from, "it names more than %d indexes", maxIndexes-1)
	}
	for _, at := range all {
		r, err := c.pipIndex(at, common)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(c.pypi, func(o Registry) bool { return *o.URL == *r.URL }) {
			c.pypi = append(c.pypi, r)
		}
	}
	return nil
}

// pipCommon reads what applies to every index.
func (c *Client) pipCommon(s pipSettings) (Registry, error) {
	var r Registry
	if at := s.get("cert"); at.value != "" {
		path := c.inHome(at.value)
		// A directory of certificates is for OpenSSL; the system's are used
		// instead.
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			pool, err := readAuthorities(path, at.from)
			if err != nil {
				return r, err
			}
			r.ca = pool
		}
	}
	if at := s.get("client-cert"); at.value != "" {
		path := c.inHome(at.value)
		pair, err := tls.LoadX509KeyPair(path, path)
		if err != nil {
			return r, badSetting(at.from, "the certificate cannot be read: %s", safetext.Line(err.Error(), maxShown))
		}
		r.certificate = &pair
	}
	if at := s.get("proxy"); at.value != "" {
		via, err := parseProxy(at.value)
		if err != nil {
			return r, badSetting(at.from, "%v", err)
		}
		r.proxy = &proxySettings{http: via, https: via}
	}
	return r, nil
}

// pipIndex makes the registry of one URL. If it has no credentials, they may be
// in the user's netrc file.
func (c *Client) pipIndex(at setting, common Registry) (Registry, error) {
	r, err := newRegistry(at.value, common.ca)
	if err != nil {
		return r, badSetting(at.from, "%v", err)
	}
	r.certificate, r.proxy, r.settings = common.certificate, common.proxy, pipWhere
	if r.auth != "" {
		return r, nil
	}
	if l, ok := netrcFor(c.opts.Getenv, c.opts.Home, r.URL.Hostname()); ok {
		r.auth = basic(l.user, l.password)
	}
	return r, nil
}

// uvAddress removes the name from "name=https://host/simple".
func uvAddress(value string) string {
	name, address, ok := strings.Cut(value, "=")
	if u, err := url.Parse(address); ok && !strings.ContainsAny(name, ":/") && err == nil && u.Scheme != "" {
		return address
	}
	return value
}
