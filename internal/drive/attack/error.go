package attack

import (
	"github.com/mcpsf/mcpsf"
)

func secretInError() Class {
	return Class{
		ID:    "secret-in-error",
		Title: "An error tells what the caller must not know",
		Yield: func(p Place) int {
			if p.Type == "boolean" {
				return 5
			}
			return 30
		},
		Payloads: func(_ *World, p Place) []Payload {
			values := []any{map[string]any{"a": []any{nil}}, p.text() + "\x00", "%s%d%n", "{", "'\"`\\", "\ufffd", []any{}, "$HOME ${HOME} %PATH%"}
			var all []Payload
			for _, v := range values {
				// The leak finder knows the secrets; there is no marker.
				all = append(all, Payload{Value: v, Sign: mcpsf.SignAnswer, Why: "value that provokes an error"})
			}
			return all
		},
		Balanced: 2,
	}
}
