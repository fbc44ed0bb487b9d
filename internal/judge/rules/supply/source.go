package supply

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

const address = `(?:git\+)?https?://(?:[^\s/@"'<>]*@)?([^\s"'<>\\/:|)]+)`

var (
	// index matches settings and options that name an index or a registry.
	index = lazyregexp.New(`(?i)(?:--(?:extra-|default-)?index(?:-url)?|--find-links|--registry|--trusted-host|--repository|\b(?:extra[-_])?index[-_]url|` +
		`\bregistry|GOPROXY|GONOSUMDB|_INDEX_URL|tool\.uv\.index\]\]|\[\[source\]\]|<repository>|add-apt-repository|\bdeb (?:\[[^\]\n]*\] )?)` +
		`[^\n<>]{0,12}?(?:\n?[^\n]{0,40}?)` + address)
	// direct matches commands that install from an address.
	direct = lazyregexp.New(`(?i)\b(?:pip3?|uv|pipx|uvx|npm|npx|pnpm|yarn|bunx?|go|cargo|gem|brew)\s+(?:pip\s+)?(?:i|install|add|get|tap|exec)?\b[^\n]{0,120}?` + address + `[^\s"'<>]*`)
	// piped matches commands that run what they download.
	piped = lazyregexp.New(`(?i)\b(?:curl|wget|iwr|irm|fetch)\b[^\n|]{0,200}?` + address + `[^\n|]{0,120}\|\s*(?:sudo\s+)?(?:[a-z/]*sh|python3?|node|perl|ruby|iex)\b|` +
		`(?:sh|bash|eval|source|\.)\s+(?:-c\s+)?["']?(?:<\(|\$\(|` + "`" + `)\s*(?:curl|wget)\b[^\n]{0,200}?` + address)
)

// Source is a host that a text makes its reader take software from.
type Source struct {
	Host string
	// Index is set for an index or registry, from which every package then comes,
	// and not only one program.
	Index bool
}

// Sources returns the hosts that a text makes its reader take software from,
// except those from which everybody does. Indexes come first.
func Sources(text string) []Source {
	if len(text) > lex.MaxValue || !strings.Contains(text, "://") {
		return nil
	}
	var found []Source
	for i, pattern := range []*lazyregexp.Regexp{index, direct, piped} {
		for _, m := range pattern.FindAllStringSubmatch(text, lex.MaxClaims) {
			for _, name := range m[1:] {
				if host := hostname.Canonical(name); host != "" && strings.Contains(host, ".") && !hostname.IsPackageSource(host) {
					found = append(found, Source{host, i == 0})
				}
			}
		}
	}
	return found
}
