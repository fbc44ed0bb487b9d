package relational

import (
	"math"
	"slices"
	"strings"
)

func isAggregate(name string) bool {
	switch strings.TrimPrefix(name, "over ") {
	case "count", "sum", "avg", "min", "max", "string_agg", "group_concat", "array_agg", "json_agg", "jsonb_agg", "json_arrayagg", "bool_and", "bool_or", "every",
		"stddev", "variance", "any_value", "json_object_agg", "jsonb_object_agg":
		return true
	}
	return false
}

func aggregateType(r *run, name string, types []Type) Type {
	first := Type{}
	if len(types) > 0 {
		first = types[0]
	}
	switch strings.TrimPrefix(name, "over ") {
	case "count":
		return Type{Kind: Int8}
	case "sum":
		switch {
		case first.Kind.integer() && first.Kind != Int8 && r.engine == Postgres:
			return Type{Kind: Int8}
		case first.Kind.integer():
			return Type{Kind: Numeric}
		case first.Kind.numeric():
			return Type{Kind: first.Kind, Scale: first.Scale}
		}
		return Type{Kind: Float8}
	case "avg", "stddev", "variance":
		switch {
		case first.Kind == Float8:
			return Type{Kind: Float8}
		case r.engine == Postgres:
			return Type{Kind: Numeric, Scale: 16}
		}
		return Type{Kind: Numeric, Scale: first.Scale + 4}
	case "min", "max", "any_value":
		return first
	case "array_agg":
		if first.Kind.integer() {
			return Type{Kind: IntArray}
		}
		return Type{Kind: TextArray}
	case "json_agg", "jsonb_agg", "json_arrayagg", "json_object_agg", "jsonb_object_agg":
		return Type{Kind: JSON}
	case "bool_and", "bool_or", "every":
		return Type{Kind: Bool}
	}
	return Type{Kind: Text}
}

// aggregated says whether an expression has an aggregate of its own query.
func aggregated(x *expr) bool {
	found := false
	x.each(func(y *expr) bool {
		found = found || y.op == opCall && isAggregate(y.name)
		return !found
	})
	return found
}

// aggregate computes an aggregate over the rows of the group.
func (r *run) aggregate(x *expr, sc *scope) (Value, error) {
	if sc == nil || !sc.grouped {
		return nil, r.engine.problem("42803", 1111, "aggregate functions are not allowed in WHERE", "Invalid use of group function")
	}
	name := strings.TrimPrefix(x.name, "over ")
	if name == "count" && (x.all || len(x.args) == 0) && x.filter == nil {
		return int64(len(sc.group)), nil
	}
	values, err := gathered(r, x, sc)
	if err != nil {
		return nil, err
	}
	list := make([]Value, len(values))
	for i := range values {
		list[i] = values[i][0]
	}
	switch name {
	case "count":
		return int64(len(list)), nil
	case "sum", "avg", "stddev", "variance":
		return total(r, name, list)
	case "min":
		return extreme(r, list, -1)
	case "max":
		return extreme(r, list, 1)
	case "bool_and", "every", "bool_or":
		return allOf(r, name, list)
	}
	if len(list) == 0 {
		return nil, nil
	}
	switch name {
	case "string_agg", "group_concat":
		between := ","
		if len(values[0]) > 1 {
			between = r.show(values[0][1])
		}
		return concatAll(r, list, between)
	case "array_agg":
		return list, r.keep(len(list))
	case "json_object_agg", "jsonb_object_agg":
		names, members := make([]string, len(values)), make([]Value, len(values))
		for i, v := range values {
			names[i], members[i] = r.show(v[0]), v[len(v)-1]
		}
		return madeJSON(r, jsonObject(names, members))
	case "any_value":
		return list[0], nil
	}
	return madeJSON(r, jsonText(list))
}

// gathered evaluates the arguments for each row of the group, without the rows
// where the first is NULL.
func gathered(r *run, x *expr, sc *scope) ([][]Value, error) {
	type entry struct{ args, keys []Value }
	var list []entry
	seen := map[string]bool{}
	for _, row := range sc.group {
		inner := &scope{cols: sc.cols, row: row, outer: sc.outer}
		args, err := counted(r, x, inner)
		if err != nil {
			return nil, err
		}
		if args == nil {
			continue
		}
		if x.distinct {
			k := (query{r}).key(args[:1])
			if seen[k] {
				continue
			}
			seen[k] = true
		}
		var keys []Value
		for _, o := range x.order {
			k, err := r.eval(o.by, inner)
			if err != nil {
				return nil, err
			}
			keys = append(keys, k)
		}
		if err := r.keep(len(args)); err != nil {
			return nil, err
		}
		list = append(list, entry{args, keys})
	}
	if len(x.order) > 0 {
		slices.SortStableFunc(list, func(a, b entry) int { return orderOf(r, a.keys, b.keys, x.order) })
	}
	out := make([][]Value, len(list))
	for i := range list {
		out[i] = list[i].args
	}
	return out, nil
}

// counted evaluates the arguments of an aggregate for one row. They are nil if the row
// does not count: FILTER leaves it out, or the first of them is NULL.
func counted(r *run, x *expr, sc *scope) ([]Value, error) {
	if x.filter != nil {
		if ok, err := r.holds(x.filter, sc); err != nil || !ok {
			return nil, err
		}
	}
	if len(x.args) == 0 {
		return []Value{true}, nil
	}
	args, err := r.evalAll(x.args, sc)
	if err != nil {
		return nil, err
	}
	if args[0] == nil && !strings.Contains(x.name, "json") && !strings.Contains(x.name, "array") {
		return nil, nil
	}
	return args, nil
}

func total(r *run, name string, list []Value) (Value, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var sum, squares float64
	isWhole := name == "sum"
	for _, v := range list {
		n, err := r.number(v)
		if err != nil {
			return nil, err
		}
		_, isInt := n.(int64)
		isWhole = isWhole && isInt
		f, _ := prefixNumber(n)
		sum += f
		squares += f * f
	}
	n := float64(len(list))
	switch name {
	case "avg":
		return sum / n, nil
	case "stddev", "variance":
		if n < 2 {
			return nil, nil
		}
		v := (squares - sum*sum/n) / (n - 1)
		if name == "stddev" {
			v = math.Sqrt(v)
		}
		return v, nil
	}
	if isWhole && math.Abs(sum) < 1<<53 {
		return int64(sum), nil
	}
	return sum, nil
}

func allOf(r *run, name string, list []Value) (Value, error) {
	if len(list) == 0 {
		return nil, nil
	}
	for _, v := range list {
		ok, err := r.truth(v, nil)
		if err != nil {
			return nil, err
		}
		if ok == (name == "bool_or") {
			return ok, nil
		}
	}
	return name != "bool_or", nil
}
