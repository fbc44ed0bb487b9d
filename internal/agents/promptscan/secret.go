package promptscan

import "strings"

// secretPath says whether a path is one where secrets lie.
func secretPath(p string) bool {
	p = strings.ReplaceAll(p, `\`, "/")
	base := p[strings.LastIndexByte(p, '/')+1:]
	if strings.HasSuffix(base, ".pub") {
		return false
	}
	if strings.HasPrefix(base, ".env") {
		return base == ".env" || strings.HasPrefix(base, ".env.") && !sample(base)
	}
	switch base {
	case "credentials", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", ".netrc", ".npmrc", ".pypirc", ".git-credentials", "mcp.json",
		"claude_desktop_config.json", "wallet.dat", "kubeconfig", "credentials.json", "secrets.json", "secrets.yaml", "secrets.yml",
		"secrets.toml", ".bash_history", ".zsh_history", "hosts.yml", "environ", "shadow", "passwd", ".pgpass", "authorized_keys",
		"cookies.sqlite", "logins.json", "key4.db", "application_default_credentials.json", "config.json", ".claude.json":
		return base != "config.json" || strings.Contains(p, ".docker/")
	}
	for _, part := range []string{".ssh", ".aws", ".gnupg", ".kube", ".password-store", "/keychains", ".config/gcloud", ".azure", ".cursor/mcp"} {
		if strings.Contains(p, part) {
			return true
		}
	}
	if strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".txt") {
		return strings.Contains(base, "token") || strings.Contains(base, "credential") || strings.Contains(base, "password")
	}
	return strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".p12") || strings.HasSuffix(base, ".kdbx")
}

// sample files show what the real one looks like.
func sample(base string) bool {
	for _, s := range []string{"example", "sample", "template", "dist", "test"} {
		if strings.Contains(base, s) {
			return true
		}
	}
	return false
}

// private says whether the path is one that no tool has to do with by the way.
func private(p string) bool {
	for _, s := range []string{"id_rsa", "id_ed25519", "id_ecdsa", ".ssh", "shadow", "passwd", "wallet", "mcp.json", "claude", "environ", ".gnupg", ".aws/", "history", "cookies", "key4", "logins",
		"gh/hosts.yml", ".netrc", ".git-credentials", ".pypirc", ".docker/config.json", "application_default_credentials", ".password-store", "keychain"} {
		if strings.Contains(p, s) {
			return true
		}
	}
	return false
}

// secretName is true for the name of a parameter that a secret belongs in.
func secretName(name string) bool {
	for _, s := range []string{"key", "token", "password", "passphrase", "secret", "credential", "auth", "cookie", "pin", "otp"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
