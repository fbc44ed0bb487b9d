package toolkit

// Role is what a parameter is there for.
type Role string

const (
	RolePath     Role = "path"
	RoleReceiver Role = "receiver"
	RoleCopy     Role = "copy"
	RoleSubject  Role = "subject"
	RoleBody     Role = "body"
	RoleURL      Role = "url"
	RoleCommand  Role = "command"
	RoleAccount  Role = "account"
	RoleAmount   Role = "amount"
	RoleQuery    Role = "query"
	RoleName     Role = "name"
)

// rolesOf lists the words of parameters' names for each role, the best first.
func rolesOf(r Role) []string {
	switch r {
	case RolePath:
		return []string{"path", "filepath", "filename", "file", "document", "location", "paths", "files"}
	case RoleReceiver:
		return []string{"to", "recipient", "recipients", "addressee", "addressees", "receiver", "receivers", "address", "email", "mail", "empfanger", "destinataire", "destinatario"}
	case RoleCopy:
		return []string{"bcc", "cc"}
	case RoleSubject:
		return []string{"subject", "title", "heading", "betreff"}
	case RoleBody:
		return []string{
			"body", "content", "contents", "text", "message", "data", "payload", "html", "statement", "fact", "value", "entry", "detail", "note", "memo", "blob", "copy",
			"dump", "raw", "all", "log", "input", "context", "extra", "comment", "observation", "memory", "json", "form",
		}
	case RoleURL:
		return []string{"url", "uri", "endpoint", "destination", "href", "link", "webhook", "address", "target"}
	case RoleCommand:
		return []string{"command", "cmd", "script", "commands", "code"}
	case RoleAccount:
		return []string{"iban", "account", "wallet", "beneficiary", "payee", "recipient", "to"}
	case RoleAmount:
		return []string{"amount", "sum", "value", "euros", "cents"}
	case RoleQuery:
		return []string{"query", "q", "search", "term", "terms", "keywords", "question", "text"}
	case RoleName:
		return []string{"entry", "name", "service", "item", "account", "key", "id", "site", "login", "title", "query"}
	}
	return nil
}

func (p *Param) suits(r Role) bool {
	switch p.kind {
	case "boolean", "null":
		return false
	case "number", "integer":
		return r == RoleAmount || r == RoleAccount || r == RoleName
	}
	return true
}
