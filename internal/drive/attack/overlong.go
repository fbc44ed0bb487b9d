package attack

import (
	"strings"
)

// ClassOverlong is the ID of the class of overlong inputs.
const ClassOverlong = "overlong-input"

func overlongInput() Class {
	return Class{
		ID:    ClassOverlong,
		Title: "A long value ends the server",
		Yield: func(p Place) int { return kinds{p.Kind: 15}.of(p) },
		Payloads: func(_ *World, p Place) []Payload {
			const mega = 1 << 20
			return survive("a megabyte", []any{
				strings.Repeat("a", mega), strings.Repeat("[", mega), p.text() + strings.Repeat("/a", mega/2),
				strings.Repeat("\n", mega), strings.Repeat("(", mega), strings.Repeat("\u00e9", mega/2),
			})
		},
		Balanced: 2,
	}
}
