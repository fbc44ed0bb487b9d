package services_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

func TestClickHouse(t *testing.T) {
	s := services.New(&services.Options{Seed: 1, Now: time.Now})
	for query, want := range map[string]string{
		"SELECT version(), timezone()": "24.8.4.13\tUTC\n",
		"SHOW DATABASES":               "notes\n",
		"SELECT name, value, readonly as readonly FROM system.settings FORMAT Native": "\x03\x00\x04name\x06String\x05value\x06String\x08readonly\x06String",
		"SELECT name, total_rows FROM system.tables FORMAT Native":                    "\x02\x01\x04name\x06String\x05notes\x0atotal_rows\x06String\x012",
		"SELECT count(a, b) AS n, t.`x` FROM t FORMAT JSONEachRow":                    `{"n":"2","x":"notes"}` + "\n",
		"SELECT * FROM t FORMAT JSON":                                                 `"rows":1`,
		"INSERT INTO t VALUES (1)":                                                    "",
		"SELECT '<script>' FROM t FORMAT JSONEachRow":                                 `{"column1":"notes"}` + "\n",
	} {
		r := &services.Request{Method: http.MethodPost, Target: "/", Path: "/", Scheme: "http", Host: "db.example:8123", Query: url.Values{}, Kept: []byte(query)}
		if got := string(s.Reply(r).Body); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	r := &services.Request{Method: http.MethodPost, Path: "/", Host: "db.example:8123", Query: url.Values{}, Kept: []byte("SELECT " + strings.Repeat("a,", 1<<16) + "b FROM t FORMAT Native")}
	if n := len(s.Reply(r).Body); n > 4096 {
		t.Errorf("%d bytes for endless columns", n)
	}
}

// TestElasticsearch has the header without which its clients refuse to speak.
func TestElasticsearch(t *testing.T) {
	s := services.New(&services.Options{Seed: 1, Now: time.Now})
	for _, path := range []string{"/", "/notes/_search", "/_cat/indices"} {
		a := s.Reply(&services.Request{Method: http.MethodGet, Target: path, Path: path, Scheme: "http", Host: "localhost:9200", Query: url.Values{}})
		found := false
		for _, f := range a.Fields {
			found = found || f.Name == "X-Elastic-Product" && f.Value == "Elasticsearch"
		}
		if !found || !strings.Contains(a.Kind(), "json") {
			t.Errorf("%s: %v", path, a.Fields)
		}
	}
}
