package entry

import (
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var address = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]{0,40})://(?:([^/?#\s]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$`)

// url fills the placeholders of a URL. Scheme, host and path are kept if given;
// user and password are always fake.
func (f filler) url(name, value string) string {
	m := address.FindStringSubmatch(value)
	if m == nil {
		return f.embedded(name, value)
	}
	scheme, user, host, rest, query, fragment := strings.ToLower(m[1]), m[2], m[3], m[4], m[5], m[6]
	if isFileScheme(scheme) && host == "" && rest != "" && !strings.HasPrefix(rest, "/:memory:") {
		return scheme + "://" + f.filePath(scheme, rest)
	}
	if user != "" {
		user = f.login(name, user) + "@"
	}
	return scheme + "://" + user + fillHost(scheme, host) + fillPath(rest) + f.query(query) + fragment
}

func isFileScheme(scheme string) bool {
	return scheme == "file" || strings.HasPrefix(scheme, "sqlite") || scheme == "duckdb"
}

// filePath keeps the extra slash of SQLite URLs.
func (f filler) filePath(scheme, rest string) string {
	place := f.place(words(scheme), rest)
	if f.isPlace(rest) || f.isPlace(strings.TrimPrefix(rest, "/")) {
		return rest
	}
	if strings.HasPrefix(rest, "//") {
		return "/" + place
	}
	return place
}

func (f filler) login(name, user string) string {
	user, password, ok := strings.Cut(user, ":")
	secret := variable(append(words(name), "password"))
	if blank.MatchString(user) || user == "" && !ok {
		user = "app"
	}
	if !ok {
		return user
	}
	if password == "" {
		return user + ":"
	}
	return user + ":" + url.QueryEscape(f.credential(secret, ""))
}

// fillHost replaces the placeholders in a host by a reserved name.
func fillHost(scheme, host string) string {
	name, port, hasPort := strings.Cut(host, ":")
	if strings.HasPrefix(host, "[") && !blank.MatchString(host) {
		return host
	}
	web := scheme == "http" || scheme == "https"
	filled := blank.ReplaceAllLiteralString(name, "acme-example")
	switch {
	case !web && (name == "host" || name == "hostname" || name == "server" || filled == "acme-example"):
		name = "localhost"
	case filled == name:
	case strings.Count(filled, ".") < 2: // a name that somebody may own
		name = "service.example"
	default:
		name = filled
	}
	if !hasPort {
		return name
	}
	if blank.MatchString(port) || port == "port" || port == "PORT" {
		port = defaultPort(scheme)
	}
	return name + ":" + port
}

func defaultPort(scheme string) string {
	base, _, _ := strings.Cut(scheme, "+")
	switch base {
	case "postgres", "postgresql":
		return "5432"
	case "mysql", "mariadb":
		return "3306"
	case "mongodb":
		return "27017"
	case "redis", "rediss":
		return "6379"
	case "https":
		return "443"
	}
	return "8080"
}

func fillPath(rest string) string { return blank.ReplaceAllLiteralString(rest, "app") }

func (f filler) query(query string) string {
	if query == "" {
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(query[1:], "&") {
		key, value, ok := strings.Cut(part, "=")
		if ok && (blank.MatchString(value) || isSecretName(words(key)) && !isPlain(value)) {
			value = url.QueryEscape(f.credential(variable(words(key)), value))
		}
		if ok {
			key += "=" + value
		}
		parts = append(parts, key)
	}
	return "?" + strings.Join(parts, "&")
}
