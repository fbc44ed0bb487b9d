package meaning_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// What wants a connection string gets one of the database that the words around it name.
func TestConnectionStrings(t *testing.T) {
	for _, tt := range []struct{ tool, server, name, about, want string }{
		{"pg_query", "", "connectionString", "", "postgresql://app:Example-pass-1@db.own.example:5432/app"},
		{"query", "", "connectionString", "PostgreSQL connection string", "postgresql://"},
		{"query", "mysql-mcp", "connection_string", "", "mysql://"},
		{"query", "", "dsn", "", "postgresql://"},
		{"query", "", "database_url", "e.g. \"postgres://u:p@localhost/x\"", "postgresql://app:Example-pass-1@db.own.example"},
		{"connect", "", "uri", "MongoDB connection string", "mongodb://db.own.example"},
		{"connect", "", "url", "Connection string of the MySQL database", "mysql://"},
		{"connect", "", "redis_url", "", "redis://"},
		{"connect", "mssql-mcp", "connectionString", "", "Server=db.own.example,1433;"},
		{"connect", "", "url", "SQLite connection string", "sqlite:////d/shop.db"},
		{"copy", "", "sourceConnectionString", "", "postgresql://"},
		{"copy", "", "jdbc_url", "", "postgresql://"},
		// No connection strings.
		{"upload", "", "connection_string", "Azure Storage connection string", ""},
		{"fetch", "", "url", "The page to fetch", ""},
		{"query", "", "database", "Name of the database", ""},
		{"query", "", "connection_id", "Id of the connection", ""},
		{"find", "", "string", "", ""},
	} {
		v := meaning.Values{Database: "/d/shop.db", Samples: meaning.Samples{Server: tt.server, DatabaseHost: "db.own.example"}}.For(tt.tool)
		got := v.Pick(tt.name, tt.about)
		if tt.want != "" && !strings.HasPrefix(got, tt.want) || tt.want == "" && strings.Contains(got, "db.own.example") {
			t.Errorf("%s(%s: %s) of %q: %s, want %s", tt.tool, tt.name, tt.about, tt.server, got, tt.want)
		}
	}
}

// What describes an object of Kubernetes gets one.
func TestClusterArguments(t *testing.T) {
	v := meaning.Values{}.For("resources_create")
	if got := v.Pick("resource", "A JSON or YAML containing a representation of the Kubernetes resource"); !strings.Contains(got, `"kind":"ConfigMap"`) {
		t.Error(got)
	}
	if got := v.Pick("manifest", "The file to write"); strings.Contains(got, "ConfigMap") {
		t.Error(got)
	}
}
