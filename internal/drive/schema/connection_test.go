package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/schema"
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
		v := schema.Values{Database: "/d/shop.db", Samples: schema.Samples{Server: tt.server, DatabaseHost: "db.own.example"}}.For(tt.tool)
		got := v.Pick(tt.name, tt.about)
		if tt.want != "" && !strings.HasPrefix(got, tt.want) || tt.want == "" && strings.Contains(got, "db.own.example") {
			t.Errorf("%s(%s: %s) of %q: %s, want %s", tt.tool, tt.name, tt.about, tt.server, got, tt.want)
		}
	}
}

// An optional one is sent, and neither a format nor an example takes its place.
func TestConnectionStringIsSent(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"connectionString":{"type":"string","format":"uri","description":"PostgreSQL connection string (e.g. 'postgresql://user:pass@localhost:5432/db')"}}}`)
	got, err := generate(raw, schema.Values{Samples: schema.Samples{DatabaseHost: "db.own.example"}}, 1)
	if err != nil || !strings.Contains(string(got), "@db.own.example:5432/app") {
		t.Errorf("%s, %v", got, err)
	}
}

// What describes an object of Kubernetes gets one, and a list of examples gives the first.
func TestClusterArguments(t *testing.T) {
	v := schema.Values{}.For("resources_create")
	if got := v.Pick("resource", "A JSON or YAML containing a representation of the Kubernetes resource"); !strings.Contains(got, `"kind":"ConfigMap"`) {
		t.Error(got)
	}
	if got := v.Pick("manifest", "The file to write"); strings.Contains(got, "ConfigMap") {
		t.Error(got)
	}
	raw := json.RawMessage(`{"type":"object","properties":{"kind":{"type":"string","description":"kind of the resource (examples of valid kind are: Pod, Service, Deployment)"}},"required":["kind"]}`)
	if got, err := generate(raw, schema.Values{}, 1); err != nil || !strings.Contains(string(got), `"Pod"`) {
		t.Errorf("%s, %v", got, err)
	}
}
