package entry

import (
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// The limits on the source that is read.
// no gap: bounds how ways to start the server are found; a server that does not start gets no PASS
const (
	maxSourceFiles = 400
	maxSourceFile  = 1 << 20
	maxSource      = 16 << 20
)

// Wanted lists the credential variables that a package's own source reads
// without a default, in order of appearance. Dependencies (node_modules and the
// like) are not searched.
func Wanted(fsys fs.FS) []Var {
	s := scan{seen: map[string]bool{}}
	Sources(fsys, func(text string) bool {
		s.text(text)
		return len(s.vars) < maxVars
	})
	return s.vars
}

// Sources passes the files of a package's own source, as far as they are worth
// reading, to each until it returns false.
func Sources(fsys fs.FS, each func(text string) bool) {
	files, left := 0, int64(maxSource)
	// An unreadable part of the tree does not matter for the rest.
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil //nolint:nilerr // see above
		case files == maxSourceFiles || left <= 0:
			return fs.SkipAll
		case d.IsDir() && name != "." && foreign(d.Name(), name):
			return fs.SkipDir
		case d.Type().IsRegular() && isSource(name):
			files++
			text := readSource(fsys, name, min(maxSourceFile, left))
			left -= int64(len(text))
			if !each(text) {
				return fs.SkipAll
			}
		}
		return nil
	})
}

func readSource(fsys fs.FS, name string, limit int64) string {
	f, err := fsys.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	var text strings.Builder
	// What was read before a failure is used.
	_, _ = io.Copy(&text, io.LimitReader(f, limit))
	return text.String()
}

type scan struct {
	vars []Var
	seen map[string]bool
}

func foreign(base, full string) bool {
	switch base {
	case "node_modules", "site-packages", "vendor", "test", "tests", "__tests__", "__pycache__", "docs", "examples", "coverage", "fixtures":
		return true
	}
	return strings.HasPrefix(base, ".") || strings.Count(full, "/") > 12
}

func isSource(name string) bool {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".py":
		return !strings.Contains(path.Base(name), ".test.")
	case ".ts", ".mts":
		return !strings.Contains(path.Base(name), ".d.") && !strings.Contains(path.Base(name), ".test.")
	}
	return false
}

// The ways to read a variable. The last group is a default that is not empty.
var (
	envReads = lazyregexp.New(`(?:process\.env|\benv|os\.environ|Bun\.env)(?:\.|\??\.?\[\s*["'])([A-Z][A-Z0-9_]{2,63})(?:["']\s*\])?(\s*(?:\|\||\?\?)\s*["'\x60][^"'\x60\s])?` +
		`|(?:getenv|environ\.get|env\.get)\(\s*["']([A-Z][A-Z0-9_]{2,63})["']\s*(,\s*["'][^"'\s])?`)
	envUnpack = lazyregexp.New(`(?:const|let|var)\s*\{([^{}]{1,900})\}\s*=\s*process\.env\b`)
	envName   = lazyregexp.New(`[A-Z][A-Z0-9_]{2,63}`)
)

// text searches around each "env", which all ways to read a variable contain,
// because the expressions are too slow for whole bundles.
func (s *scan) text(text string) {
	// no gap: bounds how ways to start the server are found; a server that does not start gets no PASS
	const most, before, after = 5000, 16, 160
	for at, n := 0, 0; n < most; n++ {
		i := strings.Index(text[at:], "env")
		if i < 0 {
			break
		}
		i += at
		at = i + 3
		m := envReads.FindStringSubmatch(text[max(0, i-before):min(len(text), i+after)])
		if m != nil && m[2] == "" && m[4] == "" {
			s.add(m[1] + m[3])
		}
	}
	if !strings.Contains(text, "process.env") {
		return
	}
	for _, m := range envUnpack.FindAllStringSubmatch(text, 100) {
		for _, name := range envName.FindAllString(m[1], 100) {
			s.add(name)
		}
	}
}

func (s *scan) add(name string) {
	if len(s.vars) < maxVars && !s.seen[name] && isWanted(name) {
		s.seen[name] = true
		s.vars = append(s.vars, Var{Name: name})
	}
}

// isWanted reports whether an account or a service provides the variable's
// value, and it does not only change how the server works.
func isWanted(name string) bool {
	nameWords := words(name)
	if len(nameWords) == 0 || anyOf(nameWords, "proxy", "path", "file", "dir", "directory", "otel", "npm", "webhook", "callback", "redirect",
		"public", "enable", "enabled", "disable", "disabled", "timeout", "ttl", "max", "min", "limit") {
		return false
	}
	switch nameWords[0] {
	case "node", "mcp", "ci", "vitest", "jest", "vscode", "xdg", "debug", "fastmcp", "server", "term", "ssh", "dbus", "wsl",
		"kubernetes", "container", "docker", "gitpod", "codespaces", "jenkins", "vercel", "netlify", "lambda", "xcode":
		return false
	}
	if isSecretName(nameWords) {
		return true
	}
	return len(nameWords) > 1 && anyOf(nameWords[len(nameWords)-1:], "url", "uri", "endpoint", "id", "sid", "account", "username", "user", "email", "login",
		"domain", "subdomain", "site", "tenant", "org", "organization", "instance", "host", "hostname", "region", "workspace", "slug")
}

// isSecretName reports whether the words name a secret. The last word decides.
func isSecretName(nameWords []string) bool {
	if len(nameWords) == 0 {
		return false
	}
	switch nameWords[len(nameWords)-1] {
	case "token", "key", "secret", "password", "passwd", "pwd", "pass", "credential", "credentials", "dsn", "pat",
		"apikey", "passphrase", "apitoken", "authtoken", "bearer", "accesskey", "secretkey", "jwt", "cookie":
		return variable(nameWords) != "GOOGLE_APPLICATION_CREDENTIALS"
	case "id":
		return anyOf(nameWords, "key") // the public half of an access key
	case "string":
		return anyOf(nameWords, "connection")
	}
	return false
}
