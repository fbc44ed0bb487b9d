package declared

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Variable returns who explains that the server reads an environment variable:
// the user set it or another variable of the same service, the package's name is
// that of the service, or the documentation mentions it. What the server says of
// itself at run time does not count.
func (d *Declaration) Variable(name string) By {
	words := serviceWords(name)
	switch {
	case d.Config.Sets(name), d.Config.setsFor(words):
		return ByConfiguration
	case d.Purpose.services() <= maxServices && slices.ContainsFunc(words, func(w string) bool { return d.Purpose.words[w] }):
		return ByName
	case slices.Contains(d.Scope.Variables, name), d.described(words):
		return ByDocument
	}
	return ByNobody
}

// described tells whether the package's description names the service.
func (d *Declaration) described(words []string) bool {
	said := lex.NameWords(d.Scope.Description)
	return slices.ContainsFunc(words, func(w string) bool { return said[w] })
}

// setsFor tells whether the user has set a variable of one of the services.
func (c *Config) setsFor(words []string) bool {
	return slices.ContainsFunc(c.env, func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return !ambient(key) && slices.ContainsFunc(lex.Words(key), func(w string) bool { return slices.Contains(words, w) })
	})
}

// serviceWords returns the words that name the service of a variable:
// AWS_SECRET_ACCESS_KEY is explained by "s3".
func serviceWords(variable string) []string {
	var words []string
	for _, word := range lex.Words(variable) {
		if ordinary(word) {
			continue
		}
		words = append(words, word)
		for _, s := range known().Services {
			if slices.Contains(s.Words, word) {
				words = append(words, s.Words...)
			}
		}
	}
	return words
}

// Serves tells whether a host belongs to the service of a planted variable. Only
// well-known services count, with domains that nobody else can have: whoever reads
// the variable can register a domain that is called like it.
func Serves(variable, host string) bool {
	return slices.ContainsFunc(lex.Words(variable), func(word string) bool {
		return !ordinary(word) && slices.ContainsFunc(known().Services, func(s service) bool {
			return slices.Contains(s.Words, word) && hostname.OwnedBy(host, s.Domains)
		})
	})
}
