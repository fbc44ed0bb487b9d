package schema

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// exemplary reports whether an example of the server's may be used at a place: also a
// file below the folder that a tool works in (theme/dark.css), a pair (EUR/USD), or a
// JSON document without anything that names a place. What no schema may name, an
// example may not either: a secret, another folder, a stranger's host, an option.
func exemplary(g *generator, value any, p place) bool {
	switch v := value.(type) {
	case string:
		if inner, ok := asDocument(v); ok {
			return len(v) <= maxDocument && exemplary(g, inner, p)
		}
		return len(v) <= maxOffered && exemplaryText(g, v, p)
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !exemplary(g, e, p) })
	case map[string]any:
		for name, e := range v {
			if !memberName.MatchString(name) || !exemplary(g, e, place{name: name}) {
				return false
			}
		}
	}
	return true
}

// exemplaryText is exemplary for a text that is no document.
func exemplaryText(g *generator, text string, p place) bool {
	hidden := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0
	if text == "" || hidden || private(text) {
		return false
	}
	kind, _ := g.meaning(p)
	switch kind {
	case meaning.KindURL:
		return sameHost(g.values.URL, text)
	case meaning.KindHost, meaning.KindEmail, meaning.KindCommand, meaning.KindCode:
		return false
	case meaning.KindPath, meaning.KindDir:
		return below(text)
	}
	if parts := strings.Split(text, ", "); len(parts) > 1 {
		return !slices.ContainsFunc(parts, func(part string) bool { return !exemplaryText(g, part, p) })
	}
	return !placeLike.MatchString(text) || moment.MatchString(text) || below(text) || sameHost(g.values.URL, text)
}

// sameHost reports whether a text is an address on the host that we use ourselves.
func sameHost(ours, text string) bool {
	own, err := url.Parse(ours)
	if err != nil || !strings.HasPrefix(text, own.Scheme+"://"+own.Host+"/") {
		return false
	}
	said, err := url.Parse(text)
	return err == nil && said.Host == own.Host && said.User == nil && !strings.Contains(said.Path, "..")
}

var (
	// secretive are words in the names of files with secrets, and numbers that are
	// addresses.
	secretive = lazyregexp.New(`(?i)id_(?:rsa|dsa|ecdsa|ed25519)|secret|credential|passw|wallet\.|\.(?:pem|key|p12|pfx|kdbx|ppk|keystore|netrc|npmrc)\b|shadow|keychain|kubeconfig|authorized_keys|known_hosts|cookies|login data|\bnetrc|\b\d{1,3}(?:\.\d{1,3}){3}\b`)
	// relativePath is a name below the folder that a tool works in, or a pair. The
	// first name has no dot unless it is the last: evil.example/x is an address.
	relativePath = lazyregexp.New(`^[A-Za-z0-9_][\w -]*(?:[/:#+=&|][A-Za-z0-9_][\w .+-]*)*$`)
	// fileName is a file by its name alone. Endings that are also those of hosts are
	// left out.
	fileName = lazyregexp.New(`(?i)^[A-Za-z0-9_][\w-]*(?:\.[\w-]+)?\.(?:css|scss|html?|txt|json|jsonl|ya?ml|toml|xml|csv|tsv|xlsx?|docx?|pptx?|pdf|png|jpe?g|gif|svg|webp|js|jsx|ts|tsx|sql|log|ini|cfg|conf|tmpl|tpl|j2|hbs|mustache|ipynb|parquet|proto|geojson|gpx|wav|mp3|mp4|srt|tex|bib|java|cpp|go|rb|swift|kt)$`)
	// moment is a date or time in digits.
	moment = lazyregexp.New(`^\d{1,4}(?:[-:/. TZ]{1,2}\d{1,4})*Z?(?:[+-]\d\d:?\d\d)?$`)
	// scheme is what stands before a colon in an address.
	scheme = lazyregexp.New(`(?i)^(?:[a-z]|https?|ftps?|sftp|file|data|javascript|ssh|git|mailto|gopher|ldaps?|smb|wss?|localhost|jar|php|dict|tel|unix|tcp|udp|s3|gs):`)
	// port is what stands behind a colon in the address of a host.
	port = lazyregexp.New(`[A-Za-z][\w-]*:\d+(?:$|/)`)
)

// private reports whether a text names a secret or the address of a machine.
func private(text string) bool { return secretive.MatchString(text) }

// below reports whether a text can only name something below the folder that a tool
// works in: no other folder, no hidden file, no host, no option.
func below(text string) bool {
	if strings.Contains(text, "..") || strings.Contains(text, "/.") || scheme.MatchString(text) || port.MatchString(text) {
		return false
	}
	return relativePath.MatchString(text) || fileName.MatchString(text)
}

// asDocument decodes a text that is a JSON object or array.
func asDocument(text string) (any, bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, false
	}
	value, err := decode([]byte(text))
	return value, err == nil
}

// offered returns those of the examples in a text that may be used at a place, with
// the type that it has.
func (m *mender) offered(s *spot, examples []string) []any {
	g := m.generator()
	var out []any
	for _, text := range examples {
		value, ok := asType(text, s.place.schema["type"])
		if ok && !exemplary(g, value, s.place) {
			value, ok = shapeOf(g, value)
		}
		if ok {
			out = append(out, value)
		}
	}
	return out
}

// example puts the first of some examples, or the one after the value that was
// refused; the last is a variation of the first.
func (m *mender) example(s *spot, examples []string, from mcpsf.ValueOrigin) bool {
	options := m.offered(s, examples)
	if len(options) == 0 {
		return false
	}
	if text, ok := options[0].(string); ok {
		options = append(options, m.offered(s, []string{varied(text)})...)
	}
	refused, _ := find(m.before, s.path)
	next := 1 + slices.IndexFunc(options, func(o any) bool { return sameExample(o, refused) })
	if next == 0 && s.made && slices.ContainsFunc(options, func(o any) bool { return sameShape(o, refused) }) {
		return false // it was mended since
	}
	if next == len(options) || !m.putFrom(s, options[next], from) {
		return false
	}
	if kind, _ := m.generator().meaning(s.place); !kind.Guarded() {
		m.demand(s.path, map[string]any{"examples": options}, false)
	}
	return m.keep(s, true)
}

// varied returns a text with another last digit, the text itself if it has none.
func varied(text string) string {
	i := strings.LastIndexAny(text, "0123456789")
	if i < 0 {
		return text
	}
	digit := text[i] + 1
	if digit > '9' {
		digit = '8'
	}
	return text[:i] + string(rune(digit)) + text[i+1:]
}

// sameText reports whether two values are written in the same way.
func sameText(a, b any) bool {
	x, errX := encode(a)
	y, errY := encode(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
