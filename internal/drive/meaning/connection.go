package meaning

import (
	"slices"
	"strings"
)

// engine is a kind of database: the words that name it, and how a client is told where
// one is. {host} stands for the company's host of databases, {file} for a file.
type engine struct {
	words, address string
	port           string
}

// engines lists the kinds of databases. The first also serves who names none.
func engines() []engine {
	return []engine{
		{"postgres postgresql pg psql timescale timescaledb supabase neon cockroach cockroachdb pgvector", "postgresql://app:Example-pass-1@{host}:5432/app", "5432"},
		{"mysql mariadb tidb planetscale", "mysql://app:Example-pass-1@{host}:3306/app", "3306"},
		{"mongo mongodb documentdb", "mongodb://{host}:27017/app", "27017"},
		{"redis valkey", "redis://{host}:6379/0", "6379"},
		{"mssql sqlserver tsql", "Server={host},1433;Database=app;User Id=app;Password=Example-pass-1;TrustServerCertificate=True", "1433"},
		{"sqlite sqlite3 libsql", "sqlite:///{file}", ""},
		{"clickhouse", "http://default@{host}:8123/default", "8123"},
		{"neo4j bolt", "bolt://{host}:7687", "7687"},
		{"rabbitmq amqp", "amqp://app:Example-pass-1@{host}:5672/", "5672"},
	}
}

// engineOf returns the first kind of database that the words name, in the order of the
// lists.
func engineOf(lists ...[]string) (engine, bool) {
	all := engines()
	for _, words := range lists {
		for i, w := range words {
			pair := w // MySQL is two words here
			if i > 0 {
				pair = words[i-1] + w
			}
			at := slices.IndexFunc(all, func(e engine) bool {
				known := strings.Fields(e.words)
				return slices.Contains(known, w) || slices.Contains(known, pair)
			})
			if at >= 0 {
				return all[at], true
			}
		}
	}
	return all[0], false
}

// Connection returns a connection string for a parameter that wants one, "" for others.
func (v Values) Connection(names, said []string) string {
	said = said[:min(len(said), maxWords)]
	e, named := engineOf(names, said, Words(v.tool), Words(v.Samples.Server), Words(v.about))
	if !isConnection(names, said, named) {
		return ""
	}
	return strings.NewReplacer("{host}", v.Samples.databaseHost(), "{file}", v.Database).Replace(e.address)
}

// isConnection reports whether a parameter says where a database is, all in one text.
// database says that one is named in its words or around it.
func isConnection(names, said []string, database bool) bool {
	if len(names) == 0 || HasWord(names, "storage", "blob", "insights", "iot", "websocket") || HasWord(said, "storage", "blob", "websocket") {
		return false
	}
	if HasWord(names, "dsn", "connstr", "connectionstring", "jdbc") {
		return true
	}
	last := names[len(names)-1]
	if _, engine := engineOf(names); slices.Contains([]string{"string", "str", "url", "uri"}, last) &&
		(engine || HasWord(names, "conn", "database", "db") || HasWord(names, "connection") && (database || last != "url" && last != "uri")) {
		return true
	}
	opening := strings.Join(said[:min(len(said), maxMention)], " ")
	return HasWord(names, "connection", "database", "db", "url", "uri", "source", "target") &&
		(strings.Contains(opening, "connection string") || strings.Contains(opening, "connection uri") || strings.Contains(opening, "connection url"))
}

// databaseHost reports whether a host is that of a database, by the words beside it.
func (v Values) databaseHost(names, said []string) bool {
	if HasWord(names, "db", "database") || HasWord(said[:min(len(said), maxMention)], "database") {
		return true
	}
	_, named := engineOf(names, said, Words(v.tool), Words(v.Samples.Server))
	return named
}
