package services

import (
	"encoding/binary"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxColumns is how many columns of a query are answered.
// no gap: bounds our own made-up answers
const maxColumns = 64

var (
	selected   = lazyregexp.New(`(?is)^\s*(?:with\b.*?\)\s*)?select\s+(?:distinct\s+)?(.*?)(?:\sfrom\s|\sformat\s|\slimit\s|;|$)`)
	columnName = lazyregexp.New("(?i)(?:^|[\\s.`\"])([a-z_][a-z0-9_]{0,63})[`\"]?\\s*$")
	formatName = lazyregexp.New(`(?i)\bformat\s+(\w{1,40})\s*;?\s*$`)
)

// clickhouse answers the HTTP interface of ClickHouse: one row for each query that
// selects something.
func clickhouse(s *Services, r *Request) *Answer {
	if !isClickHouse(r) {
		return nil
	}
	query := strings.TrimSpace(r.Query.Get("query") + " " + string(r.Kept))
	upper := strings.ToUpper(query)
	format := r.Header("X-ClickHouse-Format") + r.Query.Get("default_format")
	if m := formatName.FindStringSubmatch(query); m != nil {
		format = m[1]
	}
	a := of(http.StatusOK, "text/tab-separated-values; charset=UTF-8", nil).with("X-ClickHouse-Timezone", "UTC").
		with("X-ClickHouse-Summary", `{"read_rows":"1","read_bytes":"24","written_rows":"0","written_bytes":"0","total_rows_to_read":"1","result_rows":"1","result_bytes":"24"}`)
	columns := columnsOf(query)
	switch {
	case query == "" || strings.HasSuffix(r.Path, "/ping"):
		a.Body = []byte("Ok.\n")
	case strings.Contains(upper, "VERSION()") && strings.Contains(upper, "TIMEZONE()"):
		a.Body = []byte("24.8.4.13\tUTC\n")
	case strings.Contains(upper, "VERSION()") && !strings.EqualFold(format, "native"):
		a.Body = []byte("24.8.4.13\n")
	case columns == nil:
	case strings.EqualFold(format, "native") && strings.Contains(upper, "SYSTEM.SETTINGS"):
		a.Body = nativeRows(columns, 0) // all as usual
	case strings.EqualFold(format, "native"):
		a.Body = nativeRows(columns, 1)
	case strings.HasPrefix(strings.ToLower(format), "jsoneachrow"):
		a.Body = slices.Concat(asJSON(http.StatusOK, rowOf(columns)).Body, []byte("\n"))
	case strings.HasPrefix(strings.ToLower(format), "json"):
		var meta []object
		for _, c := range columns {
			meta = append(meta, object{"name": c, "type": "String"})
		}
		a.Body = asJSON(http.StatusOK, object{"meta": meta, "data": []object{rowOf(columns)}, "rows": 1, "statistics": object{"elapsed": 0.001, "rows_read": 1, "bytes_read": 24}}).Body
	default:
		a.Body = []byte(strings.Repeat("notes\t", len(columns)-1) + "notes\n")
	}
	return a
}

// isClickHouse recognises the clients of ClickHouse.
func isClickHouse(r *Request) bool {
	if strings.Contains(strings.ToLower(r.Header("User-Agent")), "clickhouse") || strings.HasSuffix(r.Host, ":8123") {
		return true
	}
	for _, f := range r.Fields {
		if strings.HasPrefix(strings.ToLower(f.Name), "x-clickhouse-") {
			return true
		}
	}
	return false
}

// columnsOf are the names of the columns that a query asks for; nil if it asks for
// none. A name is a word, as in any query.
func columnsOf(query string) []string {
	upper := strings.ToUpper(query)
	for _, verb := range []string{"SHOW ", "DESCRIBE ", "DESC ", "EXISTS ", "EXPLAIN "} {
		if strings.HasPrefix(upper, verb) {
			return []string{"name"}
		}
	}
	m := selected.FindStringSubmatch(query)
	if m == nil {
		return nil
	}
	var out []string
	for _, part := range splitColumns(m[1]) {
		name := columnName.FindStringSubmatch(part)
		switch {
		case name != nil:
			out = append(out, name[1])
		case strings.TrimSpace(part) == "*":
			out = append(out, "id", "name")
		default:
			out = append(out, "column"+itoa(int64(len(out)+1)))
		}
		if len(out) >= maxColumns {
			break
		}
	}
	return out
}

// splitColumns divides a list at the commas outside of parentheses.
func splitColumns(list string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0 && len(out) < maxColumns:
			out, start = append(out, list[start:i]), i+1
		}
	}
	return append(out, list[start:])
}

func rowOf(columns []string) object {
	row := object{}
	for _, c := range columns {
		row[c] = cellOf(c)
	}
	return row
}

var numericColumn = lazyregexp.New(`(?i)(?:^|_)(?:rows?|bytes|count|total|size|sum|avg|min|max|num|id|n|position|readonly|is)(?:$|_)`)

// cellOf is the value of a column.
func cellOf(column string) string {
	if numericColumn.MatchString(column) {
		return "2"
	}
	return "notes"
}

// nativeRows is a block of the native format with rows of texts.
func nativeRows(columns []string, rows int) []byte {
	text := func(out []byte, s string) []byte { return append(binary.AppendUvarint(out, uint64(len(s))), s...) }
	out := binary.AppendUvarint(nil, uint64(len(columns)))
	out = binary.AppendUvarint(out, uint64(rows))
	for _, c := range columns {
		out = text(text(out, c), "String")
		for range rows {
			out = text(out, cellOf(c))
		}
	}
	return out
}
