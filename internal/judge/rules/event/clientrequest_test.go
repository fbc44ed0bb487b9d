package event

import (
	"encoding/json"
	"testing"
)

func TestSecretOfAForm(t *testing.T) {
	for _, tt := range []struct{ name, form, want string }{
		{"a name", `{"message":"Who are you?","requestedSchema":{"properties":{"name":{"type":"string"}}}}`, ""},
		{"a password", `{"requestedSchema":{"properties":{"dbPassword":{"type":"string"}}}}`, "dbPassword"},
		{"its title", `{"requestedSchema":{"properties":{"v":{"type":"string","title":"One-time code"}}}}`, "v"},
		{"tokens that are counted", `{"requestedSchema":{"properties":{"maxTokens":{"type":"integer"},"token_limit":{"type":"integer"}}}}`, ""},
		{"a key of a map", `{"requestedSchema":{"properties":{"key":{"type":"string"},"keyword":{"type":"string"}}}}`, ""},
		{"a card to play", `{"message":"Choose a card","requestedSchema":{"properties":{"card":{"type":"string"}}}}`, ""},
		{"asked in words", `{"message":"To continue, please provide the API key of your account","requestedSchema":{"properties":{"answer":{"type":"string"}}}}`, "api key"},
		{"told in words", `{"message":"The password was changed. What next?","requestedSchema":{"properties":{"answer":{"type":"string"}}}}`, ""},
		{"a warning in words", `{"message":"Please never enter your password here","requestedSchema":{"properties":{"answer":{"type":"string"}}}}`, ""},
		{"yes or no", `{"message":"Do you need a new password?","requestedSchema":{"properties":{"ok":{"type":"boolean"}}}}`, ""},
		{"not even an object", `[]`, ""},
	} {
		var ask clientAsk
		_ = json.Unmarshal([]byte(tt.form), &ask) // some forms are only partly valid
		if got := ask.secret(); got != tt.want {
			t.Errorf("%s: secret = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzAsk(f *testing.F) {
	f.Add([]byte(`{"message":"enter your password","requestedSchema":{"properties":{"a":{"type":"string"}}}}`))
	f.Add([]byte(`{"url":"http://[::1","requestedSchema":{"properties":null}}`))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		var ask clientAsk
		if json.Unmarshal(raw, &ask) == nil {
			ask.secret()
		}
	})
}
