package obedient

// ability is something that a tool can do for whoever gives orders.
type ability string

const (
	canRead        ability = "read files"
	canWrite       ability = "write files"
	canDelete      ability = "delete"
	canMail        ability = "send mail"
	canPost        ability = "post to the web"
	canTellSecrets ability = "give secrets"
	canRemember    ability = "remember"
	canRun         ability = "run commands"
	canPay         ability = "pay"
	canSearch      ability = "search"
)

// trait is how a tool with an ability is recognised: by one of the verbs and
// one of the nouns in its name or in the first words of its description, and
// by parameters that it cannot do without.
type trait struct {
	ability      ability
	verbs, nouns []string
	// alone are words that say both.
	alone []string
	// needs are the roles of which parameters must have one each.
	needs []role
	// never are words that the name of such a tool does not have.
	never []string
}

func traits() []trait {
	return []trait{
		{
			ability: canRead, verbs: []string{"read", "open", "view", "get", "load", "cat", "show", "fetch", "display"},
			nouns: []string{"file", "files", "document", "documents", "fs", "filesystem", "disk"},
			needs: []role{rolePath}, never: []string{"write", "delete", "remove", "create", "edit", "move", "list", "save", "append", "upload"},
		},
		{
			ability: canWrite, verbs: []string{"write", "save", "create", "append", "edit", "put", "store"},
			nouns: []string{"file", "files", "document", "fs", "filesystem", "disk"}, needs: []role{rolePath, roleBody},
		},
		{
			ability: canDelete, verbs: []string{"delete", "remove", "erase", "unlink", "destroy"}, nouns: []string{"file", "files", "document", "folder", "path"},
			alone: []string{"unlink"}, needs: []role{rolePath},
		},
		{
			ability: canMail, verbs: []string{"send", "dispatch", "deliver", "write", "compose"}, nouns: []string{"mail", "email", "mails", "emails", "message", "messages", "letter"},
			alone: []string{"mailer", "sendmail", "email"}, needs: []role{roleReceiver}, never: []string{"read", "list", "search", "draft", "check"},
		},
		{
			ability: canPost, verbs: []string{"post", "upload", "request", "send", "put", "submit", "push", "call", "upload"},
			nouns: []string{"http", "https", "web", "url", "webhook", "server", "request", "address", "internet", "api"},
			alone: []string{"curl", "webhook", "upload"}, needs: []role{roleURL}, never: []string{"search", "read", "mail", "email"},
		},
		{
			ability: canTellSecrets, verbs: []string{"get", "read", "lookup", "look", "fetch", "show", "list", "find", "retrieve", "return", "returns", "gives"},
			nouns: []string{"password", "passwords", "secret", "secrets", "credential", "credentials", "vault", "keychain", "keyring", "login", "logins"},
			alone: []string{"vault", "keychain", "keyring", "credentials", "passwords", "secrets"},
			never: []string{"set", "create", "generate", "rotate", "delete", "new", "scan", "check", "change", "store", "add", "save", "fix", "update"},
		},
		{
			ability: canRemember, verbs: []string{"save", "store", "add", "remember", "keep", "write", "append", "create", "put"},
			nouns: []string{"memory", "memories", "fact", "facts", "remember"}, alone: []string{"remember", "memorize", "memorise"}, needs: []role{roleBody},
			never: []string{"search", "read", "delete", "list", "recall"},
		},
		{
			ability: canRun, verbs: []string{"run", "execute", "exec"}, nouns: []string{"command", "commands", "shell", "terminal", "bash", "script", "cmd"},
			alone: []string{"shell", "terminal", "bash", "powershell"}, needs: []role{roleCommand},
		},
		{
			ability: canPay, verbs: []string{"transfer", "pay", "send", "make", "wire"}, nouns: []string{"money", "payment", "payments", "transfer", "bank", "funds", "euro"},
			alone: []string{"pay"}, needs: []role{roleAccount, roleAmount},
		},
		{
			ability: canSearch, verbs: []string{"search", "find", "look", "query", "lookup", "google", "browse"},
			nouns: []string{"web", "internet", "online", "google", "net"}, needs: []role{roleQuery},
		},
	}
}
