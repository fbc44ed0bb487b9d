package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
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
		answer := schema.Input{JSON: json.RawMessage(`{"a":"x"}`), Server: mcpsf.ServerValues{{Pointer: "/a", From: mcpsf.OriginDefault}}}
		got := typed.into(answer, json.RawMessage(tt.form), tt.message)
		if string(got.JSON) != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got.JSON, tt.want)
		}
		if kept := len(got.Server) == 1; kept != strings.Contains(tt.want, `"a":"x"`) {
			t.Errorf("%s: the server made %v", tt.name, got.Server)
		}
	}
}

// Who made the values of an answer to a form is said, in both ways of asking.
func TestFormAnswersHaveAuthors(t *testing.T) {
	c := &client{answers: &Answers{}, values: &meaning.Values{}}
	form := json.RawMessage(`{"requestedSchema":{"type":"object","properties":{"city":{"type":"string"},"plan":{"type":"string","enum":["a plan of ours"]}},"required":["city","plan"]}}`)
	if _, server := c.answer("elicitation/create", form); server.At("/content/plan") == "" || server.At("/content/city") != "" {
		t.Errorf("in an answer: %v", server)
	}
	_, server := c.inputs(map[string]json.RawMessage{"a/b": json.RawMessage(`{"method":"elicitation/create","params":` + string(form) + `}`)})
	if server.At("/a~1b/content/plan") == "" || server.At("/a~1b/content/city") != "" {
		t.Errorf("with a call: %v", server)
	}
}
