package chain

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// ours reports whether a returned value may replace one of ours. A server must
// not make us ask for the file or address that it wants to reach, because the
// access would then count as requested. So a path must be below our directory,
// and an address on our host.
func ours(value string, current any) bool {
	if !plain(value) {
		return false
	}
	old, _ := current.(string)
	switch {
	case strings.Contains(value, "://"):
		return sameHost(value, old)
	case strings.HasPrefix(value, "/"):
		return strings.HasPrefix(old, "/") && below(value, path.Dir(old))
	}
	return !strings.ContainsAny(value[:1], "~.-") && !hidden(value) && !strings.Contains(value, `\`)
}

// plain reports whether a value is short and printable.
func plain(value string) bool {
	if value == "" || len(value) > maxValue || strings.TrimSpace(value) != value {
		return false
	}
	return strings.IndexFunc(value, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }) < 0
}

func sameHost(value, old string) bool {
	a, err := url.Parse(value)
	if err != nil || a.User != nil || a.Host == "" {
		return false
	}
	b, err := url.Parse(old)
	return err == nil && a.Scheme == b.Scheme && a.Host == b.Host && !hidden(a.Path)
}

func below(value, dir string) bool {
	return path.Clean(value) == value && dir != "/" && strings.HasPrefix(value, dir+"/") && !hidden(strings.TrimPrefix(value, dir))
}

// hidden reports whether a path contains a hidden file or "..".
func hidden(p string) bool {
	return strings.Contains(p, "/.") || strings.Contains(p, "..")
}
