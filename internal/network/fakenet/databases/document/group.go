package document

import (
	"strings"
)

// unwind makes a document of each element of an array.
func (c pipeline) unwind(docs []Doc, v any) ([]Doc, error) {
	path, _ := v.(string)
	keep := false
	if how, isDoc := v.(Doc); isDoc {
		path, keep = how.Text("path"), how.flag("preserveNullAndEmptyArrays")
	}
	name, found := strings.CutPrefix(path, "$")
	if !found {
		return nil, &Error{28818, "Location28818", "path option to $unwind stage should be prefixed with a '$': " + clip(path)}
	}
	var out []Doc
	for _, d := range docs {
		v := one(d, name)
		list, isList := v.(List)
		switch {
		case !isList && v != nil, keep && len(list) == 0:
			out = append(out, d)
			continue
		}
		for _, e := range list {
			next, _ := put(d, parts(name), e).(Doc)
			out = append(out, next)
			if err := c.step(4 + size(d)/32); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// lookup joins with another collection.
func (c pipeline) lookup(docs []Doc, how Doc) ([]Doc, error) {
	o := c.find(c.db, how.Text("from"))
	var out []Doc
	for _, d := range docs {
		found := List{}
		if o != nil {
			mine := one(d, how.Text("localField"))
			for _, e := range o.docs {
				if err := c.step(2); err != nil {
					return nil, err
				}
				if compare(mine, one(e, how.Text("foreignField"))) == 0 {
					found = append(found, e)
					if err := c.step(size(e) / 64); err != nil {
						return nil, err
					}
				}
			}
		}
		next, _ := put(d, parts(how.Text("as")), found).(Doc)
		out = append(out, next)
	}
	return out, nil
}

// group makes a document for each group.
func (c pipeline) group(docs []Doc, how Doc) ([]Doc, error) {
	id, found := how.Get("_id")
	if !found {
		return nil, &Error{15955, "Location15955", "a group specification must include an _id"}
	}
	type group struct {
		key  any
		docs []Doc
	}
	var groups []*group
	for _, d := range docs {
		key, err := c.eval(id, d)
		if err != nil {
			return nil, err
		}
		var g *group
		for _, other := range groups {
			if c.steps++; compare(other.key, key) == 0 {
				g = other
				break
			}
		}
		if g == nil {
			g = &group{key: key}
			groups = append(groups, g)
		}
		g.docs = append(g.docs, d)
		if err := c.step(1); err != nil {
			return nil, err
		}
	}
	var out []Doc
	for _, g := range groups {
		d := Doc{{"_id", g.key}}
		for _, f := range how {
			if f.Name == "_id" {
				continue
			}
			op, isDoc := f.Value.(Doc)
			if !isDoc || len(op) != 1 {
				return nil, &Error{40234, "Location40234", "The field '" + clip(f.Name) + "' must be an accumulator object"}
			}
			v, err := c.accumulated(op[0], g.docs)
			if err != nil {
				return nil, err
			}
			d = append(d, Member{f.Name, v})
		}
		out = append(out, d)
	}
	return out, nil
}

// accumulated computes an accumulator over the documents of a group.
func (c pipeline) accumulated(op Member, docs []Doc) (any, error) {
	if op.Name == "$count" {
		return int32(len(docs)), nil
	}
	values := make(List, 0, len(docs))
	for _, d := range docs {
		v, err := c.eval(op.Value, d)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	switch op.Name {
	case "$sum", "$avg", "$min", "$max":
		return c.reduced(op.Name, values), nil
	case "$first", "$last":
		if len(values) == 0 {
			return nil, nil
		}
		return values[map[string]int{"$last": len(values) - 1}[op.Name]], nil
	case "$push":
		return values, nil
	case "$addToSet":
		return c.united(List{}, values)
	}
	return nil, &Error{15952, "Location15952", "unknown group operator '" + clip(op.Name) + "'"}
}

// reduced is the sum, average, smallest or largest of values.
func (c pipeline) reduced(name string, values List) any {
	var best any
	sum, n := 0.0, 0
	for _, v := range values {
		c.steps++
		if f, isNumber := number(v); isNumber {
			sum += f
			n++
		}
		if v != nil && (best == nil || (compare(v, best) < 0) == (name == "$min")) {
			best = v
		}
	}
	switch name {
	case "$sum":
		return likeNumber(sum, values...)
	case "$avg":
		if n == 0 {
			return nil
		}
		return sum / float64(n)
	}
	return best
}
