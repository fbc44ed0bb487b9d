package relational

import (
	"slices"
	"strings"
)

// Column is a column of a result.
type Column struct {
	Name  string
	Type  Type
	Table string // the alias of the table it comes from
	// Of is that table, 0 if it comes from none, and Number its place there.
	Of     int64
	Number int
	// hidden columns are found by their name but are not part of a star.
	hidden bool
}

// relation is a result.
type relation struct {
	cols []Column
	rows [][]Value
}

// scope is where the columns of an expression are found.
type scope struct {
	cols  []Column
	row   []Value
	group [][]Value // the rows of the group, if grouped is set
	outer *scope

	grouped bool
	where   string // the clause, for errors
}

// place is where a column was found: so many scopes outside, at an index.
type place struct{ up, at int }

// lookup finds a column, in the scopes outside if need be.
func (r *run) lookup(x *expr, sc *scope) (place, Type, error) {
	for up, s := 0, sc; s != nil; up, s = up+1, s.outer {
		at, several := s.find(x)
		if several {
			return place{}, Type{}, r.engine.ambiguous(x.name)
		}
		if at >= 0 {
			p := place{up, at}
			r.places[x] = p
			return p, s.cols[at].Type, nil
		}
		isTable := func(c Column) bool { return c.Table == x.name }
		if x.table == "" && r.engine == Postgres && slices.ContainsFunc(s.cols, isTable) { // a whole row: row_to_json(t)
			r.places[x] = place{up, -1}
			return place{up, -1}, Type{Kind: JSON}, nil
		}
	}
	where := "field list"
	if sc != nil && sc.where != "" {
		where = sc.where
	}
	if x.table != "" && r.engine == Postgres && !hasTable(x.table, sc) {
		return place{}, Type{}, &Error{State: "42P01", Message: `missing FROM-clause entry for table "` + clip(x.table) + `"`}
	}
	return place{}, Type{}, r.engine.noColumn(x.table, x.name, where)
}

// find is the place of a column in the scope itself, -1 if it is not there. A hidden
// column gives way to one that is not; of others only one may have the name.
func (sc *scope) find(x *expr) (at int, several bool) {
	at = -1
	for i := range sc.cols {
		c := &sc.cols[i]
		if !strings.EqualFold(c.Name, x.name) || x.table != "" && !strings.EqualFold(c.Table, x.table) {
			continue
		}
		if at >= 0 && !c.hidden && !sc.cols[at].hidden {
			return at, true
		}
		if at < 0 || sc.cols[at].hidden {
			at = i
		}
	}
	return at, false
}

// hasTable says whether a scope, or one outside, has columns of a table.
func hasTable(name string, sc *scope) bool {
	for ; sc != nil; sc = sc.outer {
		for i := range sc.cols {
			if strings.EqualFold(sc.cols[i].Table, name) {
				return true
			}
		}
	}
	return false
}

func (r *run) column(x *expr, sc *scope) (Value, error) {
	p, found := r.places[x]
	if !found {
		var err error
		if p, _, err = r.lookup(x, sc); err != nil {
			return nil, err
		}
	}
	for range p.up {
		if sc = sc.outer; sc == nil {
			return nil, r.engine.noColumn(x.table, x.name, "field list")
		}
	}
	if p.at < 0 {
		return wholeRow(r, x.name, sc)
	}
	if p.at >= len(sc.row) {
		return nil, nil // an empty group
	}
	return sc.row[p.at], nil
}

func wholeRow(r *run, table string, sc *scope) (Value, error) {
	var names []string
	var values []Value
	for i := range sc.cols {
		if sc.cols[i].Table == table && i < len(sc.row) {
			names, values = append(names, sc.cols[i].Name), append(values, sc.row[i])
		}
	}
	s, err := r.made(jsonObject(names, values))
	if err != nil {
		return nil, err
	}
	return document(s.(string)), nil
}

// jsonObject writes an object whose members keep their order.
func jsonObject(names []string, values []Value) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonText(name) + ":" + jsonText(values[i]))
	}
	b.WriteByte('}')
	return b.String()
}
