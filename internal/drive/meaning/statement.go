package meaning

import "strings"

// SQLFormat begins the name of a format that is a statement of SQL: "sql insert".
const SQLFormat = "sql "

// statements are ordinary statements of SQL, by the word that they begin with. They work
// one after another in an empty database, too.
func statements() map[string]string {
	return map[string]string{
		"create": "CREATE TABLE IF NOT EXISTS example (id INTEGER, name TEXT)",
		"insert": "INSERT INTO example (id, name) VALUES (1, 'alex')",
		"update": "UPDATE example SET name = 'alex' WHERE id = 1",
		"delete": "DELETE FROM example WHERE id = 1",
		"alter":  "ALTER TABLE example ADD COLUMN note TEXT",
		"drop":   "DROP TABLE IF EXISTS example",
	}
}

// StatementOf returns a statement of the kind that a format names.
func (v Values) StatementOf(format string) (string, bool) {
	word, isSQL := strings.CutPrefix(strings.ToLower(format), SQLFormat)
	switch {
	case !isSQL:
		return "", false
	case word == "select":
		return v.SQL, true
	}
	text, ok := statements()[word]
	return text, ok
}

// maxPurpose is how many words of a description say what a statement is for.
// no gap: bounds how a value is guessed; the tool's refusal says more
const maxPurpose = 12

// statement returns the statement of SQL that a tool takes, by its name, then by what the
// parameter is.
func (v Values) statement(said []string) string {
	all := statements()
	for _, words := range [][]string{Words(v.tool), said[:min(len(said), maxPurpose)]} {
		switch {
		case HasWord(words, "read", "select", "explain", "analyze", "analyse", "plan"):
			return v.SQL
		case HasWord(words, "create") && HasWord(words, "table", "tables", "schema"):
			return all["create"]
		case HasWord(words, "alter"):
			return all["alter"]
		case HasWord(words, "drop"):
			return all["drop"]
		case HasWord(words, "insert", "write", "modify", "mutate", "mutation", "append"):
			return all["insert"]
		case HasWord(words, "update"):
			return all["update"]
		case HasWord(words, "delete"):
			return all["delete"]
		}
	}
	return v.SQL
}

// ofSQL reports whether a parameter called query takes a statement, because the tool runs
// one or the server is one for a database of SQL.
func (v Values) ofSQL(names, said []string) bool {
	tool, purpose := Words(v.tool), Words(v.purpose())
	if len(names) != 1 || HasWord(said, "text", "natural", "keyword", "keywords", "name", "pattern", "regex", "graphql", "mongodb", "cypher", "search") ||
		HasWord(tool, "search", "find", "suggest", "docs", "documentation") {
		return false
	}
	if HasWord(tool, "sql") || HasWord(purpose, "sql") {
		return true
	}
	return HasWord(tool, "query", "execute", "run", "explain", "select", "insert", "update", "delete") &&
		HasWord(Words(v.Samples.Server), "sql", "sqlite", "postgres", "postgresql", "mysql", "mariadb", "mssql", "duckdb", "clickhouse", "snowflake", "bigquery", "redshift", "alchemy", "database")
}

// ofCypher reports whether a parameter called query takes a statement of Cypher, the
// language of graph databases.
func (v Values) ofCypher(names, said []string) bool {
	if !HasWord(names, "query", "cypher", "statement") || HasWord(said, "text", "natural", "keyword", "keywords", "search") || HasWord(Words(v.tool), "search", "find") {
		return false
	}
	return HasWord(names, "cypher") || v.isAbout(said, "cypher")
}

// cypher returns the statement of Cypher that a tool takes.
func (v Values) cypher(said []string) string {
	if v.isFor(said, "write", "create", "update", "merge", "modify", "mutate") {
		return "MERGE (n:Example {name: 'alex'}) RETURN n.name AS name"
	}
	return "MATCH (n) RETURN n LIMIT 5"
}

// isFor reports whether the name of the tool or the words about a parameter say that it
// does something.
func (v Values) isFor(said []string, verbs ...string) bool {
	return HasWord(Words(v.tool), verbs...) || HasWord(said[:min(len(said), maxPurpose)], verbs...)
}
