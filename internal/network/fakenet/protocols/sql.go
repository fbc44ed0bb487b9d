package protocols

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// queryMax is how many bytes of a statement are parsed.
const queryMax = 4 << 10

// table is the answer to a query. Queries that drivers send when they connect
// get a row, all others none.
type table struct {
	columns []string
	row     []string // nil: empty
}

// comment matches what may precede the first word of a statement.
var comment = lazyregexp.New(`^(?:\s+|/\*(?s:.*?)\*/|--[^\n]*\n|\()+`)

// statement truncates a query and removes what precedes its verb.
func statement(p []byte) (verb, query string) {
	query = comment.ReplaceAllString(strings.TrimRight(string(p[:min(len(p), queryMax)]), "\x00; \t\r\n"), "")
	end := strings.IndexFunc(query, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end < 0 {
		end = len(query)
	}
	return strings.ToUpper(query[:end]), query
}

// selects says whether a statement is answered with rows.
func selects(verb string) bool {
	switch verb {
	case "SELECT", "SHOW", "WITH", "VALUES", "TABLE", "DESCRIBE", "DESC", "EXPLAIN", "FETCH":
		return true
	}
	return false
}

// tables matches a query for the names of all tables.
var tables = lazyregexp.New(`^\s*(?:show\s+tables\b|select\s+(?:\w+\.)?table_?name\s+from\s+(?:information_schema\.tables|(?:pg_catalog\.)?pg_tables)\b)`)

var number = lazyregexp.New(`(?i)^select\s+(\d{1,9})$`)

// answered finds the table for a query. version is the server's version.
func answered(query, version string) table {
	lower := strings.ToLower(query)
	if found := number.FindStringSubmatch(query); found != nil {
		return table{[]string{"?column?"}, []string{found[1]}}
	}
	if tables.MatchString(lower) {
		return table{[]string{"table_name"}, []string{"customers"}} // so that a server that lists tables has one to offer
	}
	if strings.HasPrefix(lower, "select") && strings.Contains(lower, "@@") {
		return variables(query[len("select"):], version)
	}
	for _, known := range [][3]string{
		{"version()", "version", version},
		{"show server_version", "server_version", version},
		{"standard_conforming_strings", "standard_conforming_strings", "on"},
		{"transaction isolation level", "transaction_isolation", "read committed"},
		{"transaction_isolation", "transaction_isolation", "read committed"},
		{"current_schema", "current_schema", "public"},
		{"current_database", "current_database", "postgres"},
		{"database()", "database()", "app"},
		{"current_user", "current_user", "app"},
		{"pg_is_in_recovery", "pg_is_in_recovery", "f"},
		{"show client_encoding", "client_encoding", "UTF8"},
	} {
		if strings.Contains(lower, known[0]) && !strings.Contains(lower, " from ") {
			return table{[]string{known[1]}, []string{known[2]}}
		}
	}
	if t, ok := aggregated(lower); ok {
		return t
	}
	return table{columns: []string{"?column?"}}
}

var (
	chosen = lazyregexp.New(`(?s)^select\s+(.{1,400}?)\s+from\s`)
	// aggregate is a column that has a value whether or not there are rows.
	aggregate = lazyregexp.New(`^(count|sum|min|max|avg)\s*\([^()]*(?:\([^()]*\))?[^()]*\)(?:\s*::\s*\w+)?(?:\s+as\s+"?(\w+)"?)?$`)
	// extension asks whether the server has one.
	extension = lazyregexp.New(`(?s)^select\s+(?:1|true|extname|\*)\s+from\s+(?:pg_catalog\.)?pg_extension\s+where\s+extname\s*=`)
)

// aggregated answers what has one row in an empty table, too: counts. Extensions that
// are asked for are there.
func aggregated(lower string) (t table, ok bool) {
	if extension.MatchString(lower) {
		return table{[]string{"extname"}, []string{"1"}}, true
	}
	m := chosen.FindStringSubmatch(lower)
	if m == nil || strings.Contains(lower, "group by") {
		return t, false
	}
	for column := range strings.SplitSeq(m[1], ",") {
		found := aggregate.FindStringSubmatch(strings.TrimSpace(column))
		if found == nil || len(t.columns) >= columnsMax {
			return table{}, false
		}
		name := found[2]
		if name == "" {
			name = found[1]
		}
		t.columns, t.row = append(t.columns, name), append(t.row, "1")
	}
	return t, true
}

// columnsMax is how many variables one query may ask for.
const columnsMax = 64

var alias = lazyregexp.New(`(?i)\s+as\s+.*$|\s+limit\s+\d+$`)

// variables answers queries of MySQL drivers: "@@a, @@session.b AS c".
func variables(list, version string) table {
	var t table
	for _, item := range strings.SplitN(list, ",", columnsMax) {
		item = strings.TrimSpace(item)
		column := item
		if _, as, found := strings.Cut(strings.ToLower(item), " as "); found {
			column = strings.Trim(as, "`'\" ")
		}
		variable := strings.ToLower(alias.ReplaceAllString(item, ""))
		variable = variable[max(strings.LastIndexByte(variable, '@'), strings.LastIndexByte(variable, '.'))+1:]
		t.columns = append(t.columns, column)
		t.row = append(t.row, setting(variable, version))
	}
	return t
}

func setting(variable, version string) string {
	switch variable {
	case "version":
		return version
	case "version_comment":
		return "MySQL Community Server - GPL"
	case "tx_isolation", "transaction_isolation":
		return "REPEATABLE-READ"
	case "max_allowed_packet", "net_buffer_length":
		return "67108864"
	case "wait_timeout", "interactive_timeout":
		return "28800"
	case "character_set_client", "character_set_connection", "character_set_results", "character_set_server":
		return "utf8mb4"
	case "collation_server", "collation_connection":
		return "utf8mb4_0900_ai_ci"
	case "sql_mode":
		return "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
	case "time_zone", "system_time_zone":
		return "UTC"
	case "license":
		return "GPL"
	case "lower_case_table_names", "tx_read_only", "transaction_read_only", "query_cache_size", "performance_schema":
		return "0"
	}
	return "1"
}

var placeholder = lazyregexp.New(`\$(\d{1,5})`)

// placeholders counts the parameters "$1", "$2" of a statement.
func placeholders(query string) int {
	most := 0
	for _, found := range placeholder.FindAllStringSubmatch(query, -1) {
		n, _ := strconv.Atoi(found[1])
		most = max(most, n)
	}
	return most
}
