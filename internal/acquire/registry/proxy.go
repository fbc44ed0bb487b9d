package registry

import (
	"cmp"
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// proxySettings say which proxy is used for a URL.
type proxySettings struct {
	http, https *url.URL // nil for none
	none        []string // NO_PROXY, split
}

// environmentProxy reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY in either case.
func environmentProxy(getenv func(string) string) (*proxySettings, error) {
	p := &proxySettings{none: splitNoProxy(cmp.Or(getenv("NO_PROXY"), getenv("no_proxy")))}
	for name, to := range map[string]**url.URL{"http_proxy": &p.http, "https_proxy": &p.https} {
		upper := strings.ToUpper(name)
		u, err := parseProxy(cmp.Or(getenv(upper), getenv(name)))
		if err != nil {
			return nil, badSetting(upper, "%v", err)
		}
		*to = u
	}
	return p, nil
}

// parseProxy takes "host:port" for http://host:port. The error does not repeat
// the text, which can contain a password.
func parseProxy(s string) (*url.URL, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("it is no address of a proxy")
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return u, nil
	}
	return nil, errors.New("a proxy begins with http://, https:// or socks5://")
}

func splitNoProxy(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// to returns the proxy for u, nil for a direct connection. This machine is
// never reached through a proxy.
func (p *proxySettings) to(u *url.URL) *url.URL {
	via := p.http
	if u.Scheme == "https" {
		via = p.https
	}
	if via == nil || literal(u.Hostname()) == classLoopback {
		return nil
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	port := cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	for _, entry := range p.none {
		if noProxyMatches(strings.ToLower(entry), host, port) {
			return nil
		}
	}
	return via
}

// noProxyMatches understands "*", "host", ".host", "*.host", addresses and
// networks, each with or without a port.
func noProxyMatches(entry, host, port string) bool {
	if entry == "*" {
		return true
	}
	if network, err := netip.ParsePrefix(entry); err == nil {
		addr, err := netip.ParseAddr(host)
		return err == nil && network.Contains(addr.Unmap())
	}
	if ip, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
		addr, err := netip.ParseAddr(host)
		return err == nil && addr == ip
	}
	if name, only, ok := cutPort(entry); ok {
		if only != port {
			return false
		}
		entry = strings.Trim(name, "[]")
	}
	if domain, below := strings.CutPrefix(strings.TrimPrefix(entry, "*"), "."); below {
		return domain != "" && strings.HasSuffix(host, "."+domain)
	}
	return entry != "" && (host == entry || strings.HasSuffix(host, "."+entry))
}

func cutPort(s string) (host, port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || strings.HasSuffix(s, "]") {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
