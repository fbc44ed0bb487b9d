package rules

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// claim is a path that somebody named.
type claim struct {
	path string
	// source says who, for humans.
	source string
	by     mcpsf.Explainer
	// byServer is set when the value was proposed by the server itself.
	byServer bool
}

// config is what the user configured, as far as it explains something.
type config struct {
	env []string
	// claims are the paths in the command line and the environment, folders
	// those that are the home or above it, addresses the mail addresses.
	claims    []claim
	folders   []string
	addresses map[string]bool
}

func newConfig(scope Scope) config {
	return config{env: scope.Env, claims: configClaims(scope), folders: givenHome(scope), addresses: configuredAddresses(scope)}
}

// sets tells whether the user has set a variable.
func (c *config) sets(variable string) bool {
	return slices.ContainsFunc(c.env, func(kv string) bool { return strings.HasPrefix(kv, variable+"=") })
}

// configClaims are the paths in the command line and the environment.
func configClaims(scope Scope) []claim {
	var out []claim
	add := func(value, source string) {
		for _, p := range pathsIn(value, scope.Home, []string{scope.WorkDir}) {
			if len(out) < maxClaims {
				out = append(out, claim{path: p, source: source, by: mcpsf.ByConfiguration})
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
			add(part, "the variable "+quote(key))
		}
		add(value, "the variable "+quote(key))
	}
	return out
}

// ambient knows the variables that are true on every machine and thus name
// nothing.
func ambient(key string) bool {
	switch key {
	case "HOME", "PWD", "OLDPWD", "PATH", "USER", "SHELL":
		return true
	}
	return false
}

// givenHome returns the folders of the configuration that hold the whole home
// directory. Only a value that is the folder counts, not a text with a slash
// in it.
func givenHome(scope Scope) []string {
	var out []string
	add := func(value string) {
		if len(out) >= maxClaims || value == "" || len(value) > maxPath {
			return
		}
		dir := absolute(cutPattern(expand(value, scope.Home)), scope.WorkDir)
		if dir == scope.Home || under(scope.Home, dir) {
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

// configuredAddresses are the mail addresses in the user's configuration.
func configuredAddresses(scope Scope) map[string]bool {
	out := map[string]bool{}
	for _, s := range slices.Concat(scope.Command, scope.Env) {
		for _, address := range addressesIn(s) {
			out[address] = true
		}
	}
	return out
}
