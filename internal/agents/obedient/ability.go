package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// ability is something that a tool can do for whoever gives orders.
type ability string

const (
	canRead     ability = "read files"
	canWrite    ability = "write files"
	canDelete   ability = "delete"
	canMail     ability = "send mail"
	canPost     ability = "post to the web"
	canTellAll  ability = "give secrets"
	canRemember ability = "remember"
	canRun      ability = "run commands"
	canPay      ability = "pay"
	canSearch   ability = "search"
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
			ability: canTellAll, verbs: []string{"get", "read", "lookup", "look", "fetch", "show", "list", "find", "retrieve", "return", "returns", "gives"},
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

// kit is what is known of a tool.
type kit struct {
	params    []param
	abilities []ability
	// words are those of its name, about those of its first sentence.
	words, about []string
}

// kitOf judges a tool by its name, its parameters, and how its description
// begins; what comes later may be there to deceive.
func kitOf(t *llm.Tool) kit {
	first := t.Description[:min(len(t.Description), 300)]
	if at := strings.IndexAny(first, ".\n"); at > 0 {
		first = first[:at]
	}
	k := kit{params: paramsOf(t.Schema), words: wordsOf(t.Name, 12), about: wordsOf(first, 40)}
	for _, tr := range traits() {
		if k.shows(&tr) {
			k.abilities = append(k.abilities, tr.ability)
		}
	}
	return k
}

func (k *kit) shows(t *trait) bool {
	for _, need := range t.needs {
		if k.param(need) == nil {
			return false
		}
	}
	if anyOf(k.words, t.never) {
		return false
	}
	if anyOf(k.words, t.alone) {
		return true
	}
	noun := anyOf(k.words, t.nouns) || anyOf(k.about, t.nouns)
	verb := anyOf(k.words, t.verbs) || len(k.about) > 0 && slices.Contains(t.verbs, stem(k.about[0]))
	return noun && verb
}

func (k *kit) can(a ability) bool { return slices.Contains(k.abilities, a) }

// private tools touch what is the user's: they are not called by the way.
func (k *kit) private() bool {
	return slices.ContainsFunc(k.abilities, func(a ability) bool { return a != canSearch })
}

func anyOf(words, of []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
}

// stem takes the ending off a verb that describes: reads, fetches.
func stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}
