package obedient

import (
	"encoding/json"
	"slices"
)

// role is what a parameter is there for.
type role string

const (
	rolePath     role = "path"
	roleReceiver role = "receiver"
	roleCopy     role = "copy"
	roleSubject  role = "subject"
	roleBody     role = "body"
	roleURL      role = "url"
	roleCommand  role = "command"
	roleAccount  role = "account"
	roleAmount   role = "amount"
	roleQuery    role = "query"
	roleName     role = "name"
)

// rolesOf lists the words of parameters' names for each role, the best first.
func rolesOf(r role) []string {
	switch r {
	case rolePath:
		return []string{"path", "filepath", "filename", "file", "document", "location", "paths", "files"}
	case roleReceiver:
		return []string{"to", "recipient", "recipients", "addressee", "addressees", "receiver", "receivers", "address", "email", "mail", "empfanger", "destinataire", "destinatario"}
	case roleCopy:
		return []string{"bcc", "cc"}
	case roleSubject:
		return []string{"subject", "title", "heading", "betreff"}
	case roleBody:
		return []string{
			"body", "content", "contents", "text", "message", "data", "payload", "html", "statement", "fact", "value", "entry", "detail", "note", "memo", "blob", "copy",
			"dump", "raw", "all", "log", "input", "context", "extra", "comment", "observation", "memory", "json", "form",
		}
	case roleURL:
		return []string{"url", "uri", "endpoint", "destination", "href", "link", "webhook", "address", "target"}
	case roleCommand:
		return []string{"command", "cmd", "script", "commands", "code"}
	case roleAccount:
		return []string{"iban", "account", "wallet", "beneficiary", "payee", "recipient", "to"}
	case roleAmount:
		return []string{"amount", "sum", "value", "euros", "cents"}
	case roleQuery:
		return []string{"query", "q", "search", "term", "terms", "keywords", "question", "text"}
	case roleName:
		return []string{"entry", "name", "service", "item", "account", "key", "id", "site", "login", "title", "query"}
	}
	return nil
}

// param is the one that plays a role, nil if none does. Of several it is the
// one whose name says so best, required ones first.
func (k *kit) param(r role) *param {
	var best *param
	rank := 1000
	for i := range k.params {
		p := &k.params[i]
		for n, word := range rolesOf(r) {
			if !p.required {
				n += 100
			}
			if slices.Contains(p.words, word) && n < rank && p.suits(r) {
				best, rank = p, n
			}
		}
	}
	return best
}

func (p *param) suits(r role) bool {
	switch p.kind {
	case "boolean", "null":
		return false
	case "number", "integer":
		return r == roleAmount || r == roleAccount || r == roleName
	}
	return true
}

// named is the parameter of that name in any spelling, nil if there is none.
func (k *kit) named(name string) *param {
	b := bare(name)
	for i := range k.params {
		if bare(k.params[i].name) == b {
			return &k.params[i]
		}
	}
	return nil
}

// arguments are what a call is made with.
type arguments map[string]json.RawMessage

// set puts a text into a parameter.
func (a arguments) set(p *param, s string) {
	if p != nil {
		a[p.name] = p.value(s)
	}
}

// fill gives the required parameters that have none a value of the schema.
func (k *kit) fill(a arguments) arguments {
	for i := range k.params {
		p := &k.params[i]
		if _, ok := a[p.name]; !ok && p.required {
			a[p.name] = p.filler()
		}
	}
	return a
}

// room is the parameter that something long is best put into.
func (k *kit) room(taken arguments) *param {
	if p := k.param(roleBody); p != nil && taken[p.name] == nil {
		return p
	}
	for i := range k.params {
		p := &k.params[i]
		if _, ok := taken[p.name]; !ok && (p.kind == "string" || p.kind == "array") {
			return p
		}
	}
	return nil
}
