package attack

import (
	"encoding/json"
	"strings"
)

func typeConfusion() Class {
	return Class{
		ID:    "type-confusion",
		Title: "A value of another type ends the server",
		Yield: func(p Place) int {
			if p.Type == "" {
				return 10
			}
			return 20
		},
		Payloads: func(_ *World, p Place) []Payload {
			deep := json.RawMessage(strings.Repeat("[", 200) + strings.Repeat("]", 200))
			return survive("other type", []any{
				nil, map[string]any{}, []any{}, -1, true, p.text(), []any{p.text()},
				map[string]any{"toString": nil, "length": -1, "constructor": nil}, []any{nil}, "", 1.5, deep,
			})
		},
		Balanced: 3,
	}
}
