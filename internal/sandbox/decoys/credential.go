package decoys

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Credential makes a value for a variable that a server wants set: by the
// variable's name a token, a password, an address or an id in the format of the
// real thing, or one shaped like the example where that is more specific. The
// same seed and name give the same value; other runs and other variables have
// other ones.
//
// Token is the part of value that occurs nowhere else in the world, "" where
// the value is no secret. No value belongs to anybody: the hosts are reserved
// ones, and the random parts were never issued.
func Credential(seed uint64, name, example string) (value, token string) {
	const longest = 512
	name, example = name[:min(len(name), longest)], example[:min(len(example), longest)]
	said := nameWords(name)
	k := newKit(seed, time.Time{})
	m := &order{mint: k.mint("credential " + strings.Join(said, "_")), who: k.who.at("example"), said: said, example: example}
	value = m.value()
	if len(m.tokens) > 0 {
		token = m.tokens[0]
	}
	return value, token
}

// order is a request for one credential.
type order struct {
	*mint
	who     persona
	said    []string // the words of the variable's name, upper case
	example string
}

// value tries the most specific source first: a connection string, a setting
// that is no secret, the example's own format, the service's format.
func (o *order) value() string {
	for _, try := range []func() string{o.connection, o.setting, o.byExample, o.byService} {
		if value := try(); value != "" {
			return value
		}
	}
	return o.generic()
}

// nameWords splits a name such as GITHUB_TOKEN, api-key or apiKey.
func nameWords(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteByte(c)
	}
	return strings.FieldsFunc(strings.ToUpper(b.String()), func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	})
}

// has reports whether the name contains one of the words.
func (o *order) has(list ...string) bool {
	return slices.ContainsFunc(o.said, func(w string) bool { return slices.Contains(list, w) })
}

// ends reports whether the name ends with one of the words.
func (o *order) ends(list ...string) bool {
	return len(o.said) > 0 && slices.Contains(list, o.said[len(o.said)-1])
}

// connection makes connection strings. Only the password is a secret.
func (o *order) connection() string {
	scheme, _, hasScheme := strings.Cut(o.example, "://")
	database := hasScheme && databaseScheme(scheme)
	named := o.ends("DSN", "URL", "URI", "STRING", "CONNECTION") &&
		o.has("DATABASE", "DB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL", "MARIADB", "MONGO", "MONGODB", "REDIS", "CONNECTION", "DSN", "AMQP", "RABBITMQ", "NEO4J", "BOLT", "SQL", "CLICKHOUSE", "MDB")
	if !database && !named {
		return ""
	}
	password := o.password
	switch {
	case o.has("SENTRY"):
		return fmt.Sprintf("https://%s@o%s.ingest.%s/%s", o.secret("", 32, hexits), o.text(6, digits[1:]), o.who.domain, o.text(7, digits[1:]))
	case database && scheme != "mongodb+srv": // mongodb+srv has no port
	case database || o.has("MONGO", "MONGODB", "MDB"):
		scheme = "mongodb"
	case o.has("MYSQL", "MARIADB"):
		scheme = "mysql"
	case o.has("REDIS"):
		return "redis://:" + password() + "@" + o.database() + ":6379/0"
	case o.has("AMQP", "RABBITMQ"):
		scheme = "amqp"
	case o.has("NEO4J", "BOLT"):
		return "bolt://localhost:7687"
	case o.has("AZURE", "STORAGE"):
		return fmt.Sprintf("DefaultEndpointsProtocol=https;AccountName=%s;AccountKey=%s==;EndpointSuffix=%s", o.who.company, o.secret("", 86, base64ab), o.who.domain)
	default:
		scheme = "postgresql"
	}
	return fmt.Sprintf("%s://app:%s@%s:%s/app", scheme, password(), o.database(), defaultPort(scheme))
}

// database is the company's host of databases. The fake Internet answers there; nothing
// listens at localhost.
func (o *order) database() string { return "db." + o.who.domain }

func databaseScheme(scheme string) bool { return defaultPort(scheme) != "8080" }

func defaultPort(service string) string {
	service = strings.ToLower(service)
	for _, s := range [][2]string{
		{"postgres", "5432"}, {"pg", "5432"}, {"mysql", "3306"}, {"mariadb", "3306"}, {"mongo", "27017"}, {"redis", "6379"}, {"amqp", "5672"},
		{"clickhouse", "8123"}, {"neo4j", "7687"}, {"bolt", "7687"}, {"elastic", "9200"}, {"qdrant", "6333"}, {"chroma", "8000"}, {"milvus", "19530"}, {"smtp", "587"}, {"imap", "993"},
	} {
		if strings.HasPrefix(service, s[0]) {
			return s[1]
		}
	}
	return "8080"
}

// setting makes values that are not secret: host, user, id.
func (o *order) setting() string {
	switch {
	case strings.Contains(o.example, "@") && !strings.Contains(o.example, ":"):
		return o.who.email
	case o.ends("URL", "URI", "ENDPOINT", "SITE", "BASE", "INSTANCE", "ORIGIN"), o.ends("ENVIRONMENT") && o.has("DT", "DYNATRACE"):
		return o.address()
	case o.ends("HOST", "HOSTNAME", "SERVER", "ADDRESS", "DOMAIN", "SUBDOMAIN"):
		return o.host()
	case o.ends("EMAIL", "MAIL", "FROM", "SENDER"):
		return o.who.email
	case o.ends("PORT"):
		return defaultPort(o.said[0])
	case o.ends("REGION", "LOCATION", "ZONE"):
		return "us-east-1"
	case o.ends("USER", "USERNAME", "LOGIN", "OWNER", "PRINCIPAL"):
		return o.who.login
	case o.ends("DATABASE", "DB", "DBNAME", "CATALOG"):
		return "app"
	case o.ends("SCHEMA"):
		return "public"
	case o.ends("ORG", "ORGANIZATION", "TEAM", "WORKSPACE", "TENANT", "SLUG", "COMPANY", "PROJECT", "STORE", "BUCKET", "INDEX", "COLLECTION", "NAME", "REPO", "CLUSTER", "WAREHOUSE", "ROLE", "PROFILE"):
		return o.who.company
	case o.ends("TIMEOUT", "LIMIT", "MAX", "MIN", "TTL", "SIZE", "COUNT"):
		return "10"
	case o.ends("ENABLED", "ENABLE", "DEBUG", "VERIFY", "SSL", "TLS", "SECURE"):
		return "false"
	case o.ends("MODEL"):
		return "default"
	case o.ends("ACCOUNT", "ACCOUNTS") && o.has("SNOWFLAKE"):
		return o.text(7, lower) + "-" + o.text(7, lower+digits)
	case o.ends("ID", "SID", "IDS", "ACCOUNT", "NUMBER", "UUID", "GUID"):
		return o.identity()
	}
	return ""
}

// address keeps the example's scheme and path.
func (o *order) address() string {
	scheme := "https"
	if s, _, ok := strings.Cut(o.example, "://"); ok && (s == "http" || s == "wss" || s == "ws") {
		scheme = s
	}
	return scheme + "://" + o.service() + "." + o.who.domain
}

func (o *order) host() string {
	switch {
	case o.has("DB", "DATABASE", "MYSQL", "POSTGRES", "POSTGRESQL", "PG", "PGHOST", "REDIS", "MONGO", "MONGODB", "MARIADB", "SQL"):
		return o.database()
	case o.ends("SUBDOMAIN"):
		return o.who.company
	}
	return o.service() + "." + o.who.domain
}

// service returns the first word of the name that can be a host name.
func (o *order) service() string {
	if len(o.said) > 1 && len(o.said[0]) > 2 && len(o.said[0]) < 30 {
		return strings.ToLower(o.said[0])
	}
	return "api"
}

var (
	uuidShape   = lazyregexp.New(`(?i)^[0-9a-fx]{8}-[0-9a-fx]{4}-[0-9a-fx]{4}-[0-9a-fx]{4}-[0-9a-fx]{12}$`)
	hexShape    = lazyregexp.New(`^[0-9a-f]{16,128}$`)
	digitsShape = lazyregexp.New(`^\d{4,32}$`)
	jwtShape    = lazyregexp.New(`^eyJ[\w-]*(?:\.|$)`)
	phrase      = lazyregexp.New(`^(?:your|my|the|api|app|bot|access|auth|secret|client|user|test|key|token|insert|enter|paste|add)[-_]?`)
	prefixShape = lazyregexp.New(`^([a-z][a-z0-9]{0,11}(?:[-_][a-z0-9]{1,8}){0,2}[-_])(?:[xX*.…]{3,}|(?i:your|api|key|token|secret)|[0-9A-Za-z]{16,}$)`)
)

// byExample makes a secret of the example's shape.
func (o *order) byExample() string {
	e := o.example
	if value := o.byPrefix(e); value != "" {
		return value
	}
	switch {
	case uuidShape.MatchString(e):
		return o.keep(o.uuid())
	case jwtShape.MatchString(e):
		return o.webToken()
	case o.knownService():
		return ""
	case hexShape.MatchString(e):
		return o.secret("", len(e), hexits)
	case digitsShape.MatchString(e) && !o.ends("PASSWORD", "PASS"):
		return o.keep(o.text(1, digits[1:]) + o.text(len(e)-1, digits))
	}
	if m := prefixShape.FindStringSubmatch(e); m != nil && !phrase.MatchString(e) {
		return o.secret(m[1], 40, alnum)
	}
	return ""
}

func (o *order) webToken() string {
	return o.jwt(`{"alg":"HS256","typ":"JWT"}`, fmt.Sprintf(`{"sub":%q,"role":"user","jti":%q}`, o.who.login, o.uuid()))
}

// generic makes an API key in the most common format.
func (o *order) generic() string {
	switch {
	case o.ends("PASSWORD", "PASSWD", "PWD", "PASS", "PASSPHRASE"):
		return o.password()
	case o.ends("JWT"):
		return o.webToken()
	}
	return o.secret("", 40, alnum)
}
