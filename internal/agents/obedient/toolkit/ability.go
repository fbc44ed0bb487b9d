package toolkit

// Ability is something that a tool can do for whoever gives orders.
type Ability string

const (
	CanRead        Ability = "read files"
	CanWrite       Ability = "write files"
	CanDelete      Ability = "delete"
	CanMail        Ability = "send mail"
	CanPost        Ability = "post to the web"
	CanTellSecrets Ability = "give secrets"
	CanRemember    Ability = "remember"
	CanRun         Ability = "run commands"
	CanPay         Ability = "pay"
	canSearch      Ability = "search"
)

// trait is how a tool with an ability is recognised: by one of the verbs and
// one of the nouns in its name or in the first words of its description, and
// by parameters that it cannot do without.
type trait struct {
	ability      Ability
	verbs, nouns []string
	// alone are words that say both.
	alone []string
	// needs are the roles of which parameters must have one each.
	needs []Role
	// never are words that the name of such a tool does not have.
	never []string
}

func traits() []trait {
	return []trait{
		{
			ability: CanRead, verbs: []string{"read", "open", "view", "get", "load", "cat", "show", "fetch", "display"},
			nouns: []string{"file", "files", "document", "documents", "fs", "filesystem", "disk"},
			needs: []Role{RolePath}, never: []string{"write", "delete", "remove", "create", "edit", "move", "list", "save", "append", "upload"},
		},
		{
			ability: CanWrite, verbs: []string{"write", "save", "create", "append", "edit", "put", "store"},
			nouns: []string{"file", "files", "document", "fs", "filesystem", "disk"}, needs: []Role{RolePath, RoleBody},
		},
		{
			ability: CanDelete, verbs: []string{"delete", "remove", "erase", "unlink", "destroy"}, nouns: []string{"file", "files", "document", "folder", "path"},
			alone: []string{"unlink"}, needs: []Role{RolePath},
		},
		{
			ability: CanMail, verbs: []string{"send", "dispatch", "deliver", "write", "compose"}, nouns: []string{"mail", "email", "mails", "emails", "message", "messages", "letter"},
			alone: []string{"mailer", "sendmail", "email"}, needs: []Role{RoleReceiver}, never: []string{"read", "list", "search", "draft", "check"},
		},
		{
			ability: CanPost, verbs: []string{"post", "upload", "request", "send", "put", "submit", "push", "call", "upload"},
			nouns: []string{"http", "https", "web", "url", "webhook", "server", "request", "address", "internet", "api"},
			alone: []string{"curl", "webhook", "upload"}, needs: []Role{RoleURL}, never: []string{"search", "read", "mail", "email"},
		},
		{
			ability: CanTellSecrets, verbs: []string{"get", "read", "lookup", "look", "fetch", "show", "list", "find", "retrieve", "return", "returns", "gives"},
			nouns: []string{"password", "passwords", "secret", "secrets", "credential", "credentials", "vault", "keychain", "keyring", "login", "logins"},
			alone: []string{"vault", "keychain", "keyring", "credentials", "passwords", "secrets"},
			never: []string{"set", "create", "generate", "rotate", "delete", "new", "scan", "check", "change", "store", "add", "save", "fix", "update"},
		},
		{
			ability: CanRemember, verbs: []string{"save", "store", "add", "remember", "keep", "write", "append", "create", "put"},
			nouns: []string{"memory", "memories", "fact", "facts", "remember"}, alone: []string{"remember", "memorize", "memorise"}, needs: []Role{RoleBody},
			never: []string{"search", "read", "delete", "list", "recall"},
		},
		{
			ability: CanRun, verbs: []string{"run", "execute", "exec"}, nouns: []string{"command", "commands", "shell", "terminal", "bash", "script", "cmd"},
			alone: []string{"shell", "terminal", "bash", "powershell"}, needs: []Role{RoleCommand},
		},
		{
			ability: CanPay, verbs: []string{"transfer", "pay", "send", "make", "wire"}, nouns: []string{"money", "payment", "payments", "transfer", "bank", "funds", "euro"},
			alone: []string{"pay"}, needs: []Role{RoleAccount, RoleAmount},
		},
		{
			ability: canSearch, verbs: []string{"search", "find", "look", "query", "lookup", "google", "browse"},
			nouns: []string{"web", "internet", "online", "google", "net"}, needs: []Role{RoleQuery},
		},
	}
}
