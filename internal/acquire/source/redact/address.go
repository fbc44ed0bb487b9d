package redact

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// addressForm matches a URL, or a connection string in URL form.
var addressForm = lazyregexp.New(`^(?:[a-zA-Z]{2,10}:)?([a-zA-Z][a-zA-Z0-9+.-]{1,20})://\S*$`)

// isAddress reports whether value is a URL. Under a secret's name, only URLs
// with a well-known scheme count.
func isAddress(name, value string) bool {
	m := addressForm.FindStringSubmatch(value)
	return m != nil && (trust(name) != nameSecret || slices.Contains([]string{
		"http", "https", "ws", "wss", "postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss", "amqp", "amqps",
		"sqlserver", "mssql", "oracle", "clickhouse", "libsql", "sqlite", "neo4j", "bolt", "nats", "kafka", "smtp", "smtps", "ldap", "ldaps", "ssh",
	}, strings.ToLower(m[1])))
}

// schemeStart matches the beginning of a URL, in a text that may have several.
var schemeStart = lazyregexp.New(`[a-zA-Z][a-zA-Z0-9+.-]{1,20}://`)

// address keeps scheme and host and replaces the password, and whatever of
// user, path and query is not made of words. What follows another scheme is a
// URL of its own.
func (d *Values) address(name, value string, depth int) string {
	found := schemeStart.FindAllStringIndex(value, -1)
	found = slices.DeleteFunc(found, func(at []int) bool {
		// A password can look like the beginning of a URL.
		return at[0] > found[0][0] && !strings.ContainsAny(value[at[0]-1:at[0]], ",;|=/?&#(")
	})
	out := value[:found[0][0]]
	for i, at := range found {
		end := len(value)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		scheme := value[at[0]:at[1]]
		out += scheme + d.afterScheme(name, strings.ToLower(scheme), value[at[1]:end], depth)
	}
	return out
}

func (d *Values) afterScheme(name, scheme, rest string, depth int) string {
	userinfo, rest := splitUserinfo(rest)
	out := ""
	if userinfo != "" {
		out = d.userinfo(name, userinfo) + "@"
	}
	end := strings.IndexAny(rest, "/?#&;")
	if end < 0 {
		return out + rest
	}
	if scheme == "file://" || strings.HasPrefix(scheme, "sqlite") {
		path, _, _ := strings.Cut(rest, "?")
		end = len(path)
	}
	return out + rest[:end] + d.pieces(name, rest[end:], depth)
}

// splitUserinfo finds the end of user and password even if the password has
// invalid characters.
func splitUserinfo(rest string) (userinfo, host string) {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	at := -1
	_, port, hasPort := strings.Cut(authority, ":")
	switch {
	case strings.Contains(authority, "@"):
		at = len(authority[:strings.LastIndexByte(authority, '@')])
		path, _, _ := strings.Cut(rest[at:], "?")
		at += strings.LastIndexByte(path, '@')
	case hasPort && strings.Trim(port, "0123456789") != "":
		at = strings.LastIndexByte(rest, '@') // none for several hosts
	}
	if at < 0 {
		return "", rest
	}
	return rest[:at], rest[at+1:]
}

func (d *Values) userinfo(name, userinfo string) string {
	user, password, ok := strings.Cut(userinfo, ":")
	if !isPlain("user", user) || reveals(user, password) {
		user = d.mint(name+" user", user)
	}
	if !ok {
		return user
	}
	return user + ":" + d.mint(name, password)
}

// reveals reports whether a user name contains part of the password.
func reveals(user, password string) bool {
	return user == password || len(user) >= survivor && survives(user, password)
}

// pieces handles path, query and fragment piece by piece.
func (d *Values) pieces(name, tail string, depth int) string {
	var b strings.Builder
	for tail != "" {
		end := strings.IndexAny(tail, "/?#&;,")
		switch {
		case end == 0:
			b.WriteByte(tail[0])
			tail = tail[1:]
			continue
		case end < 0:
			end = len(tail)
		}
		piece := tail[:end]
		tail = tail[end:]
		key, value, isPair := strings.Cut(piece, "=")
		switch {
		case isPair && PlainWords(key):
			b.WriteString(key + "=" + d.text(key, value, depth+1))
		case PlainWords(piece):
			b.WriteString(piece)
		default:
			b.WriteString(d.mint(name, piece))
		}
	}
	return b.String()
}

// assignment is a part of a text of the form KEY=VALUE, and what follows it.
type assignment struct{ key, value, after string }

var assignmentForm = lazyregexp.New(`^\s*([A-Za-z][A-Za-z0-9_. -]{0,40}?)\s*=`)

// assignments splits a connection string, a cookie or a list of settings. A
// value under a secret's name is not split: its parts would be taken for keys.
func assignments(name, value string) []assignment {
	if !strings.Contains(value, "=") || trust(name) != nameNeutral && !mayHoldMany(name) {
		return nil
	}
	var parts []assignment
	for value != "" {
		m := assignmentForm.FindString(value)
		if m == "" || !PlainWords(m) || len(parts) == document.MaxWords {
			return nil
		}
		rest := value[len(m):]
		end := strings.IndexAny(rest, ";&\n")
		if end < 0 {
			end = nextAssignment(rest)
		}
		after := ""
		if end < len(rest) {
			after = rest[end : end+1]
		}
		if rest[:end] == "" || strings.HasPrefix(rest, "=") {
			return nil
		}
		parts = append(parts, assignment{key: m, value: rest[:end], after: after})
		value = rest[end+len(after):]
	}
	return parts
}

// nextAssignment finds where the next KEY= begins after a blank or a comma.
func nextAssignment(rest string) int {
	for i, r := range rest {
		if (r == ' ' || r == ',') && assignmentStart.MatchString(rest[i+1:]) {
			return i
		}
	}
	return len(rest)
}

// IsAssignment reports whether a text begins with NAME=.
func IsAssignment(s string) bool { return assignmentStart.MatchString(s) }

var assignmentStart = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_.-]{0,40}=`)

func mayHoldMany(name string) bool {
	for _, w := range nameWords(name) {
		switch w {
		case "dsn", "conn", "connection", "cookie", "cookies", "credentials", "config", "database", "header", "headers":
			return true
		}
	}
	return false
}

func (d *Values) assigned(name string, parts []assignment, depth int) string {
	var b strings.Builder
	for _, p := range parts {
		key := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(p.key), "="))
		if trust(name) != nameNeutral {
			key = name + "." + key
		}
		b.WriteString(p.key + d.text(key, p.value, depth+1) + p.after)
	}
	return b.String()
}
