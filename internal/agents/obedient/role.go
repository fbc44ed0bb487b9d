package obedient

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

func (p *param) suits(r role) bool {
	switch p.kind {
	case "boolean", "null":
		return false
	case "number", "integer":
		return r == roleAmount || r == roleAccount || r == roleName
	}
	return true
}
