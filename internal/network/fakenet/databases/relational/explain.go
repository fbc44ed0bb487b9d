package relational

import (
	"fmt"
)

// explained executes EXPLAIN: a plan that reads one table from end to end.
func (r catalog) explained(st *statement) (*Result, error) {
	name := st.table
	if st.query != nil {
		if _, err := r.described(st.query, nil); err != nil {
			return nil, err
		}
		if from := st.query.arms; name == "" && len(from) > 0 && from[0].from != nil {
			name = from[0].from.name
		}
	}
	isJSON := len(st.words) > 0 && st.words[len(st.words)-1] == "json"
	var rel *relation
	rows := 1
	if t := r.find(st.schema, name); t != nil {
		rows = len(t.Rows)
	}
	switch {
	case r.engine == MySQL && isJSON:
		rel = listing("EXPLAIN")
		rel.add(fmt.Sprintf(`{"query_block": {"select_id": 1, "cost_info": {"query_cost": "1.25"}, "table": {"table_name": %s, "access_type": "ALL", "rows_examined_per_scan": %d}}}`, jsonText(clip(name)), rows))
	case r.engine == MySQL:
		rel = listing("id:l select_type table partitions type possible_keys key key_len ref rows:l filtered:f Extra")
		rel.add(1, "SIMPLE", clip(name), nil, "ALL", nil, nil, nil, nil, rows, 100.0, nil)
	case isJSON:
		rel = &relation{cols: []Column{{Name: "QUERY PLAN", Type: Type{Kind: JSON}}}}
		rel.add(document(fmt.Sprintf(`[{"Plan": {"Node Type": "Seq Scan", "Relation Name": %s, "Alias": %s, "Startup Cost": 0.00, "Total Cost": 11.50, "Plan Rows": %d, "Plan Width": 520}, "Planning Time": 0.052, "Execution Time": 0.014}]`, jsonText(clip(name)), jsonText(clip(name)), rows)))
	default:
		rel = &relation{cols: []Column{{Name: "QUERY PLAN", Type: Type{Kind: Text}}}}
		line := "Result  (cost=0.00..0.01 rows=1 width=4)"
		if name != "" {
			line = fmt.Sprintf("Seq Scan on %s  (cost=0.00..11.50 rows=%d width=520)", clip(name), rows)
		}
		rel.add(line)
	}
	return &Result{Columns: rel.cols, Rows: rel.rows, Tag: "EXPLAIN"}, nil
}
