package protocols

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// cypherResult is what a statement of Cypher returns: columns by the names that it gives
// them, with values of the kind that their expressions have.
type cypherResult struct {
	fields []string
	rows   [][]any
	writes bool
}

// The bounds of what is read of a statement.
// no gap: bounds our own made-up answers
const (
	cypherMax       = 16 << 10
	cypherFieldsMax = 40
)

// cypher makes the result of a statement, nil for one that is none.
func cypher(text string, elementIDs bool) *cypherResult {
	text = strings.TrimSpace(text[:min(len(text), cypherMax)])
	if text == "" {
		return nil
	}
	c := &cypherStatement{text: text, elementIDs: elementIDs}
	out := &cypherResult{writes: isWord(text, "create") || isWord(text, "merge") || isWord(text, "set") || isWord(text, "delete")}
	columns := c.columns()
	aggregates := 0
	for _, column := range columns {
		out.fields = append(out.fields, column.name)
		if isAggregate.MatchString(column.expression) {
			aggregates++
		}
	}
	count := 2
	switch {
	case len(columns) == 0:
		return out
	case aggregates == len(columns), limitOne.MatchString(text), !isWord(text, "match") && !isWord(text, "call") && !isWord(text, "unwind") && !isWord(text, "show"):
		count = 1
	}
	for n := range count {
		row := make([]any, 0, len(columns))
		for _, column := range columns {
			row = append(row, c.value(column, n))
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// Patterns of Cypher.
var (
	isAggregate = lazyregexp.New(`(?i)^\s*(?:count|sum|avg|min|max|collect)\s*\(`)
	limitOne    = lazyregexp.New(`(?i)\blimit\s+1\s*;?\s*$`)
	lastReturn  = lazyregexp.New(`(?is)^.*\breturn\s+(?:distinct\s+)?(.*)$`)
	lastYield   = lazyregexp.New(`(?is)^.*\byield\s+(.*)$`)
	clauseEnd   = lazyregexp.New(`(?is)\s+(?:order\s+by|skip|limit|union|where)\b.*$|;\s*$`)
	alias       = lazyregexp.New("(?is)^(.*)\\s+as\\s+`?([^`]+?)`?\\s*$")
	procedure   = lazyregexp.New(`(?i)\bcall\s+([\w.]+)|\bshow\s+(?:\w+\s+)?(index|constraint|database|procedure|function)`)
)

type cypherColumn struct{ expression, name string }

type cypherStatement struct {
	text       string
	elementIDs bool
}

// columns are what a statement returns.
func (c *cypherStatement) columns() []cypherColumn {
	list := ""
	if m := lastReturn.FindStringSubmatch(c.text); m != nil {
		list = m[1]
	} else if m := lastYield.FindStringSubmatch(c.text); m != nil {
		list = m[1]
	}
	list = strings.TrimSpace(clauseEnd.ReplaceAllString(list, ""))
	if list == "" || list == "*" {
		return c.ofProcedure()
	}
	var out []cypherColumn
	for _, part := range splitList(list) {
		column := cypherColumn{strings.TrimSpace(part), strings.Trim(strings.TrimSpace(part), "`")}
		if m := alias.FindStringSubmatch(part); m != nil {
			column = cypherColumn{strings.TrimSpace(m[1]), m[2]}
		}
		if len(out) < cypherFieldsMax && column.expression != "" {
			out = append(out, column)
		}
	}
	return out
}

// ofProcedure are the columns of a procedure that is called without naming them.
func (c *cypherStatement) ofProcedure() []cypherColumn {
	m := procedure.FindStringSubmatch(c.text)
	if m == nil {
		return nil
	}
	names := map[string]string{
		"db.labels": "label", "db.relationshiptypes": "relationshipType", "db.propertykeys": "propertyKey", "dbms.components": "name versions edition",
		"apoc.meta.schema": "value", "db.schema.visualization": "nodes relationships", "db.schema.nodetypeproperties": "nodeType nodeLabels propertyName propertyTypes mandatory",
		"db.ping": "success", "index": "id name state type entityType labelsOrTypes properties", "constraint": "id name type entityType labelsOrTypes properties",
		"database": "name currentStatus default", "procedure": "name description mode", "function": "name description category",
	}
	var out []cypherColumn
	for name := range strings.FieldsSeq(names[strings.ToLower(m[1]+m[2])]) {
		out = append(out, cypherColumn{name, name})
	}
	return out
}

// splitList splits at the commas outside brackets and quotes.
func splitList(text string) []string {
	var out []string
	depth, start, quote := 0, 0, rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case strings.ContainsRune("'\"`", r):
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth <= 0:
			out, start = append(out, text[start:i]), i+1
		}
	}
	return append(out, text[start:])
}

// value makes the value of a column in a row.
func (c *cypherStatement) value(column cypherColumn, row int) any {
	e := strings.ToLower(column.expression)
	call, _, _ := strings.Cut(e, "(")
	if number, err := strconv.Atoi(e); err == nil {
		return number
	}
	switch {
	case len(e) > 1 && (e[0] == '\'' || e[0] == '"'):
		return strings.Trim(column.expression, `'"`)
	case e == "value" && isWord(c.text, "schema"):
		return graphSchema()
	case strings.Contains(e, "(") && isOneOf("count size sum length id min max tointeger", strings.TrimSpace(call)):
		return 2
	case strings.HasPrefix(e, "avg("):
		return 2.5
	case strings.HasPrefix(e, "elementid("):
		return "4:example:" + strconv.Itoa(row)
	case strings.HasPrefix(e, "labels("), e == "nodelabels", e == "labelsortypes":
		return []any{"Person"}
	case strings.HasPrefix(e, "keys("), e == "properties", e == "propertytypes", e == "versions":
		return []any{"name", "age"}
	case strings.HasPrefix(e, "collect("), strings.HasPrefix(e, "["):
		return []any{person(0), person(1)}
	case strings.HasPrefix(e, "properties("), strings.HasPrefix(e, "{"):
		return properties(row)
	case strings.HasPrefix(e, "type("), e == "relationshiptype":
		return "KNOWS"
	case e == "label", e == "nodetype":
		return "Person"
	case e == "success", e == "mandatory", e == "default", strings.Contains(e, "="):
		return true
	case strings.HasSuffix(e, "age"):
		return 34 + row
	case strings.Contains(e, "."), isOneOf("name state type entitytype description mode category edition propertyname propertykey currentstatus", e):
		return person(row)
	case e == "nodes", e == "relationships":
		return []any{}
	case strings.Contains(strings.ToLower(c.text), "["+e+":"), strings.Contains(strings.ToLower(c.text), "["+e+"]"):
		return c.relationship(row)
	}
	return c.node(row)
}

// isOneOf reports whether a word is in a list of words.
func isOneOf(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

func person(row int) string { return [...]string{"Johan Lindqvist", "Mira Sandberg"}[row%2] }

func properties(row int) []member { return []member{{"name", person(row)}, {"age", 34 + row}} }

func (c *cypherStatement) node(row int) packed {
	out := packed{'N', []any{row, []any{"Person"}, properties(row)}}
	if c.elementIDs {
		out.fields = append(out.fields, "4:example:"+strconv.Itoa(row))
	}
	return out
}

func (c *cypherStatement) relationship(row int) packed {
	out := packed{'R', []any{row, 0, 1, "KNOWS", []member{{"since", 2019}}}}
	if c.elementIDs {
		out.fields = append(out.fields, "5:example:"+strconv.Itoa(row), "4:example:0", "4:example:1")
	}
	return out
}

// graphSchema is what apoc.meta.schema says of the graph.
func graphSchema() []member {
	property := func(kind string) []member {
		return []member{{"type", kind}, {"indexed", false}, {"unique", false}, {"existence", false}}
	}
	return []member{
		{"Person", []member{
			{"type", "node"}, {"count", 2}, {"labels", []any{}},
			{"properties", []member{{"name", property("STRING")}, {"age", property("INTEGER")}}},
			{"relationships", []member{{"KNOWS", []member{{"direction", "out"}, {"count", 1}, {"labels", []any{"Person"}}, {"properties", []member{{"since", property("INTEGER")}}}}}}},
		}},
		{"KNOWS", []member{{"type", "relationship"}, {"count", 1}, {"properties", []member{{"since", property("INTEGER")}}}}},
	}
}
