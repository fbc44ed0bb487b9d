package paths

import (
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Find returns the absolute paths in a value: the value as a whole, and every
// word in it that looks like a path ("cat ~/.ssh/config").
func Find(value, home string, bases []string) []string {
	if value == "" || len(value) > lex.MaxValue {
		return nil
	}
	var out []string
	add := func(s string, bases []string) {
		if s = Expand(s, home); s == "" || len(s) > lex.MaxPath || strings.ContainsRune(s, 0) {
			return
		}
		s = CutPattern(s)
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
		if len(out) >= lex.MaxClaims {
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

// Expand undoes the ways of writing a path that are not one.
func Expand(s, home string) string {
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

// CutPattern ends a path before the first part with a wildcard in it.
func CutPattern(s string) string {
	i := strings.IndexAny(s, "*?[{")
	if i < 0 {
		return s
	}
	return s[:strings.LastIndex(s[:i], "/")+1]
}

// Under reports whether p lies below dir.
func Under(p, dir string) bool {
	if dir == "/" {
		return p != "/" && strings.HasPrefix(p, "/")
	}
	return len(p) > len(dir) && p[len(dir)] == '/' && strings.HasPrefix(p, dir) && dir != ""
}

// Absolute is a path as seen from a directory.
func Absolute(p, base string) string {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p)
	}
	return path.Join(base, p)
}

// TemporaryEntry is the entry of a temporary folder that p lies in, or "".
func TemporaryEntry(p string) string {
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
		if Under(p, dir) {
			top, _, _ := strings.Cut(p[len(dir)+1:], "/")
			return dir + "/" + top
		}
	}
	return ""
}

// IsSystem reports whether a program or script at p belongs to the system,
// which the server's user cannot write to.
func IsSystem(p string) bool {
	for _, dir := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", mcpsf.FakeProgramDir} {
		if Under(p, dir) {
			return true
		}
	}
	return false
}
