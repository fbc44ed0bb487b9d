package registry

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

const defaultNPM = "https://registry.npmjs.org/"

// npmSettings are the user's settings for npm; those of the user's own file
// override those of the machine.
//
// A .npmrc in the assessed project is never read, although npm reads it: its
// author could send the user's credentials or the packages' requests to a host
// of theirs.
type npmSettings struct {
	files []npmrc
	ca    *x509.CertPool
	proxy *proxySettings
}

// readNPM reads the settings in npm's order: the environment, the user's
// file, the machine's.
func (c *Client) readNPM() error {
	user, userSet := c.npmEnv("userconfig")
	if !userSet && c.opts.Home != "" {
		user = setting{value: filepath.Join(c.opts.Home, ".npmrc")}
	}
	if err := c.addNpmrc(user.value); err != nil {
		return err
	}
	for _, path := range c.globalNpmrc() {
		if err := c.addNpmrc(path); err != nil {
			return err
		}
	}
	if err := c.readNPMTrust(); err != nil {
		return err
	}
	if err := c.readNPMProxy(); err != nil {
		return err
	}
	return c.checkNPM()
}

func (c *Client) addNpmrc(path string) error {
	if path == "" {
		return nil
	}
	data, err := readSettings(c.inHome(path))
	if err != nil || data == nil {
		return err
	}
	c.npm.files = append(c.npm.files, parseNpmrc(path, data, c.opts.Getenv))
	return nil
}

// globalNpmrc lists the machine's files. npm's own depends on where node is
// installed; the usual places are tried.
func (c *Client) globalNpmrc() []string {
	if s, ok := c.npmSetting("globalconfig"); ok {
		return []string{s.value}
	}
	if s, ok := c.npmSetting("prefix"); ok {
		return []string{filepath.Join(c.inHome(s.value), "etc", "npmrc")}
	}
	return []string{"/usr/local/etc/npmrc", "/usr/etc/npmrc", "/etc/npmrc"}
}

// Scopes lists the scopes that have a registry of their own, sorted.
func (c *Client) Scopes() []string {
	found := map[string]bool{}
	for _, f := range c.npm.files {
		for key := range f.values {
			if scope, ok := strings.CutSuffix(key, ":registry"); ok && strings.HasPrefix(scope, "@") {
				found[scope] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// checkNPM finds invalid registry settings before a request.
func (c *Client) checkNPM() error {
	for _, scope := range append(c.Scopes(), "") {
		if r := c.npmRegistry(scope); r.broken != nil {
			return r.broken
		}
	}
	return nil
}

// npmRegistry makes the registry of a scope. An invalid setting fails each
// request: asking another registry instead could fetch somebody else's package.
func (c *Client) npmRegistry(scope string) Registry {
	at, ok := setting{}, false
	if scope != "" {
		at, ok = c.npmSetting(scope + ":registry")
	}
	if !ok {
		at, ok = c.npmSetting("registry")
	}
	if !ok {
		at = setting{value: defaultNPM}
	}
	r, err := newRegistry(at.value, c.npm.ca)
	if err != nil {
		return brokenRegistry(badSetting(at.from, "%v", err))
	}
	r.proxy, r.settings = c.npm.proxy, "npm_config_registry or .npmrc"
	if err := c.authorize(&r); err != nil {
		return brokenRegistry(err)
	}
	return r
}

// authorize finds the credentials for a registry: those of its own path, or of
// the nearest path above it on the same host.
func (c *Client) authorize(r *Registry) error {
	for _, prefix := range prefixes(r.URL) {
		auth, err := c.authorization(prefix)
		if err != nil {
			return err
		}
		cert, err := c.certificate(prefix)
		if err != nil {
			return err
		}
		if auth == "" && cert == nil {
			continue
		}
		if auth != "" {
			r.auth = auth
		}
		r.certificate = cert
		return nil
	}
	return nil
}

// prefixes lists the prefixes of npm's settings for u: for example "//host/a/"
// and "//host/", the longest first.
func prefixes(u *url.URL) []string {
	// no gap: bounds the user's own settings and the answers of registries; more is an error
	const most = 32
	var all []string
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	for len(all) < most {
		all = append(all, "//"+u.Host+path+"/")
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			break
		}
		path = path[:i]
	}
	return all
}

// authorization reads the credentials of one prefix in npm's order: token, user
// and password, both in one.
func (c *Client) authorization(prefix string) (authorization, error) {
	if token, ok := c.npmCredential(prefix + ":_authToken"); ok {
		return bearer(token.value), printable(token)
	}
	user, hasUser := c.npmCredential(prefix + ":username")
	password, hasPassword := c.npmCredential(prefix + ":_password")
	if hasUser && hasPassword {
		plain, err := base64.StdEncoding.DecodeString(password.value)
		if err != nil {
			return "", badSetting(password.from, "_password is not written in base64")
		}
		return basic(user.value, string(plain)), nil
	}
	if both, ok := c.npmCredential(prefix + ":_auth"); ok {
		if _, err := base64.StdEncoding.DecodeString(both.value); err != nil {
			return "", badSetting(both.from, "_auth is not written in base64")
		}
		return authorization("Basic " + both.value), nil
	}
	return "", nil
}

// printable refuses characters that would break out of a header.
func printable(s setting) error {
	if strings.ContainsFunc(s.value, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return badSetting(s.from, "the token has characters that no token has; was a variable not set?")
	}
	return nil
}

func (c *Client) certificate(prefix string) (*tls.Certificate, error) {
	cert, hasCert := c.npmSetting(prefix + ":certfile")
	key, hasKey := c.npmSetting(prefix + ":keyfile")
	if !hasCert || !hasKey {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(c.inHome(cert.value), c.inHome(key.value))
	if err != nil {
		return nil, badSetting(cert.from, "the certificate cannot be read: %s", safetext.Line(err.Error(), maxShown))
	}
	return &pair, nil
}

// npmCredential looks up a credential, which may refer to a variable. If that
// is not set, such as a token that only the build server has, there is no
// credential.
func (c *Client) npmCredential(key string) (setting, bool) {
	s, ok := c.npmSetting(key)
	return s, ok && !variable.MatchString(s.value)
}

// npmSetting looks up a setting.
func (c *Client) npmSetting(key string) (setting, bool) {
	if s, ok := c.npmEnv(key); ok {
		return s, true
	}
	for _, f := range c.npm.files {
		if s, ok := f.values[key]; ok && s.value != "" && s.value != "null" {
			return s, true
		}
	}
	return setting{}, false
}

// npmEnv looks up a setting in the environment. Names that begin with a host
// keep their case, as in npm.
func (c *Client) npmEnv(key string) (setting, bool) {
	names := []string{"npm_config_" + key, "NPM_CONFIG_" + key}
	if !strings.HasPrefix(key, "//") {
		under := strings.ReplaceAll(key, "-", "_")
		names = append(names, "npm_config_"+under, "NPM_CONFIG_"+strings.ToUpper(under), "NPM_CONFIG_"+strings.ToUpper(key))
	}
	for _, name := range names {
		if value := c.opts.Getenv(name); value != "" {
			return setting{value: value, from: name}, true
		}
	}
	return setting{}, false
}
