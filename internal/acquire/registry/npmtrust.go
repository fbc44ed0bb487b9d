package registry

import (
	"cmp"
	"crypto/x509"
	"net/url"
	"strings"
)

// readNPMTrust reads which certificate authorities are trusted.
func (c *Client) readNPMTrust() error {
	if s, ok := c.npmSetting("strict-ssl"); ok && s.value == "false" {
		return badSetting(s.from, "strict-ssl=false would let anybody on the way choose what is assessed; remove it, and name the authority that signs your registry with cafile")
	}
	if s, ok := c.npmSetting("cafile"); ok {
		pool, err := readAuthorities(c.inHome(s.value), s.from)
		c.npm.ca = pool
		return err
	}
	if list := c.npmAuthorities(); len(list) > 0 {
		pool := x509.NewCertPool()
		for _, s := range list {
			if !pool.AppendCertsFromPEM([]byte(strings.ReplaceAll(s.value, `\n`, "\n"))) {
				return badSetting(s.from, "ca is no certificate")
			}
		}
		c.npm.ca = pool
		return nil
	}
	return c.readExtraAuthorities()
}

// npmAuthorities returns the certificates that are written into a settings
// file.
func (c *Client) npmAuthorities() []setting {
	if s, ok := c.npmSetting("ca"); ok {
		return []setting{s}
	}
	for _, f := range c.npm.files {
		if list := f.lists["ca"]; len(list) > 0 {
			return list
		}
	}
	return nil
}

// readExtraAuthorities adds the authorities that Node.js adds to the system's.
func (c *Client) readExtraAuthorities() error {
	const name = "NODE_EXTRA_CA_CERTS"
	path := c.opts.Getenv(name)
	if path == "" {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	// Node.js only warns about a file that it cannot read.
	if data, err := readSettings(path); err != nil || !pool.AppendCertsFromPEM(data) {
		c.opts.Logger.Warn("no certificate could be read", "setting", name)
		return nil //nolint:nilerr // told
	}
	c.npm.ca = pool
	return nil
}

// readNPMProxy lets npm's own settings override the environment's.
func (c *Client) readNPMProxy() error {
	p := *c.proxy
	if s, ok := c.npmSetting("noproxy"); ok {
		p.none = splitNoProxy(s.value)
	}
	plain, hasPlain := c.npmSetting("proxy")
	secure, hasSecure := c.npmSetting("https-proxy")
	for _, s := range []struct {
		set bool
		at  setting
		to  **url.URL
	}{
		{hasPlain, plain, &p.http},
		{hasSecure || hasPlain, cmp.Or(secure, plain), &p.https},
	} {
		if !s.set {
			continue
		}
		if s.at.value == "false" {
			*s.to = nil
			continue
		}
		u, err := parseProxy(s.at.value)
		if err != nil {
			return badSetting(s.at.from, "%v", err)
		}
		*s.to = u
	}
	c.npm.proxy = &p
	return nil
}
