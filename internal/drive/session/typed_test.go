package session

import (
	"encoding/json"
	"testing"
)

func TestTypedInto(t *testing.T) {
	typed := &Typed{Password: "PW", Key: "KEY", Card: "CARD", Phrase: "PHRASE", Code: "CODE"}
	for _, tt := range []struct{ name, form, message, want string }{
		{"by its name", `{"properties":{"a":{"type":"string"},"userPassword":{"type":"string"}}}`, "", `{"a":"x","userPassword":"PW"}`},
		{"by its title", `{"properties":{"a":{"type":"string","title":"API key"}}}`, "", `{"a":"KEY"}`},
		{"by its description", `{"properties":{"a":{"type":"string","description":"the twelve words of your seed"}}}`, "", `{"a":"PHRASE"}`},
		{"by the message", `{"properties":{"a":{"type":"string"}}}`, "Your card number, please", `{"a":"CARD"}`},
		{"many fields and a message", `{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "Your card number, please", `{"a":"x"}`},
		{"a choice", `{"properties":{"a":{"type":"string","enum":["x","password"]}}}`, "password", `{"a":"x"}`},
		{"no string", `{"properties":{"a":{"type":"boolean"}}}`, "password", `{"a":"x"}`},
		{"nonsense", `{"properties":[]}`, "password", `{"a":"x"}`},
	} {
		got := typed.into(json.RawMessage(`{"a":"x"}`), json.RawMessage(tt.form), tt.message)
		if string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
