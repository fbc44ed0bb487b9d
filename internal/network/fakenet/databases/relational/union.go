package relational

import (
	"slices"
	"strconv"
	"strings"
)

// combined computes the parts of a UNION and the like.
func (r query) combined(q *selection, outer *scope) (*relation, error) {
	var all *relation
	for i := range q.arms {
		a := &q.arms[i]
		rel, err := r.portion(a, outer)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = &relation{cols: slices.Clone(rel.cols), rows: rel.rows}
			continue
		}
		if err := r.alike(all, rel, a.joined); err != nil {
			return nil, err
		}
		if err := r.keep(len(rel.rows)); err != nil {
			return nil, err
		}
		all.rows = r.together(a, all.rows, rel.rows)
	}
	return all, r.sortResult(all, q.order)
}

// portion computes one part of a query.
func (r query) portion(a *arm, outer *scope) (*relation, error) {
	switch {
	case a.nested != nil:
		return r.selection(a.nested, outer)
	case a.values != nil:
		return r.values(a.values, outer)
	}
	return r.arm(a, nil, outer)
}

func (r query) values(rows [][]*expr, outer *scope) (*relation, error) {
	rel := &relation{}
	for i, row := range rows {
		if i == 0 {
			for n, x := range row {
				t, err := r.infer(x, outer)
				if err != nil {
					return nil, err
				}
				name := "column" + strconv.Itoa(n+1)
				if r.engine == MySQL {
					name = "column_" + strconv.Itoa(n)
				}
				rel.cols = append(rel.cols, Column{Name: name, Type: t})
			}
		}
		if len(row) != len(rel.cols) {
			return nil, r.engine.problem("42601", 1136, "VALUES lists must all be the same length", "Column count doesn't match value count at row %d", i+1)
		}
		out, err := r.evalAll(row, outer)
		if err != nil {
			return nil, err
		}
		if err := r.keep(len(out)); err != nil {
			return nil, err
		}
		rel.rows = append(rel.rows, out)
	}
	return rel, nil
}

// alike checks that two parts fit, and converts the rows of the second.
func (r query) alike(all, rel *relation, joined string) error {
	if len(all.cols) != len(rel.cols) {
		return r.engine.problem("42601", 1222, "each "+strings.ToUpper(joined)+" query must have the same number of columns", "The used SELECT statements have a different number of columns")
	}
	for i := range all.cols {
		a, b := all.cols[i].Type, rel.cols[i].Type
		all.cols[i].Of = 0
		switch {
		case b.Kind == Unknown || a.Kind == b.Kind:
			all.cols[i].Type.Scale = max(a.Scale, b.Scale)
		case a.Kind == Unknown:
			all.cols[i].Type = b
			if err := r.convert(all.rows, i, b); err != nil {
				return err
			}
		case a.Kind.numeric() && b.Kind.numeric():
			all.cols[i].Type = typing(r).inferNumber("+", a, b)
		case r.engine == Postgres && a.Kind.info().category != b.Kind.info().category:
			return &Error{State: "42804", Message: strings.ToUpper(joined) + " types " + a.Kind.info().postgres + " and " + b.Kind.info().postgres + " cannot be matched"}
		default:
			all.cols[i].Type = Type{Kind: Text}
		}
		if err := r.convert(rel.rows, i, all.cols[i].Type); err != nil {
			return err
		}
	}
	return nil
}

// convert reads the texts of a column as another type, where that is needed.
func (r query) convert(rows [][]Value, column int, t Type) error {
	if t.Kind == Unknown || r.engine == MySQL {
		return nil
	}
	for i, row := range rows {
		if s, ok := row[column].(string); ok {
			v, err := r.cast(s, Type{Kind: t.Kind}, "")
			if err != nil {
				return err
			}
			if v != Value(s) {
				rows[i] = slices.Clone(row)
				rows[i][column] = v
			}
		}
	}
	return nil
}

// together joins the rows of two parts.
func (r query) together(a *arm, x, y [][]Value) [][]Value {
	if a.joined == "union" {
		out := slices.Concat(x, y)
		if !a.all {
			out = r.unique(out)
		}
		return out
	}
	in := map[string]bool{}
	for _, row := range y {
		in[r.key(row)] = true
	}
	var out [][]Value
	for _, row := range x {
		if in[r.key(row)] == (a.joined == "intersect") {
			out = append(out, row)
		}
	}
	if !a.all {
		out = r.unique(out)
	}
	return out
}

func (r query) unique(rows [][]Value) [][]Value {
	seen := make(map[string]bool, len(rows))
	var out [][]Value
	for _, row := range rows {
		if k := r.key(row); !seen[k] {
			seen[k] = true
			out = append(out, row)
		}
	}
	return out
}

// key is the same for rows that are the same. Its length counts as work; once that is
// used up the next step ends the statement.
func (r query) key(row []Value) string {
	var b strings.Builder
	for _, v := range row {
		if r.steps > maxSteps {
			return ""
		}
		s := Postgres.Format(v, Type{})
		switch v.(type) {
		case nil:
			s = "\x00"
		case string:
			s = "'" + s
		}
		b.WriteString(strconv.Itoa(len(s)) + ":" + s)
		r.steps += 1 + len(s)/32
	}
	return b.String()
}
