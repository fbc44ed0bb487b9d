package relational

import (
	"slices"
	"strings"
)

// sort sorts rows by their keys.
func (r query) sort(rel *relation, keys [][]Value, order []ordered) {
	if len(order) == 0 {
		return
	}
	at := make([]int, len(rel.rows))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return orderOf(r.run, keys[a], keys[b], order) })
	rows := make([][]Value, len(at))
	for i, from := range at {
		rows[i] = rel.rows[from]
	}
	rel.rows = rows
}

// orderOf compares two rows by their keys. NULL is the largest value for
// PostgreSQL and the smallest for MySQL.
func orderOf(r *run, a, b []Value, order []ordered) int {
	for i, o := range order {
		if r.steps > maxSteps {
			return 0 // the next step ends the statement
		}
		r.steps++
		x, y := a[i], b[i]
		sign := 1
		if o.desc {
			sign = -1
		}
		if x == nil || y == nil {
			if c := orderOfNull(r, x, y, o); c != 0 {
				return c
			}
			continue
		}
		if s, ok := x.(string); ok && r.engine == Postgres {
			if t, ok := y.(string); ok { // the collation of a usual server ignores case first
				r.steps += (len(s) + len(t)) / 64
				if c := strings.Compare(strings.ToLower(s), strings.ToLower(t)); c != 0 {
					return c * sign
				}
			}
		}
		c, err := r.compare(x, y)
		if err == nil && c != 0 {
			return c * sign
		}
	}
	return 0
}

// orderOfNull compares two values of which one is NULL, or both are.
func orderOfNull(r *run, x, y Value, o ordered) int {
	if x == nil && y == nil {
		return 0
	}
	first := r.engine == MySQL != o.desc
	if o.nullsSaid {
		first = o.nullsFirst
	}
	if (x == nil) == first {
		return -1
	}
	return 1
}

// sortResult sorts what UNION and the like made, by columns of the result.
func (r query) sortResult(rel *relation, order []ordered) error {
	if len(order) == 0 {
		return nil
	}
	sc := &scope{cols: rel.cols, where: "order clause"}
	var places []int
	for _, o := range order {
		at, err := r.ordinal(o.by, rel.cols, nil)
		if err != nil {
			return err
		}
		if at < 0 {
			if _, err := r.infer(o.by, sc); err != nil {
				return err
			}
		}
		places = append(places, at)
	}
	keys := make([][]Value, len(rel.rows))
	for i, row := range rel.rows {
		sc.row = row
		for n, o := range order {
			if places[n] >= 0 {
				keys[i] = append(keys[i], row[places[n]])
				continue
			}
			v, err := r.eval(o.by, sc)
			if err != nil {
				return err
			}
			keys[i] = append(keys[i], v)
		}
	}
	r.sort(rel, keys, order)
	return r.keep(len(rel.rows))
}
