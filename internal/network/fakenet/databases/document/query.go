package document

import (
	"slices"
	"strings"
)

// answer is the first part of a result as a cursor; the rest is kept for getMore.
func (c *call) answer(name string, docs []Doc) (Doc, error) {
	most := 101
	if n, said := c.cmd.number("batchSize"); said {
		most = max(n, 0)
	} else if n, said := c.cmd.doc("cursor").number("batchSize"); said {
		most = max(n, 0)
	}
	bytes := 0
	for _, d := range docs {
		if bytes += size(d); bytes > maxAnswer {
			return nil, &Error{10334, "BSONObjectTooLarge", "Executor error: result is too large"}
		}
	}
	ns := c.db + "." + name
	batch := List{}
	for _, d := range docs[:min(most, len(docs))] {
		batch = append(batch, d)
	}
	var id int64
	if rest := docs[len(batch):]; len(rest) > 0 && !c.cmd.flag("singleBatch") {
		id = c.open(ns, rest)
	}
	return Doc{{"cursor", Doc{{"firstBatch", batch}, {"id", id}, {"ns", ns}}}}, nil
}

func (c *call) getMore() (Doc, error) {
	id, _ := c.cmd[0].Value.(int64)
	open := c.cursors[id]
	if open == nil {
		return nil, &Error{43, "CursorNotFound", "cursor id not found"}
	}
	most := len(open.rest)
	if n, said := c.cmd.number("batchSize"); said && n > 0 {
		most = min(most, n)
	}
	batch := List{}
	for _, d := range open.rest[:most] {
		batch = append(batch, d)
	}
	ns := open.ns
	if open.rest = open.rest[most:]; len(open.rest) == 0 {
		delete(c.cursors, id)
		id = 0
	}
	return Doc{{"cursor", Doc{{"nextBatch", batch}, {"id", id}, {"ns", ns}}}}, nil
}

// chosen are the documents of a collection that fulfil a filter.
func (c *call) chosen(o *collection, filter Doc) ([]Doc, error) {
	var list []Doc
	if o == nil {
		_, err := c.matches(Doc{}, filter) // an error in the filter shows all the same
		return nil, err
	}
	for _, d := range o.docs {
		ok, err := c.matches(d, filter)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, d)
		}
	}
	return list, nil
}

func (c *call) findDocs() (Doc, error) {
	list, err := c.chosen(c.find(c.db, c.target()), c.cmd.doc("filter"))
	if err != nil {
		return nil, err
	}
	if list, err = c.sorted(list, c.cmd.doc("sort")); err != nil {
		return nil, err
	}
	list = window(list, c.cmd)
	if fields := c.cmd.doc("projection"); len(fields) > 0 {
		for i := range list {
			if list[i], err = c.projected(list[i], fields); err != nil {
				return nil, err
			}
		}
	}
	return c.answer(c.target(), list)
}

// window applies skip and limit.
func window(list []Doc, d Doc) []Doc {
	if n, _ := d.number("skip"); n > 0 {
		list = list[min(n, len(list)):]
	}
	if n, _ := d.number("limit"); n != 0 {
		list = list[:min(max(n, -n), len(list))]
	}
	return list
}

// sorted sorts documents by members.
func (c *call) sorted(list []Doc, by Doc) ([]Doc, error) {
	if len(by) == 0 {
		return slices.Clone(list), nil
	}
	if len(by) > maxDepth {
		return nil, bad("too many compound keys")
	}
	type row struct {
		doc  Doc
		keys []any
	}
	var rows []row
	for _, d := range list {
		r := row{doc: d}
		for _, m := range by {
			r.keys = append(r.keys, one(d, m.Name))
		}
		if err := c.step(1 + len(by) + size(d)/256); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		c.steps++
		for i, m := range by {
			if cmp := compare(a.keys[i], b.keys[i]); cmp != 0 && c.steps <= maxSteps {
				if n, _ := number(m.Value); n < 0 {
					return -cmp
				}
				return cmp
			}
		}
		return 0
	})
	out := make([]Doc, len(rows))
	for i := range rows {
		out[i] = rows[i].doc
	}
	return out, c.step(0)
}

// projected leaves the members that a projection names, or leaves them out.
func (c *call) projected(d Doc, fields Doc) (Doc, error) {
	included := false
	for _, f := range fields {
		if f.Name != "_id" && (truth(f.Value) || isExpression(f.Value)) {
			included = true
		}
	}
	if err := c.step(len(fields) + size(d)/128); err != nil {
		return nil, err
	}
	if !included {
		onlyID := len(fields) == 1 && fields[0].Name == "_id" && truth(fields[0].Value)
		if onlyID {
			id, _ := d.Get("_id")
			return Doc{{"_id", id}}, nil
		}
		var out any = d
		for _, f := range fields {
			if !truth(f.Value) {
				out = cut(out, parts(f.Name))
			}
		}
		left, _ := out.(Doc)
		return left, nil
	}
	var out any = Doc{}
	if v, said := fields.Get("_id"); !said || truth(v) {
		if id, found := d.Get("_id"); found {
			out = Doc{{"_id", id}}
		}
	}
	for _, f := range fields {
		switch {
		case isExpression(f.Value):
			v, err := c.eval(f.Value, d)
			if err != nil {
				return nil, err
			}
			out = put(out, parts(f.Name), v)
		case truth(f.Value):
			if found := at(d, parts(f.Name)); len(found) > 0 {
				out = put(out, parts(f.Name), one(d, f.Name))
			}
		}
	}
	left, _ := out.(Doc)
	return left, nil
}

// isExpression says whether a value of a projection computes something.
func isExpression(v any) bool {
	s, isText := v.(string)
	_, isDoc := v.(Doc)
	return isText && strings.HasPrefix(s, "$") || isDoc
}

func (c *call) countDocs() (Doc, error) {
	list, err := c.chosen(c.find(c.db, c.target()), c.cmd.doc("query"))
	if err != nil {
		return nil, err
	}
	return Doc{{"n", int32(len(window(list, c.cmd)))}}, nil
}

func (c *call) distinct() (Doc, error) {
	list, err := c.chosen(c.find(c.db, c.target()), c.cmd.doc("query"))
	if err != nil {
		return nil, err
	}
	values := List{}
	for _, d := range list {
		for _, v := range at(d, parts(c.cmd.Text("key"))) {
			each, isList := v.(List)
			if !isList {
				each = List{v}
			}
			for _, v := range each {
				if err := c.step(len(values) + 1); err != nil {
					return nil, err
				}
				if !slices.ContainsFunc(values, func(w any) bool { return compare(v, w) == 0 }) {
					values = append(values, v)
				}
			}
		}
	}
	slices.SortStableFunc(values, compare)
	return Doc{{"values", values}}, nil
}
