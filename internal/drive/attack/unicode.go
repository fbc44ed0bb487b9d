package attack

import (
	"encoding/json"
	"strings"
)

// HardToWrite is the technique of the Unicode class. A separate rule judges a
// server that crashes on it.
const HardToWrite = "text that is hard to write"

func unicodeEdge() Class {
	return Class{
		ID:    "unicode-edge",
		Title: "Text that is hard to write ends the server",
		Yield: func(p Place) int { return kinds{p.Kind: 15}.of(p) },
		Payloads: func(_ *World, p Place) []Payload {
			return survive(HardToWrite, []any{
				json.RawMessage(`"\ud800"`), p.text() + "\x00x", "e" + strings.Repeat("\u0301", 5000),
				json.RawMessage(`"\udc00\ud800x"`), "\ufeff" + p.text(), "\u202e" + p.text(), "\ufffe\uffff", "\U0010ffff",
				"\ufdfa\ufdfa", "\u0130\u1e9e\ufb03", strings.Repeat("\U0001f468\u200d", 500), "\u2028\u2029\u0085",
				"A\u030a\u212b", "\x01\x02\x7f\u0080\u009f",
			})
		},
		Balanced: 2,
	}
}
