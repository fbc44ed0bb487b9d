package relational

import "strings"

// conjuncts are the conditions that WHERE joins with AND. Joins apply them as soon as
// they have the columns: lists of tables with commas between them, as clients ask
// catalogues for indexes, would otherwise become large before WHERE is looked at.
func conjuncts(x *expr) []*expr {
	if x == nil {
		return nil
	}
	if x.op == opBinary && x.name == "and" {
		return append(conjuncts(x.args[0]), conjuncts(x.args[1])...)
	}
	plain := true
	x.each(func(y *expr) bool {
		plain = plain && y.query == nil && y.op != opCall
		return plain
	})
	if !plain {
		return nil
	}
	return []*expr{x}
}

// decided are the conditions whose columns are all among these, each exactly once.
func decided(list []*expr, cols []Column) []*expr {
	var out []*expr
	for _, x := range list {
		known := true
		x.each(func(y *expr) bool {
			if y.op != opColumn {
				return known
			}
			n := 0
			for i := range cols {
				if strings.EqualFold(cols[i].Name, y.name) && (y.table == "" || strings.EqualFold(cols[i].Table, y.table)) {
					n++
				}
			}
			known = known && n == 1
			return known
		})
		if known {
			out = append(out, x)
		}
	}
	return out
}

// joined computes FROM with the conditions of WHERE. Only the left side of a join is
// given them: there a column has the same place as in the whole.
func (r query) joined(s *source, where []*expr, outer *scope) (*relation, error) {
	if s.join == "" || s.join == "right" || s.join == "full" || len(where) == 0 {
		return r.source(s, outer)
	}
	left, err := r.joined(s.left, where, outer)
	if err != nil {
		return nil, err
	}
	if s.join == "left" {
		where = nil
	}
	return r.joinTo(s, left, where, outer)
}
