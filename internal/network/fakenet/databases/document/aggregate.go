package document

import (
	"slices"
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

// stage runs one stage.
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
	}
	return c.rare(docs, m, how)
}

// rare are the stages that few pipelines have.
func (c pipeline) rare(docs []Doc, m Member, how Doc) ([]Doc, error) {
	switch m.Name {
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
	case "$currentOp", "$listSessions", "$listLocalSessions", "$planCacheStats", "$listSearchIndexes":
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
