package document

import (
	"slices"
	"strings"
)

// maxStages is how many stages a pipeline has.
// no gap: the command is evidence; only its answer is an error
const maxStages = 100

// pipeline is the part of a call that runs pipelines.
type pipeline struct{ *call }

func (c pipeline) aggregate() (Doc, error) {
	o := c.find(c.db, c.target())
	var docs []Doc
	if o != nil {
		docs = slices.Clone(o.docs)
	}
	stages := c.cmd.list("pipeline")
	if c.target() == "" { // on the database: its first stage makes the documents
		docs = []Doc{{}}
	}
	if c.cmd.flag("explain") {
		return c.explain(), nil
	}
	list, err := c.stages(docs, stages)
	if err != nil {
		return nil, err
	}
	name := c.target()
	if name == "" {
		name = "$cmd.aggregate"
	}
	return c.answer(name, list)
}

// stages runs a pipeline.
func (c pipeline) stages(docs []Doc, list List) ([]Doc, error) {
	leave, err := c.enter()
	defer leave()
	if err != nil {
		return nil, err
	}
	if len(list) > maxStages {
		return nil, bad("Pipeline length must be no longer than %d stages.", maxStages)
	}
	for _, v := range list {
		stage, isDoc := v.(Doc)
		if !isDoc || len(stage) != 1 {
			return nil, &Error{40323, "Location40323", "A pipeline stage specification object must contain exactly one field."}
		}
		if err := c.step(len(docs) + 1); err != nil {
			return nil, err
		}
		if docs, err = c.stage(docs, stage[0]); err != nil {
			return nil, err
		}
		total := 0
		for _, d := range docs {
			total += size(d)
		}
		if total > maxAnswer {
			return nil, &Error{292, "QueryExceededMemoryLimitNoDiskUseAllowed", "Exceeded memory limit"}
		}
	}
	return docs, nil
}

func (c pipeline) stage(docs []Doc, m Member) ([]Doc, error) {
	how, _ := m.Value.(Doc)
	switch m.Name {
	case "$match":
		return c.filtered(docs, how)
	case "$sort":
		return c.sorted(docs, how)
	case "$limit", "$skip":
		n, isNumber := number(m.Value)
		if !isNumber || n < 0 {
			return nil, bad("the %s must be a non-negative number", m.Name[1:])
		}
		at := int(min(n, float64(len(docs))))
		if m.Name == "$limit" {
			return docs[:at], nil
		}
		return docs[at:], nil
	case "$project", "$addFields", "$set":
		return c.reshaped(docs, m.Name, how)
	case "$unset":
		return c.unset(docs, m.Value)
	case "$group":
		return c.group(docs, how)
	case "$count":
		name, _ := m.Value.(string)
		if len(docs) == 0 {
			return nil, nil
		}
		return []Doc{{{name, int32(len(docs))}}}, nil
	case "$sortByCount":
		grouped, err := c.group(docs, Doc{{"_id", m.Value}, {"count", Doc{{"$sum", int32(1)}}}})
		if err != nil {
			return nil, err
		}
		return c.sorted(grouped, Doc{{"count", int32(-1)}})
	case "$unwind":
		return c.unwind(docs, m.Value)
	case "$lookup":
		return c.lookup(docs, how)
	case "$replaceRoot", "$replaceWith":
		return c.replaced(docs, m)
	case "$sample":
		n, _ := how.number("size")
		return docs[:min(max(n, 0), len(docs))], nil
	case "$facet":
		out := Doc{}
		for _, f := range how {
			inner, _ := f.Value.(List)
			list, err := c.stages(slices.Clone(docs), inner)
			if err != nil {
				return nil, err
			}
			out = append(out, Member{f.Name, asList(list)})
		}
		return []Doc{out}, nil
	case "$collStats":
		n, bytes := c.total(c.db, c.target())
		return []Doc{{{"ns", c.db + "." + c.target()}, {"count", int32(n)}, {"storageStats", stats(n, bytes)}}}, nil
	case "$indexStats":
		return []Doc{{{"name", "_id_"}, {"key", Doc{{"_id", int32(1)}}}, {"accesses", Doc{{"ops", int64(3)}}}}}, nil
	case "$currentOp", "$listSessions", "$listLocalSessions", "$planCacheStats":
		return nil, nil
	case "$out", "$merge":
		return nil, &Error{13, "Unauthorized", "not authorized on " + c.db + " to execute command"}
	}
	return nil, &Error{40324, "Location40324", "Unrecognized pipeline stage name: '" + clip(m.Name) + "'"}
}

func asList(docs []Doc) List {
	out := List{}
	for _, d := range docs {
		out = append(out, d)
	}
	return out
}

func (c pipeline) filtered(docs []Doc, filter Doc) ([]Doc, error) {
	var out []Doc
	for _, d := range docs {
		ok, err := c.matches(d, filter)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, d)
		}
	}
	return out, nil
}

func (c pipeline) reshaped(docs []Doc, name string, how Doc) ([]Doc, error) {
	out := make([]Doc, 0, len(docs))
	for _, d := range docs {
		if name == "$project" {
			next, err := c.projected(d, how)
			if err != nil {
				return nil, err
			}
			out = append(out, next)
			continue
		}
		var next any = d
		for _, f := range how {
			v, err := c.eval(f.Value, d)
			if err != nil {
				return nil, err
			}
			if err := c.step(size(d) / 64); err != nil {
				return nil, err
			}
			next = put(next, parts(f.Name), v)
		}
		left, _ := next.(Doc)
		out = append(out, left)
	}
	return out, nil
}

func (c pipeline) unset(docs []Doc, v any) ([]Doc, error) {
	names, several := v.(List)
	if !several {
		names = List{v}
	}
	out := make([]Doc, 0, len(docs))
	for _, d := range docs {
		var next any = d
		for _, n := range names {
			if s, isText := n.(string); isText {
				next = cut(next, parts(s))
			}
		}
		left, _ := next.(Doc)
		out = append(out, left)
		if err := c.step(len(names)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c pipeline) replaced(docs []Doc, m Member) ([]Doc, error) {
	root := m.Value
	if m.Name == "$replaceRoot" {
		how, _ := m.Value.(Doc)
		root, _ = how.Get("newRoot")
	}
	var out []Doc
	for _, d := range docs {
		v, err := c.eval(root, d)
		if err != nil {
			return nil, err
		}
		inner, isDoc := v.(Doc)
		if !isDoc {
			return nil, &Error{40228, "Location40228", "'newRoot' expression must evaluate to an object, but resulting value was of type: " + typeName(v)}
		}
		out = append(out, inner)
	}
	return out, nil
}

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
		out := List{}
		for _, v := range values {
			if err := c.step(len(out)); err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(out, func(w any) bool { return compare(v, w) == 0 }) {
				out = append(out, v)
			}
		}
		return out, nil
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
