package document

import (
	"slices"
	"strings"
)

// changed is a document after an update: operators, a pipeline, or another document.
func (c *call) changed(d Doc, how any, isNew bool) (Doc, error) {
	if stages, isList := how.(List); isList {
		list, err := (pipeline{c}).stages([]Doc{d}, stages)
		if err != nil || len(list) != 1 {
			return d, err
		}
		return list[0], nil
	}
	ops, _ := how.(Doc)
	if len(ops) == 0 || !strings.HasPrefix(ops[0].Name, "$") {
		id, _ := d.Get("_id")
		return append(Doc{{"_id", id}}, ops.without("_id")...), nil
	}
	for _, op := range ops {
		fields, isDoc := op.Value.(Doc)
		if !isDoc {
			return nil, &Error{9, "FailedToParse", "Modifiers operate on fields but we found type " + typeName(op.Value) + " instead."}
		}
		for _, f := range fields {
			if err := c.step(1 + size(d)/64); err != nil {
				return nil, err
			}
			next, err := c.modified(d, op.Name, f, isNew)
			if err != nil {
				return nil, err
			}
			if d, isDoc = next.(Doc); !isDoc || size(d) > maxAnswer/4 {
				return nil, &Error{17419, "Location17419", "Resulting document after update is larger than 16777216"}
			}
		}
	}
	return d, nil
}

// modified applies one operator to one member.
func (c *call) modified(d Doc, op string, f Member, isNew bool) (any, error) {
	path := parts(f.Name)
	old := at(d, path)
	var was any
	if len(old) > 0 {
		was = old[0]
	}
	switch op {
	case "$set":
		return put(d, path, f.Value), nil
	case "$setOnInsert":
		if isNew {
			return put(d, path, f.Value), nil
		}
		return d, nil
	case "$unset":
		return cut(d, path), nil
	case "$inc", "$mul":
		return c.added(d, path, was, op, f.Value)
	case "$min", "$max":
		if len(old) == 0 || (compare(f.Value, was) < 0) == (op == "$min") && compare(f.Value, was) != 0 {
			return put(d, path, f.Value), nil
		}
		return d, nil
	case "$rename":
		to, _ := f.Value.(string)
		if len(old) == 0 || to == "" {
			return d, nil
		}
		return put(cut(d, path), parts(to), was), nil
	case "$currentDate":
		return d, nil
	case "$push", "$addToSet", "$pull", "$pop", "$pullAll":
		return c.array(d, path, was, op, f)
	}
	return nil, &Error{9, "FailedToParse", "Unknown modifier: " + clip(op) + ". Expected a valid update modifier or pipeline-style update specified as an array"}
}

func (c *call) added(d Doc, path []string, was any, op string, by any) (any, error) {
	a, isNumber := number(was)
	b, other := number(by)
	if !other || was != nil && !isNumber {
		return nil, &Error{14, "TypeMismatch", "Cannot increment with non-numeric argument"}
	}
	result := a + b
	if op == "$mul" {
		result = a * b
	}
	return put(d, path, likeNumber(result, was, by)), nil
}

// likeNumber gives a result the type of the numbers that it came from.
func likeNumber(f float64, from ...any) any {
	wide := false
	for _, v := range from {
		switch v.(type) {
		case float64:
			return f
		case int64:
			wide = true
		}
	}
	if wide || f > 1<<31-1 || f < -1<<31 {
		if f >= 1<<63 || f < -1<<63 {
			return f
		}
		return int64(f)
	}
	return int32(f)
}

// array applies the operators of arrays.
func (c *call) array(d Doc, path []string, was any, op string, f Member) (any, error) {
	list, isList := was.(List)
	if was != nil && !isList {
		return nil, bad("The field '%s' must be an array but is of type %s", clip(f.Name), typeName(was))
	}
	values := List{f.Value}
	if inner, isDoc := f.Value.(Doc); isDoc && len(inner) > 0 && inner[0].Name == "$each" {
		values = inner.list("$each")
	}
	if err := c.step(len(list) + len(values)); err != nil {
		return nil, err
	}
	out := slices.Clone(list)
	var err error
	switch op {
	case "$push":
		out = append(out, values...)
	case "$addToSet":
		out, err = c.united(out, values)
	case "$pop":
		out = popped(out, f.Value)
	default:
		unwanted := List{f.Value}
		if all, several := f.Value.(List); several && op == "$pullAll" {
			unwanted = all
		}
		out, err = c.pulled(out, unwanted)
	}
	if err != nil {
		return nil, err
	}
	return put(d, path, out), nil
}

// united adds the values that a list does not have yet.
func (c *call) united(list, values List) (List, error) {
	for _, v := range values {
		if err := c.step(len(list)); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(w any) bool { return compare(v, w) == 0 }) {
			list = append(list, v)
		}
	}
	return list, nil
}

// popped removes the first element if the side is negative, and the last if not.
func popped(list List, side any) List {
	if n, _ := number(side); n < 0 && len(list) > 0 {
		return list[1:]
	}
	if len(list) > 0 {
		return list[:len(list)-1]
	}
	return list
}

// pulled removes the elements that are unwanted.
func (c *call) pulled(list, unwanted List) (List, error) {
	var err error
	out := slices.DeleteFunc(list, func(v any) bool {
		for _, u := range unwanted {
			ok, problem := c.meets(v, u)
			if problem != nil {
				err = problem
			}
			if ok {
				return true
			}
		}
		return false
	})
	return out, err
}

// meets says whether an element is a value, or meets the conditions of a document.
func (c *call) meets(v, with any) (bool, error) {
	ok, err := c.field(Doc{{"v", v}}, Member{"v", with})
	inner, isDoc := with.(Doc)
	if !isDoc || ok || len(inner) > 0 && strings.HasPrefix(inner[0].Name, "$") {
		return ok, err
	}
	if d, also := v.(Doc); also {
		return c.matches(d, inner)
	}
	return ok, err
}
