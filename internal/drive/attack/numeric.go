package attack

import (
	"encoding/json"
	"math"
	"strings"
)

func numericEdge() Class {
	return Class{
		ID:    "numeric-edge",
		Title: "A number at the edge of its type ends the server",
		Yield: func(p Place) int {
			if p.isTime() {
				return 0
			}
			if p.Type == "number" || p.Type == "integer" || p.Kind == "number" {
				return 25
			}
			return 0
		},
		Payloads: func(*World, Place) []Payload {
			return survive("number at the edge", []any{
				-1, 0, 1 << 31, json.RawMessage("1e308"), 1<<53 + 1, math.MinInt32 - 1, json.RawMessage("1e999"),
				json.RawMessage("9223372036854775808"), json.RawMessage("-0"), json.RawMessage("1e-400"), 0.1,
				json.RawMessage("1" + strings.Repeat("0", 400)), "NaN", "Infinity", "-1", "0x7fffffff", "1e5", "١",
			})
		},
		Balanced: 4,
	}
}
