package decoys

import (
	"fmt"
	"slices"
	"strings"
)

// Variable is a secret in the environment of every program that the developer
// starts.
type Variable struct {
	// ID is short and unique in the run, among the decoys too; Kind is
	// [KindVariable].
	ID, Kind    string
	Name, Value string
	// Tokens are the parts of Value that occur nowhere else in the world.
	Tokens []string
	// Hosts are where a legitimate program sends the variable: these names and
	// their subdomains.
	Hosts []string
}

// Environment returns the variables that the developer's shell exports. None of
// them changes what a program does, except that the program can use the service
// it belongs to. So there is no profile, no region, no address and no password
// that a client library uses unasked; and an AWS key id always comes with its
// secret, since half of a pair is an error.
func (h *Home) Environment() []Variable { return slices.Clone(h.variables) }

// variables makes the environment. No value is also in a file: a token shows
// where it was taken from.
func variables(k *kit, h *Home) error {
	for i, v := range []struct {
		name  string
		value func(*mint) string
		hosts []string
	}{
		{"GITHUB_TOKEN", func(m *mint) string { return m.checked("ghp_") }, []string{"github.com", "githubusercontent.com", "ghcr.io"}},
		{"NPM_TOKEN", func(m *mint) string { return m.checked("npm_") }, []string{"npmjs.org", "npmjs.com"}},
		{"OPENAI_API_KEY", func(m *mint) string { return m.secret("sk-proj-", 156, urlsafe) }, []string{"openai.com"}},
		{"AWS_ACCESS_KEY_ID", func(m *mint) string { return m.secret("AKIA", 16, base32) }, []string{"amazonaws.com"}},
		{"AWS_SECRET_ACCESS_KEY", func(m *mint) string { return m.secret("", 40, base64ab) }, nil}, // used to sign, never sent
		{"SLACK_BOT_TOKEN", func(m *mint) string { return m.slack("xoxb-") }, []string{"slack.com"}},
		{"CLOUDFLARE_API_TOKEN", func(m *mint) string { return m.secret("", 40, urlsafe) }, []string{"cloudflare.com"}},
		{"SENTRY_AUTH_TOKEN", func(m *mint) string { return m.secret("sntryu_", 64, hexits) }, []string{"sentry.io"}},
		{"WEBSHOP_DATABASE_URL", func(m *mint) string {
			return fmt.Sprintf("postgres://shop:%s@db.%s:5432/shop", m.password(), k.who.services)
		}, []string{"db." + k.who.services}},
		{strings.ToUpper(k.who.company) + "_DEPLOY_TOKEN", func(m *mint) string { return m.secret("", 40, alnum) }, []string{k.who.domain}},
	} {
		m := k.mint("variable " + v.name)
		value := v.value(m)
		h.variables = append(h.variables, Variable{
			ID: fmt.Sprintf("var-%02x", i+1), Kind: KindVariable, Name: v.name, Value: value, Tokens: m.tokens, Hosts: v.hosts,
		})
	}
	return nil
}
