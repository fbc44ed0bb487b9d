package paths

import (
	"path"
	"slices"
	"strings"
)

// Persistent reports whether what is written to p runs by itself later, or
// tells another program what to run: start-up files, schedules, keys that let
// somebody in, package managers' settings, the agents' own configuration.
func (l Places) Persistent(p string) bool {
	if Temporary(p) {
		return false
	}
	if rel, ok := strings.CutPrefix(p, l.Home+"/"); ok && homePersistent(rel) {
		return true
	}
	if systemPersistent(p) || gitHook(p) {
		return true
	}
	return !Under(p, l.Workdir) && clientConfig(p)
}

// homePersistent takes a path below the home directory.
func homePersistent(rel string) bool {
	switch rel {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
		".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login",
		".xinitrc", ".xprofile", ".xsessionrc", ".pam_environment", ".vimrc", ".tmux.conf",
		".emacs", ".gdbinit", ".inputrc", ".pythonrc", ".pythonrc.py", ".direnvrc",
		".npmrc", ".yarnrc", ".yarnrc.yml", ".pip/pip.conf", ".config/pip/pip.conf",
		".cargo/config", ".cargo/config.toml", ".gitconfig",
		".ssh/authorized_keys", ".ssh/config", ".ssh/rc", ".ssh/environment", ".claude.json":
		return true
	}
	return slices.ContainsFunc([]string{
		".config/autostart", ".config/systemd", ".local/share/systemd", ".config/environment.d",
		".config/fish", ".bashrc.d", ".local/bin", "bin", ".local/share/applications",
		".config/plasma-workspace", ".config/git", ".config/nvim", ".vim", ".emacs.d", ".config/direnv",
		".config/Claude", ".claude", ".cursor", ".config/Cursor", ".vscode", ".config/Code",
		".codeium", ".windsurf", ".gemini", ".codex", ".continue", ".config/zed", ".config/goose",
	}, func(dir string) bool { return Under(rel, dir) }) || StartsWithPython(rel) || onPath(rel) || Installed(rel)
}

// Installed knows where package managers put code that other programs run.
// What Python compiles for itself beside the source is none of that.
func Installed(rel string) bool {
	if strings.Contains(rel, "/__pycache__/") || path.Base(rel) == "__pycache__" {
		return false
	}
	for _, dir := range []string{".npm/_npx", ".cache/uv", ".local/bin", "go/bin", ".cargo/bin", ".nvm"} {
		if Under(rel, dir) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(rel, ".local/lib/python")
	_, rest, _ = strings.Cut(rest, "/")
	return ok && Under(rest, "site-packages")
}

// StartsWithPython knows what every Python of the user's runs when it starts.
func StartsWithPython(rel string) bool {
	if !strings.HasPrefix(rel, ".local/lib/python") {
		return false
	}
	name := path.Base(rel)
	return strings.HasSuffix(name, ".pth") || name == "usercustomize.py" || name == "sitecustomize.py"
}

// onPath knows the directories of programs that package managers of the
// user's own put into the search path.
func onPath(rel string) bool {
	if path.Base(path.Dir(rel)) != "bin" {
		return false
	}
	top, _, _ := strings.Cut(rel, "/")
	switch top {
	case ".nvm", ".npm-global", ".npm-packages", ".volta", ".bun", ".deno", ".cargo", ".pyenv", ".rbenv", "go":
		return true
	}
	return false
}

func systemPersistent(p string) bool {
	switch p {
	case "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/rc.local", "/etc/environment", "/etc/profile",
		"/etc/bash.bashrc", "/etc/crontab", "/etc/passwd", "/etc/group":
		return true
	}
	return slices.ContainsFunc([]string{
		"/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily", "/etc/cron.weekly", "/etc/cron.monthly",
		"/var/spool/cron", "/etc/systemd", "/etc/profile.d", "/etc/ld.so.conf.d", "/etc/init.d",
		"/etc/pam.d", "/usr/local/bin", "/usr/local/sbin",
	}, func(dir string) bool { return Under(p, dir) })
}

// gitHook leaves out the samples that git itself puts into every repository.
func gitHook(p string) bool {
	return strings.Contains(p, "/.git/hooks/") && !strings.HasSuffix(p, ".sample")
}

// clientConfig knows the files that tell an agent which servers to start or
// what to do: its instructions are obeyed like a script. So are the tasks of an
// editor that run when a folder is opened.
func clientConfig(p string) bool {
	name := path.Base(p)
	for _, auto := range []string{"/.vscode/tasks.json", "/.devcontainer/devcontainer.json", "/.claude/settings.json", "/.claude/settings.local.json", "/.zed/tasks.json"} {
		if strings.HasSuffix(p, auto) {
			return true
		}
	}
	switch name {
	case ".envrc", "claude_desktop_config.json", ".mcp.json",
		"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md":
		return true
	}
	return strings.HasSuffix(p, "/.cursor/mcp.json") || strings.HasSuffix(p, "/.vscode/mcp.json")
}
