package rules

import (
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds on what is taken from arguments and listings.
const (
	maxClaims = 256
	maxParams = 1 << 20
	maxValue  = 64 << 10
	maxDepth  = 64
	maxPath   = 4096
	maxListed = 10_000
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

// claims are the paths in the arguments of a call. A relative one counts
// from the work directory and from every directory of the configuration.
func (r *run) claims(c *call) []claim {
	if c.claims != nil {
		return *c.claims
	}
	bases := []string{r.scope.WorkDir}
	for _, b := range r.config[:min(len(r.config), 16)] {
		bases = append(bases, b.path)
	}
	proposed := r.proposals(c)
	var out []claim
	for _, a := range c.each() {
		if len(out) >= maxClaims {
			break
		}
		byServer := proposed(a.value)
		for _, p := range pathsIn(a.value, r.scope.Home, bases) {
			out = append(out, claim{path: p, source: "the argument " + quote(a.name), by: mcpsf.ByArgument, byServer: byServer})
		}
	}
	out = out[:min(len(out), maxClaims)]
	c.claims = &out
	return out
}

// proposals returns a test for values that the server put into our mouth.
func (r *run) proposals(c *call) func(string) bool {
	if c.tool == "" {
		return r.listed.has
	}
	said, known := r.said[c.tool]
	if !known {
		for s := range stringsIn(r.scope.Tools[c.tool].InputSchema) {
			said = append(said, plainPattern(s))
		}
		r.said[c.tool] = said
	}
	return func(value string) bool {
		value = plainPattern(value)
		for _, s := range said {
			if value != "" && strings.Contains(s, value) {
				return true
			}
		}
		return false
	}
}

// plainPattern drops the signs of regular expressions, so that a value made
// to fit `^/home/[.]ssh$` is recognised in it.
func plainPattern(s string) string {
	const signs = `\^$[](){}?*+|`
	if !strings.ContainsAny(s, signs) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(signs, r) {
			return -1
		}
		return r
	}, s)
}

// listed are the resource addresses the server offered.
type listed struct {
	uris map[string]bool
	// cut is set when a listing was too long to be kept whole: then any
	// address may have been in it.
	cut bool
}

func (l *listed) add(d *mcpsf.MCPDetail) {
	if l.uris == nil {
		l.uris = map[string]bool{}
	}
	l.cut = l.cut || d.Truncated || len(d.Body) > maxParams
	for s := range stringsIn(d.Body) {
		if len(l.uris) >= maxListed {
			l.cut = true
			return
		}
		l.uris[s] = true
	}
}

func (l *listed) has(uri string) bool { return l.cut || l.uris[uri] }

// pathsIn returns the absolute paths a value names: the value as a whole, and
// every word in it that looks like a path ("cat ~/.ssh/config").
func pathsIn(value, home string, bases []string) []string {
	if value == "" || len(value) > maxValue {
		return nil
	}
	var out []string
	add := func(s string, bases []string) {
		if s = expand(s, home); s == "" || len(s) > maxPath || strings.ContainsRune(s, 0) {
			return
		}
		s = cutPattern(s)
		if strings.HasPrefix(s, "/") {
			out = append(out, path.Clean(s))
			return
		}
		for _, b := range bases {
			out = append(out, path.Join(b, s))
		}
	}
	add(value, bases)
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;|&<>()=,", r) })
	for _, w := range words {
		if len(out) >= maxClaims {
			break
		}
		if w != value && looksLikePath(w) {
			add(w, bases[:1])
		}
	}
	return out
}

func looksLikePath(w string) bool {
	for _, prefix := range []string{"/", "~/", "./", "../", "file:", "$HOME/", "${HOME}/"} {
		if strings.HasPrefix(w, prefix) {
			return true
		}
	}
	return false
}

// expand undoes the ways of writing a path that are not one.
func expand(s, home string) string {
	if strings.HasPrefix(s, "file:") {
		u, err := url.Parse(s)
		if err != nil {
			return ""
		}
		return u.Path
	}
	for _, prefix := range []string{"~", "$HOME", "${HOME}"} {
		if s == prefix {
			return home
		}
		if rest, ok := strings.CutPrefix(s, prefix+"/"); ok {
			return home + "/" + rest
		}
	}
	return s
}

// cutPattern ends a path before the first part with a wildcard in it.
func cutPattern(s string) string {
	i := strings.IndexAny(s, "*?[{")
	if i < 0 {
		return s
	}
	return s[:strings.LastIndex(s[:i], "/")+1]
}
