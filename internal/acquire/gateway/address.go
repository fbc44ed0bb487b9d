package gateway

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// no gap: beyond it the package manager gets an error, which is recorded
const maxAddress = 3000

// publicNPM is what many mirrors leave in their answers; npm itself takes it
// for the configured registry.
const publicNPM = "registry.npmjs.org"

// resolve completes a file's URL that a registry gave on the page at. It fails
// for URLs that a registry must not send us to.
func resolve(reg, at *url.URL, raw string) (*url.URL, error) {
	if len(raw) > maxAddress {
		return nil, errors.New("the address is too long")
	}
	ref, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, errors.New("it is no address")
	}
	u := at.ResolveReference(ref)
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	// A registry behind a TLS proxy often does not know that it is.
	if u.Scheme == "http" && reg.Scheme == "https" && u.Host == reg.Hostname() {
		u.Scheme, u.Host = "https", reg.Host
	}
	if err := checkPlace(reg, u); err != nil {
		return nil, err
	}
	return u, nil
}

// resolveNPM is resolve for a tarball.
func resolveNPM(reg, at *url.URL, raw string) (*url.URL, error) {
	u, err := resolve(reg, at, raw)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(u.Host, publicNPM) && !strings.EqualFold(reg.Host, publicNPM) {
		u = reg.JoinPath(strings.TrimPrefix(u.EscapedPath(), "/"))
	}
	// The registry's API below "-" returns the user's own data. "-" is also a
	// package, with its tarball at -/-/.
	path, ok := strings.CutPrefix(u.Path, reg.Path)
	path = strings.TrimLeft(path, "/")
	if ok && sameHost(reg, u) && strings.HasPrefix(path, "-/") && !strings.HasPrefix(path, "-/-/") {
		return nil, errors.New("it is no package")
	}
	return u, nil
}

// checkPlace refuses addresses of this machine and its network, unless the
// registry is there itself. The registry's client checks what names resolve to.
func checkPlace(reg, u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("it is not an address of the web")
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if part == "." || part == ".." {
			return errors.New("its path climbs")
		}
	}
	if sameHost(reg, u) {
		return nil
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "" || !strings.ContainsAny(host, ".:") || strings.HasSuffix(host, ".localhost") {
		return errors.New("it is an address of this network")
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if !strings.Contains(host, ":") && !isNumber(last) {
		return nil
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return errors.New("it is no address") // 127.1, 0x7f.0.0.1, ...
	}
	if addr = addr.Unmap(); !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return errors.New("it is an address of this network")
	}
	return nil
}

func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// isNumber reports whether a label would be taken for a part of an IPv4
// address.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}
