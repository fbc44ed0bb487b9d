package document

import (
	"slices"
	"strings"
)

// given are the documents of a write: in the command, or beside it.
func (c *call) given(name string) List {
	if list := c.cmd.list(name); list != nil {
		return list
	}
	return c.more
}

// writeErrors collects what failed.
func writeErrors(reply Doc, list List) Doc {
	if len(list) > 0 {
		reply = append(reply, Member{"writeErrors", list})
	}
	return reply
}

func (c *call) insert() (Doc, error) {
	o, err := c.made()
	if err != nil {
		return nil, err
	}
	n, problems := int32(0), List{}
	for i, v := range c.given("documents") {
		d, isDoc := v.(Doc)
		if !isDoc {
			continue
		}
		id, found := d.Get("_id")
		if !found {
			id = c.id()
			d = append(Doc{{"_id", id}}, d...)
		}
		if err := c.step(len(o.docs)/8 + 1); err != nil {
			return nil, err
		}
		switch {
		case slices.ContainsFunc(o.docs, func(e Doc) bool { other, _ := e.Get("_id"); return compare(other, id) == 0 }):
			problems = append(problems, Doc{{"index", int32(i)}, {"code", int32(11000)}, {"errmsg", "E11000 duplicate key error collection: " + o.db + "." + o.name + " index: _id_ dup key"}})
		case !c.add(o, d):
			problems = append(problems, Doc{{"index", int32(i)}, {"code", int32(14031)}, {"errmsg", "available disk space is less than required minimum"}})
		default:
			n++
			continue
		}
		if ordered, said := c.cmd.Get("ordered"); !said || ordered == true {
			break
		}
	}
	return writeErrors(Doc{{"n", n}}, problems), nil
}

func (c *call) remove() (Doc, error) {
	o := c.find(c.db, c.target())
	n := int32(0)
	for _, v := range c.given("deletes") {
		d, isDoc := v.(Doc)
		if !isDoc {
			continue
		}
		limit, _ := d.number("limit")
		places, err := c.places(o, d.doc("q"), limit == 1)
		if err != nil {
			return nil, err
		}
		if o != nil {
			n += int32(c.keep(o, func(i int) bool { _, hit := slices.BinarySearch(places, i); return hit }))
		}
	}
	return Doc{{"n", n}}, nil
}

// places are the places of the documents that fulfil a filter.
func (c *call) places(o *collection, filter Doc, first bool) ([]int, error) {
	var list []int
	if o == nil {
		_, err := c.matches(Doc{}, filter)
		return nil, err
	}
	for i, d := range o.docs {
		ok, err := c.matches(d, filter)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, i)
			if first {
				break
			}
		}
	}
	return list, nil
}

func (c *call) update() (Doc, error) {
	matched, changed, upserted, problems := int32(0), int32(0), List{}, List{}
	for i, v := range c.given("updates") {
		d, isDoc := v.(Doc)
		if !isDoc {
			continue
		}
		hit, done, id, err := c.updateOne(d)
		if err != nil {
			e := failed(err)
			code, _ := e.Get("code")
			problems = append(problems, Doc{{"index", int32(i)}, {"code", code}, {"errmsg", e.Text("errmsg")}})
			continue
		}
		matched, changed = matched+hit, changed+done
		if id != nil {
			matched++
			upserted = append(upserted, Doc{{"index", int32(i)}, {"_id", id}})
		}
	}
	reply := Doc{{"n", matched}, {"nModified", changed}}
	if len(upserted) > 0 {
		reply = append(reply, Member{"upserted", upserted})
	}
	return writeErrors(reply, problems), nil
}

func (c *call) updateOne(d Doc) (matched, changed int32, id any, err error) {
	o, err := c.made()
	if err != nil {
		return 0, 0, nil, err
	}
	places, err := c.places(o, d.doc("q"), !d.flag("multi"))
	if err != nil {
		return 0, 0, nil, err
	}
	how, _ := d.Get("u")
	for _, at := range places {
		next, err := c.changed(o.docs[at], how, false)
		if err != nil {
			return 0, 0, nil, err
		}
		matched++
		if compare(next, o.docs[at]) != 0 {
			changed++
		}
		if !c.replace(o, at, next) {
			return 0, 0, nil, &Error{14031, "OutOfDiskSpace", "available disk space is less than required minimum"}
		}
	}
	if len(places) > 0 || !d.flag("upsert") {
		return matched, changed, nil, nil
	}
	next, err := c.changed(c.fresh(d.doc("q")), how, true)
	if err != nil {
		return 0, 0, nil, err
	}
	if !c.add(o, next) {
		return 0, 0, nil, &Error{14031, "OutOfDiskSpace", "available disk space is less than required minimum"}
	}
	id, _ = next.Get("_id")
	return 0, 0, id, nil
}

// fresh is the document that an upsert begins with: the values that the filter wants.
func (c *call) fresh(filter Doc) Doc {
	d := Doc{}
	for _, m := range filter {
		if inner, isDoc := m.Value.(Doc); strings.HasPrefix(m.Name, "$") || isDoc && len(inner) > 0 && strings.HasPrefix(inner[0].Name, "$") {
			continue
		}
		next, _ := put(d, parts(m.Name), m.Value).(Doc)
		d = next
	}
	if _, found := d.Get("_id"); !found {
		d = append(Doc{{"_id", c.id()}}, d...)
	}
	return d
}

func (c *call) findAndModify() (Doc, error) {
	o, err := c.made()
	if err != nil {
		return nil, err
	}
	list, err := c.chosen(o, c.cmd.doc("query"))
	if err == nil {
		list, err = c.sorted(list, c.cmd.doc("sort"))
	}
	if err != nil {
		return nil, err
	}
	how, _ := c.cmd.Get("update")
	if len(list) == 0 {
		if !c.cmd.flag("upsert") {
			return Doc{{"lastErrorObject", Doc{{"n", int32(0)}, {"updatedExisting", false}}}, {"value", nil}}, nil
		}
		next, err := c.changed(c.fresh(c.cmd.doc("query")), how, true)
		if err != nil || !c.add(o, next) {
			return nil, err
		}
		id, _ := next.Get("_id")
		var value any
		if c.cmd.flag("new") {
			value = next
		}
		return Doc{{"lastErrorObject", Doc{{"n", int32(1)}, {"updatedExisting", false}, {"upserted", id}}}, {"value", value}}, nil
	}
	at := slices.IndexFunc(o.docs, func(d Doc) bool { return compare(d, list[0]) == 0 })
	was, value := list[0], list[0]
	if c.cmd.flag("remove") {
		c.keep(o, func(i int) bool { return i == at })
		return Doc{{"lastErrorObject", Doc{{"n", int32(1)}}}, {"value", was}}, nil
	}
	next, err := c.changed(was, how, false)
	if err != nil {
		return nil, err
	}
	if !c.replace(o, at, next) {
		return nil, &Error{14031, "OutOfDiskSpace", "available disk space is less than required minimum"}
	}
	if c.cmd.flag("new") {
		value = next
	}
	return Doc{{"lastErrorObject", Doc{{"n", int32(1)}, {"updatedExisting", true}}}, {"value", value}}, nil
}
