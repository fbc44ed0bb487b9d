package relational

import (
	"maps"
)

// function is a function that takes values and returns one.
type function struct {
	least, most int // arguments; most -1: any number
	result      Type
	// like is the number of the argument, from one, that has the type of the result.
	like int
	call func(r *run, args []Value) (Value, error)
	// nulls says that the function takes NULL; others return it then.
	nulls bool
}

// functions are all functions by their names.
func functions() map[string]function {
	all := map[string]function{}
	for _, group := range []map[string]function{textFunctions(), numberFunctions(), timeFunctions(), jsonFunctions(), conditionFunctions(), systemFunctions()} {
		maps.Copy(all, group)
	}
	return all
}

// call computes a function.
func (r *run) call(x *expr, sc *scope) (Value, error) {
	if isAggregate(x.name) {
		return r.aggregate(x, sc)
	}
	f, err := r.functionOf(x, nil)
	if err != nil {
		return nil, err
	}
	if x.name == "coalesce" || x.name == "ifnull" {
		return coalesce(r, x, sc)
	}
	args, err := r.evalAll(x.args, sc)
	if err != nil {
		return nil, err
	}
	work := 5
	for _, a := range args {
		if a == nil && !f.nulls {
			return nil, nil
		}
		work += size([]Value{a}) / 64
	}
	if err := r.step(work); err != nil {
		return nil, err
	}
	v, err := f.call(r, args)
	if err != nil {
		return nil, err
	}
	if s, ok := v.(string); ok {
		return r.made(s)
	}
	return v, nil
}

// functionOf finds the function of a call, or the error that the server has for it.
func (r *run) functionOf(x *expr, sc *scope) (function, error) {
	f, found := r.store.functions[x.name]
	if !found || len(x.args) < f.least || f.most >= 0 && len(x.args) > f.most {
		var types []string
		for _, a := range x.args {
			name := "unknown"
			if sc != nil {
				if t, err := r.infer(a, sc); err == nil && (t.Kind != Unknown || a.op != opLiteral) {
					name = t.Kind.info().postgres
				}
			}
			types = append(types, name)
		}
		if found && r.engine == MySQL {
			return f, &Error{State: "42000", Number: 1582, Message: "Incorrect parameter count in the call to native function '" + x.name + "'"}
		}
		return f, r.engine.noFunction(x.name, types)
	}
	return f, nil
}

func coalesce(r *run, x *expr, sc *scope) (Value, error) {
	for _, a := range x.args {
		if v, err := r.eval(a, sc); err != nil || v != nil {
			return v, err
		}
	}
	return nil, nil
}

func conditionFunctions() map[string]function {
	return map[string]function{
		"coalesce": {least: 1, most: -1, like: 1, nulls: true}, "ifnull": {least: 2, most: 2, like: 1, nulls: true},
		"nullif": {least: 2, most: 2, like: 1, nulls: true, call: func(r *run, a []Value) (Value, error) {
			same, err := r.compareBy("=", a[0], a[1])
			if err != nil || same == true {
				return nil, err
			}
			return a[0], nil
		}},
		"if": {least: 3, most: 3, like: 2, nulls: true, call: func(r *run, a []Value) (Value, error) {
			if ok, err := r.truth(a[0], nil); err != nil || ok {
				return a[1], err
			}
			return a[2], nil
		}},
		"greatest": {least: 1, most: -1, like: 1, nulls: true, call: func(r *run, a []Value) (Value, error) { return extreme(r, a, 1) }},
		"least":    {least: 1, most: -1, like: 1, nulls: true, call: func(r *run, a []Value) (Value, error) { return extreme(r, a, -1) }},
		"isnull":   {least: 1, most: 1, result: Type{Kind: Bool}, nulls: true, call: func(_ *run, a []Value) (Value, error) { return a[0] == nil, nil }},
	}
}

// extreme is the largest (1) or smallest (-1) value.
func extreme(r *run, list []Value, sign int) (Value, error) {
	var best Value
	for _, v := range list {
		if v == nil {
			continue
		}
		if best == nil {
			best = v
			continue
		}
		c, err := r.compare(v, best)
		if err != nil {
			return nil, err
		}
		if c*sign > 0 {
			best = v
		}
	}
	return best, r.step(len(list))
}
