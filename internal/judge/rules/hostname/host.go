package hostname

import (
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxName is the maximum length of a host name.
// no gap: the maximum of DNS
const maxName = 253

// A host in a text: after the scheme of a URL, or bare. The last part of a bare
// one has to be a word, so that numbers and versions do not match.
var (
	hostInURL = lazyregexp.New(`(?i)\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/@"'<>]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#"'<>\\,;)\]}|]+)`)
	bareHost  = lazyregexp.New(`(?i)(?:[\p{L}0-9_](?:[\p{L}0-9_-]{0,61}[\p{L}0-9])?\.)+[\p{L}][\p{L}0-9-]{1,62}`)
	address   = lazyregexp.New(`(?i)\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b|\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}\b`)
)

// Find returns the names and addresses of machines in a text.
func Find(text string) []string {
	if text == "" || len(text) > lex.MaxValue || !strings.ContainsAny(text, ".:") {
		return nil
	}
	var out []string
	add := func(s string) {
		if s = Canonical(s); s != "" && len(out) < lex.MaxClaims {
			out = append(out, s)
		}
	}
	if strings.Contains(text, "://") {
		for _, m := range hostInURL.FindAllStringSubmatch(text, lex.MaxClaims) {
			add(m[1])
		}
	}
	if mayNameHost(text) {
		for _, s := range bareHost.FindAllString(text, lex.MaxClaims) {
			add(s)
		}
	}
	if strings.Count(text, ":") < 2 && strings.Count(text, ".") < 3 {
		return out // too short to contain an address
	}
	for _, s := range address.FindAllString(text, lex.MaxClaims) {
		if _, err := netip.ParseAddr(s); err == nil {
			add(s)
		}
	}
	return out
}

// mayNameHost tells quickly whether there is a dot between two name parts, as in
// every bare name.
func mayNameHost(text string) bool {
	for i := 1; i < len(text)-1; i++ {
		if text[i] == '.' && partOfName(text[i-1]) && (text[i+1]|0x20 >= 'a' && text[i+1]|0x20 <= 'z' || text[i+1] >= 0x80) {
			return true
		}
	}
	return false
}

func partOfName(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// Canonical returns the normal form of a host name or address, by which hosts
// are compared, "" if it is neither.
func Canonical(host string) string {
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if mayBeAddress(host) {
		if addr, err := netip.ParseAddr(host); err == nil {
			return addr.Unmap().WithZone("").String()
		}
	}
	for i := range len(host) {
		if host[i] >= 0x80 {
			host, _ = idna.Punycode.ToASCII(host)
			break
		}
	}
	if len(host) > maxName {
		return ""
	}
	return host
}

// IsLoopback tells whether a host is the machine itself.
func IsLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// IsOne tells whether a bare name is more likely that of a host than that of a
// file or a member: its ending is one that domains have, and no file has it.
func IsOne(name string) bool {
	if IsAddress(name) {
		return true
	}
	switch ending := name[strings.LastIndexByte(name, '.')+1:]; ending {
	case "example", "test", "invalid", "onion":
		return true
	case "md", "py", "rs", "sh", "zip", "mov", "pl", "cc", "so", "ps", "id", "name", "properties", "map", "data":
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(name)
	return icann && suffix != name
}

// SplitPort returns the host of "name:443", "192.0.2.1:443" and "[2001:db8::1]:443".
func SplitPort(s string) string {
	if strings.HasPrefix(s, "[") {
		host, _, _ := strings.Cut(s[1:], "]")
		return Canonical(host)
	}
	if strings.Count(s, ":") == 1 {
		s, _, _ = strings.Cut(s, ":")
	}
	return Canonical(s)
}

// Registrable returns the registrable domain of a name, and an address
// unchanged. Below the suffixes of hosting providers each customer has a domain
// of its own, because two customers of one cloud are unrelated.
func Registrable(host string) string {
	if IsAddress(host) {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}

// MainLabel returns the first label of a registrable domain, which its owner chose.
func MainLabel(domain string) string {
	label, _, _ := strings.Cut(domain, ".")
	return label
}

// IsAddress tells whether a host is an IP address.
func IsAddress(host string) bool {
	if !mayBeAddress(host) {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// mayBeAddress rules out names quickly: parsing one as an address allocates an error.
func mayBeAddress(host string) bool {
	return host != "" && (host[len(host)-1] >= '0' && host[len(host)-1] <= '9' || strings.IndexByte(host, ':') >= 0)
}

// below reports whether a host is the domain or a subdomain of it.
func below(host, domain string) bool {
	rest, ok := strings.CutSuffix(host, domain)
	return ok && (rest == "" || strings.HasSuffix(rest, "."))
}

// BelowAny reports whether a host is one of the domains or a subdomain of one.
func BelowAny(host string, domains []string) bool {
	for _, d := range domains {
		if below(host, d) {
			return true
		}
	}
	return false
}

// OwnedBy reports whether a host is one of the domains or a subdomain of one that
// their owner runs. Below some domains of a provider every customer has a name of
// his own: anybody can have one below workers.dev.
func OwnedBy(host string, domains []string) bool {
	own := Registrable(host)
	return slices.ContainsFunc(domains, func(d string) bool {
		switch {
		case !below(host, d):
			return false
		case d == "googleapis.com" || d == "githubusercontent.com": // cookies are kept apart there, but no customer chooses a name
			return true
		}
		return isSuffix(host) || below(d, own)
	})
}

// isSuffix tells whether customers have names below a name: then the name itself is the
// provider's.
func isSuffix(name string) bool {
	suffix, _ := publicsuffix.PublicSuffix(name)
	return suffix == name
}

// IsPublic tells whether an address is on the Internet and not private.
func IsPublic(addr netip.Addr) bool {
	return addr.IsGlobalUnicast() && !addr.IsPrivate()
}
