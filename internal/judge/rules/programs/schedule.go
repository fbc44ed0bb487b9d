package programs

import (
	"slices"
	"strings"
)

// SchedulesExecution tells whether a command makes something run later: a
// schedule, a unit, or a setting of another program that names a program.
func SchedulesExecution(program string, args []string) bool {
	if len(args) < 2 {
		return false
	}
	args = args[1:]
	has := func(words ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(words, a) })
	}
	switch program {
	case "crontab":
		return !has("-l", "-V", "-h", "--help", "--version")
	case "at", "batch":
		return !has("-l", "-V", "-c")
	case "systemctl":
		return has("enable", "link", "edit")
	case "loginctl":
		return has("enable-linger")
	case "launchctl":
		return has("load", "bootstrap", "submit", "enable")
	case "git":
		return RunByGit(GitSets(args)) != ""
	case "npm", "pip", "pip3", "yarn", "pnpm":
		return has("config") && has("set") && names(args, []string{"registry", "script-shell", "global.index-url", "global.extra-index-url", "//"})
	}
	return false
}

// names tells whether an argument begins with one of the settings and has a
// value.
func names(args, settings []string) bool {
	at := slices.IndexFunc(args, func(a string) bool {
		return slices.ContainsFunc(settings, func(s string) bool { return strings.HasPrefix(strings.ToLower(a), s) })
	})
	return at >= 0 && (at+1 < len(args) || strings.Contains(args[at], "="))
}
