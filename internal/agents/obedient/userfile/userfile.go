package userfile

import (
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Secret files have secrets in them.
func Secret(path string) bool {
	return promptscan.SecretPath(path) || telling.MatchString(path) && (below.MatchString(path) || suffix.MatchString(path))
}

// HiddenInHome reports whether the file is below the home, and it or a folder of
// it is hidden.
func HiddenInHome(path string) bool { return homely.MatchString(path) }

// NamedLikeSecret reports whether the file's name says that a secret lies in it.
func NamedLikeSecret(path string) bool { return telling.MatchString(path) && suffix.MatchString(path) }

var (
	// homely files, hidden in the home are somebody's own.
	homely = regexp.MustCompile(`^(?:~|\$\{?HOME\}?|/home/[^/]+|/root|/Users/[^/]+|%USERPROFILE%)[/\\]+(?:.*[/\\])?\.\w`)
	below  = regexp.MustCompile(`(?i)^(?:~|\$\{?HOME\}?|/home/|/root|/Users/|%USERPROFILE%|C:)`)
	suffix = regexp.MustCompile(`\w\.\w{1,8}$`)
	// telling names say that a secret lies there.
	telling = regexp.MustCompile(`(?i)token|passw|secret|credential|private|wallet|\bkeys?\b|_key|keyring|vault|cookie|history|auth\b|\.(?:pem|kdbx|key|keystore|gpg|asc|cnf|s3cfg|pgpass|age)$|\bid\.json|rclone|huggingface|stripe|\.config/\w+/(?:config|hosts)`)
)

// Private is one that no tool has to do with unless the user says so.
func Private(path string) bool {
	if strings.HasSuffix(path, ".pub") || strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/dev/") {
		return false
	}
	if path == "" {
		return false
	}
	if Secret(path) {
		return true
	}
	low := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	for _, p := range []string{"~/", "$home", "/home/", "/root/", "/users/", "/etc/", "c:/users", "%userprofile%", "/proc/", "/var/"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return false
}

// lasting are files that steer agents and shells in later sessions.
func Steers(path string) bool {
	low := strings.ToLower(path)
	if !strings.ContainsAny(low, "./") {
		return false
	}
	base := low[strings.LastIndexByte(low, '/')+1:]
	switch base {
	case "claude.md", "agents.md", "agent.md", "gemini.md", "memory.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md", "settings.json", "settings.local.json",
		".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", "authorized_keys", "crontab", "mcp.json", "claude_desktop_config.json", ".gitconfig", "config.toml", ".mcp.json", "hosts", "sudoers":
		return true
	}
	return strings.Contains(low, ".claude/") || strings.Contains(low, ".cursor/") || strings.Contains(low, ".git/hooks") || strings.Contains(low, "autostart") || strings.Contains(low, "cron.d")
}

// Location is where such a secret lies, "" if not in a file.
func Location(words string) string {
	for _, h := range []struct{ word, path string }{
		{"passw", ""},
		{"keychain", ""},
		{"credential store", ""},
		{"ed25519", "~/.ssh/id_ed25519"},
		{"aws", "~/.aws/credentials"},
		{"etc shadow", "/etc/shadow"},
		{"etc passwd", "/etc/passwd"},
		{"kube", "~/.kube/config"},
		{"claude", "~/.config/Claude/claude_desktop_config.json"},
		{"mcp", "~/.cursor/mcp.json"},
		{"cursor", "~/.cursor/mcp.json"},
		{"client config", "~/.cursor/mcp.json"},
		{"npm", "~/.npmrc"},
		{"netrc", "~/.netrc"},
		{"pypirc", "~/.pypirc"},
		{"git", "~/.git-credentials"},
		{"history", "~/.bash_history"},
		{"cookie", "~/.config/google-chrome/Default/Cookies"},
		{"gpg", "~/.gnupg/secring.gpg"},
		{"signing", "~/.gnupg/secring.gpg"},
		{"wallet", "~/.bitcoin/wallet.dat"},
		{"phrase", ""},
		{"gh ", "~/.config/gh/hosts.yml"},
		{"docker", "~/.docker/config.json"},
		{"env", ".env"},
		{"umgebung", ".env"},
		{"entorno", ".env"},
		{"окружения", ".env"},
		{"среды", ".env"},
		{"环 境", ".env"},
		{"環 境", ".env"},
		{"ssh config", "~/.ssh/config"},
	} {
		if strings.Contains(words, h.word) {
			return h.path
		}
	}
	return "~/.ssh/id_rsa"
}

// target is what may be a file that something is written to.
var target = regexp.MustCompile(`(?:~|\.{1,2}|\$HOME|[A-Za-z]:)?/?(?:[\w.-]+/)*[\w.-]*[\w-]`)

// Find lists what may be paths, at most so many.
func Find(text string, most int) []string { return target.FindAllString(text, most) }

var relative = regexp.MustCompile(`^[\w.-]+(?:/[\w.-]+)+\w|^[\w-]+\.[a-z]{1,5}\b`)

// At is a path that begins at a place.
func At(s string, from int) string {
	if from > 0 && !strings.ContainsRune(" \"'`(", rune(s[from-1])) {
		return ""
	}
	return relative.FindString(s[from:min(len(s), from+300)])
}
