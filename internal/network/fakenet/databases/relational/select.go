package relational

import (
	"slices"
)

// selection computes a query.
func (r query) selection(q *selection, outer *scope) (*relation, error) {
	if r.level++; r.level > maxLevels {
		return nil, r.engine.problem("54001", 1436, "stack depth limit exceeded", "Thread stack overrun")
	}
	names := len(r.named)
	defer func() { r.level--; r.named = r.named[:names] }()
	if err := r.name(q.with, outer); err != nil {
		return nil, err
	}
	var rel *relation
	var err error
	if len(q.arms) == 1 && q.arms[0].nested == nil && q.arms[0].values == nil {
		rel, err = r.arm(&q.arms[0], q.order, outer)
	} else {
		rel, err = r.combined(q, outer)
	}
	if err != nil {
		return nil, err
	}
	return rel, r.cut(rel, q, outer)
}

// name computes the queries of WITH.
func (r query) name(list []with, outer *scope) error {
	for i := range list {
		w := &list[i]
		var rel *relation
		var err error
		switch {
		case w.statement != nil:
			var res *Result
			if res, err = changing(r).change(w.statement); err == nil {
				rel = &relation{res.Columns, res.Rows}
			}
		case w.recursive && len(w.query.arms) > 1:
			rel, err = r.recursive(w, outer)
		default:
			rel, err = r.selection(w.query, outer)
		}
		if err != nil {
			return err
		}
		r.named = append(r.named, namedResult{w.name, renamed(rel, "", w.columns)})
	}
	return nil
}

// recursive repeats the last part of a query until it adds nothing.
func (r query) recursive(w *with, outer *scope) (*relation, error) {
	arms := w.query.arms
	first, last := *w.query, *w.query
	first.arms, last.arms = arms[:len(arms)-1], arms[len(arms)-1:]
	rel, err := r.selection(&first, outer)
	if err != nil {
		return nil, err
	}
	rel = renamed(rel, "", w.columns)
	all, work := *rel, rel.rows
	seen := map[string]bool{}
	for round := 0; len(work) > 0 || round == 0; round++ {
		if err := r.keep(100); err != nil {
			return nil, err
		}
		r.named = append(r.named, namedResult{w.name, &relation{rel.cols, work}})
		more, err := r.selection(&last, outer)
		r.named = r.named[:len(r.named)-1]
		if err != nil {
			return nil, err
		}
		work = nil
		for _, row := range more.rows {
			if k := r.key(row); arms[len(arms)-1].all || !seen[k] {
				seen[k] = true
				work = append(work, row)
			}
		}
		all.rows = append(all.rows, work...)
	}
	return &all, nil
}

// renamed gives a relation another alias and its columns other names.
func renamed(rel *relation, alias string, columns []string) *relation {
	out := &relation{cols: slices.Clone(rel.cols), rows: rel.rows}
	for i := range out.cols {
		if alias != "" {
			out.cols[i].Table = alias
		}
		if i < len(columns) && columns[i] != "" {
			out.cols[i].Name = columns[i]
		}
		out.cols[i].hidden = false
	}
	return out
}

// cut applies LIMIT and OFFSET.
func (r query) cut(rel *relation, q *selection, outer *scope) error {
	for i, x := range []*expr{q.offset, q.limit} {
		if x == nil {
			continue
		}
		if _, err := r.infer(x, outer); err != nil {
			return err
		}
		r.expects(x, Type{Kind: Int8})
		v, err := r.eval(x, outer)
		if err != nil || v == nil {
			return err
		}
		n, err := toInt(r.run, v, Int8)
		if err != nil {
			return err
		}
		count := n.(int64)
		if count < 0 {
			return r.engine.problem("2201W", 1064, "LIMIT must not be negative", "You have an error in your SQL syntax near '%s'", x.text)
		}
		r.found = int64(len(rel.rows))
		at := int(min(count, int64(len(rel.rows))))
		if i == 0 {
			rel.rows = rel.rows[at:]
		} else {
			rel.rows = rel.rows[:at]
		}
	}
	return nil
}
