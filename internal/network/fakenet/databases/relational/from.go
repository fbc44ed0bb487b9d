package relational

import (
	"slices"
	"strings"
)

// source computes an entry of FROM.
func (r query) source(s *source, outer *scope) (*relation, error) {
	switch {
	case s.join != "":
		return r.join(s, outer)
	case s.query != nil:
		rel, err := r.selection(s.query, outer)
		if err != nil {
			return nil, err
		}
		return renamed(rel, s.alias, s.columns), nil
	case s.call != nil:
		return r.rowsOf(s, outer)
	}
	alias := s.alias
	if alias == "" {
		alias = s.name
	}
	if s.schema == "" {
		for _, n := range slices.Backward(r.named) {
			if strings.EqualFold(n.name, s.name) {
				return renamed(n.rel, alias, s.columns), nil
			}
		}
	}
	rel, err := r.table(s.schema, s.name)
	if err != nil {
		return nil, err
	}
	if err := r.step(len(rel.rows)); err != nil {
		return nil, err
	}
	return renamed(rel, alias, s.columns), nil
}

// table is a table, or one of the catalogues.
func (r query) table(schema, name string) (*relation, error) {
	if t := r.find(schema, name); t != nil {
		rel := &relation{rows: t.Rows}
		for i, c := range t.Columns {
			rel.cols = append(rel.cols, Column{Name: c.Name, Type: c.Type, Of: t.OID, Number: i + 1})
		}
		if r.dry {
			rel.rows = nil
		}
		return rel, nil
	}
	if rel := catalog(r).catalogue(schema, name); rel != nil {
		if err := r.keep(len(rel.rows)); err != nil {
			return nil, err
		}
		if r.dry {
			rel.rows = nil
		}
		return rel, nil
	}
	full := name
	database := r.Database
	if schema != "" {
		if r.engine == Postgres {
			full = schema + "." + name
		} else {
			database = schema
			if !r.isSchema(schema) {
				return nil, &Error{State: "42000", Number: 1049, Message: "Unknown database '" + clip(schema) + "'"}
			}
		}
	}
	return nil, r.engine.noTable(clip(full), database)
}

// find finds a table of the store.
func (s *Session) find(schema, name string) *Table {
	schema = s.schemaOf(schema)
	if t := s.store.find(schema, name); t != nil || s.engine == Postgres {
		return t
	}
	for _, t := range s.store.tables {
		if t.Schema == schema && strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

// join joins two entries of FROM.
func (r query) join(s *source, outer *scope) (*relation, error) {
	left, err := r.source(s.left, outer)
	if err != nil {
		return nil, err
	}
	return r.joinTo(s, left, nil, outer)
}

// joinTo joins the left side, which is there already, with the right one. Pairs have
// to fulfil the conditions of WHERE that can be decided then.
func (r query) joinTo(s *source, left *relation, where []*expr, outer *scope) (*relation, error) {
	right, err := r.source(s.right, outer)
	if err != nil {
		return nil, err
	}
	using := s.using
	if s.natural {
		for _, c := range left.cols {
			if slices.ContainsFunc(right.cols, func(d Column) bool { return d.Name == c.Name }) {
				using = append(using, c.Name)
			}
		}
	}
	out := &relation{cols: append(slices.Clone(left.cols), right.cols...)}
	if len(out.cols) > maxColumns*8 {
		return nil, r.engine.tooMuch()
	}
	on, err := r.condition(s, using, left, right, out, outer)
	if err != nil {
		return nil, err
	}
	where = decided(where, out.cols)
	sc := &scope{cols: out.cols, outer: outer, where: "where clause"}
	for _, x := range where {
		if _, err := r.infer(x, sc); err != nil {
			return nil, err
		}
	}
	return out, r.pair(s.join, left, right, out, func(row []Value) (bool, error) {
		ok, err := on(row)
		sc.row = row
		for i := 0; i < len(where) && ok && err == nil; i++ {
			ok, err = r.holds(where[i], sc)
		}
		return ok, err
	})
}

// condition is what two rows have to fulfil.
func (r query) condition(s *source, using []string, left, right, out *relation, outer *scope) (func([]Value) (bool, error), error) {
	var pairs [][2]int
	for _, name := range using {
		same := func(c Column) bool { return strings.EqualFold(c.Name, name) && !c.hidden }
		i, j := slices.IndexFunc(left.cols, same), slices.IndexFunc(right.cols, same)
		if i < 0 || j < 0 {
			return nil, r.engine.noColumn("", name, "from clause")
		}
		pairs = append(pairs, [2]int{i, len(left.cols) + j})
		out.cols[len(left.cols)+j].hidden = true
	}
	sc := &scope{cols: out.cols, outer: outer, where: "on clause"}
	if s.on != nil {
		if _, err := r.infer(s.on, sc); err != nil {
			return nil, err
		}
	}
	return func(row []Value) (bool, error) {
		for _, p := range pairs {
			same, err := r.compareBy("=", row[p[0]], row[p[1]])
			if err != nil || same != true {
				return false, err
			}
		}
		if s.on == nil {
			return true, nil
		}
		sc.row = row
		return r.holds(s.on, sc)
	}, nil
}

// pair goes through all pairs of rows. Each counts as a step, so that the join of
// large tables ends with an error.
func (r query) pair(kind string, left, right, out *relation, on func([]Value) (bool, error)) error {
	matched := make([]bool, len(right.rows))
	row := make([]Value, len(out.cols))
	add := func(x, y []Value) error {
		joined := make([]Value, len(out.cols))
		copy(joined, x)
		copy(joined[len(left.cols):], y)
		out.rows = append(out.rows, joined)
		return r.keep(len(joined))
	}
	for _, x := range left.rows {
		hit := false
		copy(row, x)
		for j, y := range right.rows {
			if err := r.step(1); err != nil {
				return err
			}
			copy(row[len(left.cols):], y)
			ok, err := on(row)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			hit, matched[j] = true, true
			if err := add(x, y); err != nil {
				return err
			}
		}
		if !hit && (kind == "left" || kind == "full") {
			if err := add(x, nil); err != nil {
				return err
			}
		}
	}
	if kind != "right" && kind != "full" {
		return nil
	}
	for j, y := range right.rows {
		if !matched[j] {
			if err := add(nil, y); err != nil {
				return err
			}
		}
	}
	return nil
}
