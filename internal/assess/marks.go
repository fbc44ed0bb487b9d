package assess

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// planted are the secrets of the lived-in home, in its files, its environment
// and its machine.
func planted(home *decoys.Home) []leak.Mark {
	marks := leak.Decoys(home.Decoys)
	for _, v := range home.Environment() {
		marks = append(marks, leak.Mark{ID: v.ID, Kind: v.Kind, Source: mcpsf.SourceVariable + v.Name, Tokens: v.Tokens, Hosts: v.Hosts})
	}
	m := home.Machine()
	return append(marks, leak.Mark{ID: m.ID, Kind: m.Kind, Source: "the machine's metadata", Tokens: m.Tokens, Hosts: m.Hosts})
}

// exported are the planted variables as a program's environment has them.
func exported(home *decoys.Home) []string {
	var env []string
	for _, v := range home.Environment() {
		env = append(env, v.Name+"="+v.Value)
	}
	return env
}

// variables are the ids of the planted ones by name.
func variables(home *decoys.Home) map[string]string {
	ids := map[string]string{}
	for _, v := range home.Environment() {
		ids[v.Name] = v.ID
	}
	return ids
}

// kindConfigured is the kind of what the server is started with.
const kindConfigured = "configuration"

// configured are the values that a server is given with its command line and
// its variables and that could be secrets.
func configured(command, vars []string) []leak.Mark {
	var marks []leak.Mark
	seen := map[string]bool{}
	add := func(source, value string) {
		token := secretIn(value)
		if token == "" || seen[token] {
			return
		}
		seen[token] = true
		marks = append(marks, leak.Mark{
			ID: fmt.Sprintf("conf-%02x", len(marks)+1), Kind: kindConfigured, Source: source, Configured: true, Tokens: []string{token},
		})
	}
	for _, kv := range vars {
		if name, value, _ := strings.Cut(kv, "="); !identifies(name) {
			add(mcpsf.SourceVariable+name, value)
		}
	}
	for i, arg := range command {
		value := arg
		if strings.HasPrefix(arg, "-") {
			_, value, _ = strings.Cut(arg, "=")
		}
		add(fmt.Sprintf("%s%d", mcpsf.SourceArgument, i+1), value)
	}
	return marks
}

// identifies tells whether a variable holds what everybody may know: the id of
// an application stands in every address that its users visit. That of a key is
// half of a credential.
func identifies(name string) bool {
	name = strings.ToUpper(name)
	for _, public := range []string{"CLIENT_ID", "APP_ID", "APPLICATION_ID", "TENANT_ID", "PROJECT_ID", "ACCOUNT_ID", "ORG_ID", "USER_ID"} {
		if strings.HasSuffix(name, public) {
			return true
		}
	}
	return false
}

// leastSecret is the length from which a value may be a secret.
const leastSecret = 12

// secretIn is the part of a configured value that could be secret, "" if
// there is none: not a path, not an address, not a sentence.
func secretIn(value string) string {
	if u, err := url.Parse(value); err == nil && u.Scheme != "" && u.Host != "" {
		value, _ = u.User.Password()
		if u.User == nil {
			return ""
		}
	}
	if len(value) < leastSecret || strings.ContainsAny(value, " /\\") || !strings.ContainsAny(value, "0123456789") {
		return ""
	}
	return value
}
