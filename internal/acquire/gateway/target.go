package gateway

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

type targetKind int

const (
	targetPing targetKind = iota
	targetPackument
	targetTarball // at the path that every npm registry uses, for lock files
	targetProject
	targetNPMFile
	targetPyPIFile
)

// npmLocked is where a registry of npm begins that has the locked versions alone.
const npmLocked = "npm-locked"

// target is what a path names. All parts are checked against the rules for
// package names, so that nothing in it can change the meaning of a URL.
type target struct {
	kind targetKind
	// name is "name" or "@scope/name" for npm, normalised for PyPI.
	name    string
	version string
	// locked asks for the locked versions alone.
	locked bool
	file   string
	token  string
}

// scope is "@x" or "".
func (t *target) scope() string {
	scope, _, ok := strings.Cut(t.name, "/")
	if !ok {
		return ""
	}
	return scope
}

// no gap: beyond it the package manager gets an error, which is recorded
const maxPath = 6 << 10

var (
	npmName     = lazyregexp.New(`^(?:@[A-Za-z0-9_~-][A-Za-z0-9._~-]*/[A-Za-z0-9_~-]|[A-Za-z0-9~-])[A-Za-z0-9._~-]*$`)
	npmVersion  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$`)
	npmFile     = lazyregexp.New(`^[A-Za-z0-9_~-][A-Za-z0-9._~+-]{0,250}\.tgz$`)
	projectName = lazyregexp.New(`^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9])?$`)
	projectFile = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9._+!~-]{0,250}$`)
	tokenText   = lazyregexp.New(`^[A-Za-z0-9_-]+$`)
	separators  = lazyregexp.New(`[-_.]+`)
)

// parseTarget parses the path of a request as sent.
func parseTarget(uri string) (*target, error) {
	if len(uri) > maxPath {
		return nil, refuse(http.StatusRequestURITooLong, "the path is too long")
	}
	if strings.ContainsAny(uri, "?#") {
		return nil, refuse(http.StatusNotFound, "no package has a query in its path")
	}
	parts := strings.Split(strings.TrimPrefix(uri, "/"), "/")
	for i, part := range parts {
		text, err := url.PathUnescape(part)
		if err != nil || text == "." || text == ".." {
			return nil, refuse(http.StatusNotFound, "no package has such a path")
		}
		parts[i] = text
	}
	switch first, rest := parts[0], parts[1:]; first {
	case "npm", npmLocked:
		// npm keeps the path of the registry when it replaces hosts.
		if len(rest) > 0 && rest[0] == "npm-files" {
			return parseToken(targetNPMFile, rest[1:])
		}
		t, err := parseNPM(rest)
		if err == nil {
			t.locked = first == npmLocked
		}
		return t, err
	case "pypi":
		return parseProject(rest)
	case "npm-files":
		return parseToken(targetNPMFile, rest)
	case "pypi-files":
		return parseToken(targetPyPIFile, rest)
	default:
		// Older versions of npm drop the path of the registry when they follow
		// a lock file.
		t, err := parseNPM(parts)
		if err != nil || t.kind != targetTarball {
			return nil, unknown()
		}
		return t, nil
	}
}

func parseNPM(parts []string) (*target, error) {
	if len(parts) > 1 && strings.HasPrefix(parts[0], "@") && !strings.Contains(parts[0], "/") {
		parts = append([]string{parts[0] + "/" + parts[1]}, parts[2:]...)
	}
	if len(parts) > 1 && parts[0] == "-" {
		if len(parts) == 2 && parts[1] == "ping" {
			return &target{kind: targetPing}, nil
		}
		return nil, refuse(http.StatusNotFound, "of the registry only packages can be had")
	}
	if len(parts) == 0 || len(parts[0]) > 214 || !npmName.MatchString(parts[0]) {
		return nil, unknown()
	}
	t := &target{kind: targetPackument, name: parts[0]}
	switch {
	case len(parts) == 1:
		return t, nil
	case len(parts) == 2 && npmVersion.MatchString(parts[1]):
		t.version = parts[1]
		return t, nil
	case len(parts) == 3 && parts[1] == "-" && npmFile.MatchString(parts[2]):
		t.kind, t.file = targetTarball, parts[2]
		return t, nil
	}
	return nil, unknown()
}

// parseProject expects "simple", the name, and nothing or a slash after it.
func parseProject(parts []string) (*target, error) {
	if len(parts) == 3 && parts[2] == "" {
		parts = parts[:2]
	}
	if len(parts) != 2 || parts[0] != "simple" || !projectName.MatchString(parts[1]) {
		return nil, unknown()
	}
	return &target{kind: targetProject, name: strings.ToLower(separators.ReplaceAllString(parts[1], "-"))}, nil
}

func parseToken(kind targetKind, parts []string) (*target, error) {
	if len(parts) != 2 || !tokenText.MatchString(parts[0]) || !projectFile.MatchString(parts[1]) {
		return nil, unknown()
	}
	return &target{kind: kind, token: parts[0], file: parts[1]}, nil
}
