package relational

import (
	"encoding/json"
)

// rowsOf computes a function in FROM.
func (r query) rowsOf(s *source, outer *scope) (*relation, error) {
	x := s.call
	args, err := r.evalAll(x.args, outer)
	if err != nil {
		return nil, err
	}
	rel := &relation{cols: []Column{{Name: s.alias, Table: s.alias, Type: Type{Kind: Text}}}}
	add := func(values ...Value) error {
		rel.rows = append(rel.rows, values)
		return r.keep(len(values))
	}
	switch x.name {
	case "generate_series":
		rel.cols[0].Type = Type{Kind: Int4}
		if err := r.series(args, add); err != nil {
			return nil, err
		}
	case "unnest", "json_array_elements", "jsonb_array_elements", "json_array_elements_text", "jsonb_array_elements_text", "regexp_split_to_table", "string_to_table":
		for i, v := range elements(args) {
			row := []Value{v}
			if len(s.columns) > 1 { // WITH ORDINALITY
				row = append(row, int64(i+1))
			}
			if err := add(row...); err != nil {
				return nil, err
			}
		}
		if len(s.columns) > 1 {
			rel.cols = append(rel.cols, Column{Name: "ordinality", Table: s.alias, Type: Type{Kind: Int8}})
		}
	default:
		t, err := r.infer(x, outer)
		if err != nil {
			return nil, err
		}
		v, err := r.eval(x, outer)
		if err != nil {
			return nil, err
		}
		rel.cols[0].Type = t
		if err := add(v); err != nil {
			return nil, err
		}
	}
	return renamed(rel, s.alias, s.columns), nil
}

func (r query) series(args []Value, add func(...Value) error) error {
	if len(args) < 2 {
		return r.engine.noFunction("generate_series", []string{"unknown"})
	}
	from, to, by := whole(args[0]), whole(args[1]), 1
	if len(args) > 2 {
		by = whole(args[2])
	}
	if by == 0 {
		return &Error{State: "22023", Message: "step size cannot equal zero"}
	}
	for n := from; by > 0 && n <= to || by < 0 && n >= to; n += by {
		if err := add(int64(n)); err != nil {
			return err
		}
	}
	return nil
}

// elements are those of an array, or of one in JSON.
func elements(args []Value) []Value {
	if len(args) == 0 {
		return nil
	}
	if list, ok := args[0].([]Value); ok {
		return list
	}
	var raw []json.RawMessage
	if json.Unmarshal([]byte(Postgres.Format(args[0], Type{})), &raw) != nil {
		return nil
	}
	var list []Value
	for _, e := range raw {
		list = append(list, document(e))
	}
	return list
}
