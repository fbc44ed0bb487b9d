package protocols

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What counts has one row in an empty table, too.
func TestAggregates(t *testing.T) {
	for query, want := range map[string][]string{
		"SELECT count(*) FROM a":                                          {"count"},
		"SELECT COUNT(*) AS total FROM (SELECT 1) AS q":                   {"total"},
		"SELECT count(*), max(id) as newest FROM a WHERE x = 1":           {"count", "newest"},
		"SELECT count(*)::int AS n FROM pg_stat_activity":                 {"n"},
		"SELECT 1 FROM pg_extension WHERE extname = 'pg_stat_statements'": {"extname"},
		"SELECT name, count(*) FROM a GROUP BY name":                      nil,
		"SELECT name FROM a":                                              nil,
	} {
		got := answered(query, postgresVersion)
		if got.row == nil {
			got.columns = nil
		}
		if diff := cmp.Diff(want, got.columns); diff != "" || len(got.row) != len(want) {
			t.Errorf("%s: %v\n%s", query, got, diff)
		}
	}
}
