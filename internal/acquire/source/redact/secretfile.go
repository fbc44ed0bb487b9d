package redact

import (
	"path"
	"slices"
	"strings"
)

// A project directory contains its owner's secrets beside the code: .env,
// .npmrc, keys. When the project is copied they are replaced by values of the
// same shape, so that no untrusted code and no report gets the real ones. This
// file decides by name which files those are.

// form is the format of a file that may contain secrets.
type form int

const (
	formNone     form = iota // not such a file
	formLines                // a key and a value on each line: dotenv, ini, YAML, TOML
	formJSON                 // with or without comments
	formPEM                  // PEM frames
	formNetrc                // words: machine, login, password
	formFields               // fields with colons between them, the last one secret
	formWhole                // a single secret
	formKeyStore             // a key store that cannot be parsed
)

// SecretFile is the format of a file with secrets. The zero value means a file
// without. If within is set, every value in the file is a secret of that name.
type SecretFile struct {
	form   form
	within string
	// client marks the settings of an editor or an MCP client. The names of
	// their servers say nothing about the values below them.
	client bool
	// Framed marks a name that other files have, too: the file is a key only if
	// it has a PEM frame.
	Framed bool
}

// Any reports whether the file may contain secrets.
func (v SecretFile) Any() bool { return v.form != formNone }

// IsOpen reports whether a file is a program or an example, which is not
// redacted even if a link to it has the name of a file with secrets.
func IsOpen(p string) bool {
	p = strings.ToLower(p)
	return isCode(p) || isExample(path.Base(p))
}

// Classify decides by the name. Files that a package manager installed are
// public and not redacted.
func Classify(p string) SecretFile {
	dir, base := path.Split(strings.ToLower(p))
	dirs := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	parent := dirs[len(dirs)-1]
	if slices.Contains(dirs, "node_modules") || slices.Contains(dirs, "site-packages") || isExample(base) || isCode(base) {
		return SecretFile{}
	}
	switch {
	case isClientFile(parent, base):
		return SecretFile{form: formOf(base), client: true}
	case isKeyFile(parent, base):
		return SecretFile{form: formPEM}
	case isEnvFile(base), isSettingsFile(parent, base):
		return SecretFile{form: formOf(base)}
	case strings.HasPrefix(base, "id_") && path.Ext(base) == "":
		return SecretFile{form: formPEM, Framed: true}
	case isStore(base):
		return SecretFile{form: formKeyStore}
	}
	switch base {
	case ".netrc", "_netrc", ".authinfo":
		return SecretFile{form: formNetrc}
	case ".pgpass", "pgpass.conf", ".htpasswd":
		return SecretFile{form: formFields}
	case ".vault-token", ".vault_pass", ".vault-pass":
		return SecretFile{form: formWhole}
	}
	return classifyByWords(base)
}

// classifyByWords recognises secrets.yaml, prod-credentials.json,
// my-service-account.json and the like.
func classifyByWords(base string) SecretFile {
	ext := path.Ext(base)
	stem := strings.Trim(strings.TrimSuffix(base, ext), ".")
	if strings.HasPrefix(base, ".") && stem == "" {
		stem, ext = strings.Trim(base, "."), "" // .secrets
	}
	if !slices.Contains([]string{"", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".csv", ".txt"}, ext) {
		return SecretFile{}
	}
	words := nameWords(stem)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
	}
	switch {
	case stem == "secrets" || stem == "secret" && ext != ".txt":
		return SecretFile{form: formOf(base), within: "secrets"}
	case ext == "" && stem != "credentials":
		return SecretFile{}
	case has("secrets", "credentials", "credential", "creds", "adminsdk", "serviceaccount"), has("service") && has("account"),
		has("client") && has("secret"):
		return SecretFile{form: formOf(base)}
	case ext == ".json" && slices.Contains([]string{"token", "tokens", "auth"}, stem):
		return SecretFile{form: formOf(base)}
	}
	return SecretFile{}
}

// formOf decides by the extension if the name alone does not.
func formOf(base string) form {
	switch path.Ext(strings.TrimSuffix(base, ".backup")) {
	case ".json", ".jsonc", ".tfstate", ".dockercfg", ".dockerconfigjson":
		return formJSON
	}
	return formLines
}

// isExample recognises templates, which are there to be copied and filled in.
func isExample(base string) bool {
	parts := strings.Split(base, ".")
	last := len(parts) - 1
	marks := []string{"example", "sample", "template", "tmpl", "dist"}
	if slices.Contains(marks, parts[last]) {
		return true
	}
	formats := []string{"json", "jsonc", "yaml", "yml", "toml", "ini", "env", "tfvars", "properties", "pem", "key"}
	return last > 0 && slices.Contains(formats, parts[last]) && slices.Contains(marks, parts[last-1])
}

// isCode recognises programs, which are not changed whatever their name.
func isCode(base string) bool {
	return slices.Contains([]string{
		".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".py", ".pyc", ".pyi", ".so", ".node", ".wasm", ".sh", ".rb", ".go", ".rs",
		".java", ".php", ".pl", ".lua", ".html", ".css", ".md",
	}, path.Ext(base))
}

func isEnvFile(base string) bool {
	return base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, ".env-") || strings.HasPrefix(base, ".env_") ||
		path.Ext(base) == ".env" || slices.Contains([]string{".envrc", ".flaskenv", ".dev.vars"}, base) || strings.HasPrefix(base, ".dev.vars.")
}

// isClientFile recognises the settings of MCP clients and editors.
func isClientFile(parent, base string) bool {
	if slices.Contains([]string{
		".mcp.json", "mcp.json", "mcp_config.json", "mcp_settings.json", "cline_mcp_settings.json", "claude_desktop_config.json", ".claude.json",
	}, base) {
		return true
	}
	return slices.Contains([]string{
		".vscode", ".cursor", ".gemini", ".zed", ".codex", ".windsurf", ".roo", ".kiro", ".amazonq", ".claude", ".continue",
	}, parent) && slices.Contains([]string{".json", ".jsonc", ".toml", ".yaml", ".yml"}, path.Ext(base))
}

// isSettingsFile recognises settings of tools that contain credentials.
func isSettingsFile(parent, base string) bool {
	switch parent {
	case ".aws":
		return base == "credentials" || base == "config"
	case ".kube":
		return base == "config"
	case ".docker":
		return base == "config.json"
	}
	switch path.Ext(strings.TrimSuffix(strings.TrimSuffix(base, ".json"), ".backup")) {
	case ".tfvars", ".tfstate":
		return true
	}
	return strings.HasSuffix(parent, ".git") && base == "config" || strings.HasPrefix(base, "appsettings.") || slices.Contains([]string{
		".npmrc", "npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", "pip.conf", "pip.ini", ".condarc", ".gemrc", ".my.cnf", ".s3cfg", ".boto",
		".sentryclirc", ".terraformrc", ".gitconfig", ".gitmodules", ".git-credentials", ".dockercfg", ".dockerconfigjson", "kubeconfig",
		"gradle.properties", "local.properties", "local.settings.json",
	}, base)
}

func isKeyFile(parent, base string) bool {
	ext := path.Ext(base)
	switch {
	case ext == ".pub":
		return false
	case ext == ".pem", ext == ".key", ext == ".ppk":
		return true
	case parent == ".ssh":
		return !slices.Contains([]string{"config", "known_hosts", "known_hosts.old", "authorized_keys"}, base)
	}
	for _, kind := range []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"} {
		if strings.HasPrefix(base, kind) {
			return true
		}
	}
	return false
}

func isStore(base string) bool {
	return slices.Contains([]string{".p12", ".pfx", ".jks", ".keystore", ".kdbx"}, path.Ext(base))
}
