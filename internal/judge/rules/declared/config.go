package declared

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/mail"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Claim is a path that an argument or the configuration names.
type Claim struct {
	Path string
	// Source says, for people, where the path was named.
	Source string
	By     mcpsf.Explainer
	// ByServer is set when the server itself proposed the value.
	ByServer bool
}

// Config is the part of the user's configuration that can explain accesses.
type Config struct {
	env []string
	// Claims are the paths in the command line and the environment. Folders are
	// those that contain the whole home. addresses are the mail addresses.
	Claims    []Claim
	Folders   []string
	Addresses map[string]bool
}

func newConfig(scope Scope) Config {
	return Config{env: scope.Env, Claims: configClaims(scope), Folders: givenHome(scope), Addresses: configuredAddresses(scope)}
}

// Sets tells whether the user has set a variable.
func (c *Config) Sets(variable string) bool {
	return slices.ContainsFunc(c.env, func(kv string) bool { return strings.HasPrefix(kv, variable+"=") })
}

// configClaims returns the paths in the command line and the environment.
func configClaims(scope Scope) []Claim {
	var out []Claim
	add := func(value, source string) {
		for _, p := range paths.Find(value, scope.Home, []string{scope.WorkDir}) {
			if len(out) < lex.MaxClaims {
				out = append(out, Claim{Path: p, Source: source, By: mcpsf.ByConfiguration})
			}
		}
	}
	for _, arg := range scope.Command {
		add(arg, "the command line")
		if _, value, ok := strings.Cut(arg, "="); ok {
			add(value, "the command line")
		}
	}
	for _, kv := range scope.Env {
		key, value, _ := strings.Cut(kv, "=")
		if ambient(key) {
			continue
		}
		for part := range strings.SplitSeq(value, ":") {
			add(part, "the variable "+quote.Text(key))
		}
		add(value, "the variable "+quote.Text(key))
	}
	return out
}

// ambient tells whether a variable exists on every machine (such as HOME), so
// that its value does not count as a choice of the user.
func ambient(key string) bool {
	switch key {
	case "HOME", "PWD", "OLDPWD", "PATH", "USER", "SHELL":
		return true
	}
	return false
}

// givenHome returns the configured folders that contain the whole home
// directory. Only a value that is exactly such a folder counts, not any text
// with a slash in it.
func givenHome(scope Scope) []string {
	var out []string
	add := func(value string) {
		if len(out) >= lex.MaxClaims || value == "" || len(value) > lex.MaxPath {
			return
		}
		dir := paths.Absolute(paths.CutPattern(paths.Expand(value, scope.Home)), scope.WorkDir)
		if dir == scope.Home || paths.Under(scope.Home, dir) {
			out = append(out, dir)
		}
	}
	for _, arg := range scope.Command[min(1, len(scope.Command)):] {
		add(arg)
		if _, value, ok := strings.Cut(arg, "="); ok {
			add(value)
		}
	}
	for _, kv := range scope.Env {
		key, value, _ := strings.Cut(kv, "=")
		if ambient(key) {
			continue
		}
		for part := range strings.SplitSeq(value, ":") {
			add(part)
		}
	}
	return out
}

// configuredAddresses returns the mail addresses in the user's configuration.
func configuredAddresses(scope Scope) map[string]bool {
	out := map[string]bool{}
	for _, s := range slices.Concat(scope.Command, scope.Env) {
		for _, address := range mail.Addresses(s) {
			out[address] = true
		}
	}
	return out
}
