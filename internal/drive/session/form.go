package session

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Typed are the secrets that a user types into forms. Each is recognised in
// everything that leaves. An empty one is not typed.
type Typed struct {
	Password, Key, Card, Phrase, Code string
}

// into puts the secrets into the answer to a form. A field's name shows what it
// asks for, or the form's message if there is only one field.
func (t *Typed) into(answer schema.Input, form json.RawMessage, message string) schema.Input {
	var f struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var given map[string]json.RawMessage
	if !jsonrpc.IsObject(form) || json.Unmarshal(form, &f) != nil || json.Unmarshal(answer.JSON, &given) != nil {
		return answer
	}
	server := answer.Server
	for name, raw := range f.Properties {
		var p struct {
			Type        json.RawMessage `json:"type"`
			Title       json.RawMessage `json:"title"`
			Description json.RawMessage `json:"description"`
			Enum        json.RawMessage `json:"enum"`
			OneOf       json.RawMessage `json:"oneOf"`
		}
		if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &p) != nil || p.Enum != nil || p.OneOf != nil {
			continue
		}
		if kind, _ := jsonrpc.String(p.Type); kind != "string" {
			continue
		}
		title, _ := jsonrpc.String(p.Title)
		description, _ := jsonrpc.String(p.Description)
		about := []string{name, title, description}
		if len(f.Properties) == 1 {
			about = append(about, message)
		}
		if value := t.fitting(about); value != "" {
			given[name], _ = jsonrpc.Marshal(value) // a string
			server = server.Without("/" + mcpsf.PointerPart(name))
		}
	}
	if filled, err := jsonrpc.Marshal(given); err == nil {
		return schema.Input{JSON: filled, Server: server}
	}
	return answer
}

// fitting returns the secret for a field with this description, "" for none.
func (t *Typed) fitting(about []string) string {
	for _, text := range about {
		words := meaning.Words(text)
		has := func(wanted ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(wanted, w) })
		}
		switch {
		case has("password", "passphrase", "passcode", "pwd"):
			return t.Password
		case has("card", "cvv", "cvc"):
			return t.Card
		case has("phrase", "mnemonic", "seed"):
			return t.Phrase
		case has("otp", "pin", "ssn", "2fa", "mfa"), has("code") && has("verification", "security", "recovery", "time"):
			return t.Code
		case has("secret", "token", "credential", "credentials", "apikey"), has("key") && has("api", "access", "private", "secret", "ssh", "license"):
			return t.Key
		}
	}
	return ""
}

// maxFields bounds how many fields of a form are filled in.
// no gap: the server gets the form without the others, and what it does then is seen
const maxFields = 100

// everyField makes all fields of a form required, because a user fills in every
// field.
func everyField(form json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if !jsonrpc.IsObject(form) || json.Unmarshal(form, &fields) != nil {
		return form
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(fields["properties"], &properties) != nil || len(properties) > maxFields {
		return form
	}
	required, err := jsonrpc.Marshal(slices.Sorted(maps.Keys(properties)))
	if err != nil || len(properties) == 0 {
		return form
	}
	fields["required"] = required
	whole, err := jsonrpc.Marshal(fields)
	if err != nil {
		return form
	}
	return whole
}
