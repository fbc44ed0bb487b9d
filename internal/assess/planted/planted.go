// Package planted lists the secrets around a server as marks by which a leak is
// recognised: those of the decoy home, its variables and its machine, what a user
// types and a model answers when the server asks, and the server's configuration.
package planted

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Home returns the secrets of the decoy home, in its files, its variables and its machine.
func Home(home *decoys.Home) []leak.Mark {
	marks := leak.Decoys(home.Decoys)
	for _, v := range home.Environment() {
		marks = append(marks, leak.Mark{ID: v.ID, Kind: v.Kind, Source: mcpsf.SourceVariable + v.Name, Tokens: v.Tokens, Hosts: v.Hosts})
	}
	m := home.Machine()
	return append(marks, leak.Mark{ID: m.ID, Kind: m.Kind, Source: "the machine's metadata", Tokens: m.Tokens, Hosts: m.Hosts})
}

// Environment returns the planted variables as NAME=VALUE.
func Environment(home *decoys.Home) []string {
	var env []string
	for _, v := range home.Environment() {
		env = append(env, v.Name+"="+v.Value)
	}
	return env
}

// VariableIDs returns the canary ids of the planted variables by name.
func VariableIDs(home *decoys.Home) map[string]string {
	ids := map[string]string{}
	for _, v := range home.Environment() {
		ids[v.Name] = v.ID
	}
	return ids
}

// KindConfigured is the kind of a value that the server is started with.
const KindConfigured = "configuration"

// Configured returns the values on a server's command line and in its variables
// that could be secrets.
func Configured(command, vars []string) []leak.Mark {
	var marks []leak.Mark
	seen := map[string]bool{}
	add := func(source, value string) {
		token := secretIn(value)
		if token == "" || seen[token] {
			return
		}
		seen[token] = true
		marks = append(marks, leak.Mark{
			ID: fmt.Sprintf("conf-%02x", len(marks)+1), Kind: KindConfigured, Source: source, Configured: true, Tokens: []string{token},
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

// identifies tells whether a variable holds a public identifier: the id of an
// application is in every URL that its users visit. The id of a key is half of a
// credential, so it does not count.
func identifies(name string) bool {
	name = strings.ToUpper(name)
	for _, public := range []string{"CLIENT_ID", "APP_ID", "APPLICATION_ID", "TENANT_ID", "PROJECT_ID", "ACCOUNT_ID", "ORG_ID", "USER_ID"} {
		if strings.HasSuffix(name, public) {
			return true
		}
	}
	return false
}

// LeastSecret is the length from which a value may be a secret.
const LeastSecret = 12

// secretIn returns the part of a configured value that could be secret, "" if
// none: not a path, not a URL, not a sentence.
func secretIn(value string) string {
	if u, err := url.Parse(value); err == nil && u.Scheme != "" && u.Host != "" {
		value, _ = u.User.Password()
		if u.User == nil {
			return ""
		}
	}
	if len(value) < LeastSecret || strings.ContainsAny(value, " /\\") || !strings.ContainsAny(value, "0123456789") {
		return ""
	}
	return value
}

// Files returns all files of the decoy home in the sandbox's form.
func Files(home *decoys.Home) []box.File {
	files := make([]box.File, 0, len(home.Decoys)+len(home.Scenery))
	for _, d := range home.Decoys {
		files = append(files, box.File{Path: d.Path, Mode: d.Mode, Content: d.Content})
	}
	for _, f := range home.Scenery {
		files = append(files, box.File{Path: f.Path, Mode: f.Mode, Content: f.Content})
	}
	return files
}
