package programs

import (
	"slices"
	"strings"
)

// RunByGit returns the name of a setting by which git runs a program, or speaks
// to somebody else than it is told to, and "" for any other setting. The setting
// is written "section.key=value"; "?" is one that could not be read.
func RunByGit(setting string) string {
	if setting == "?" {
		return "an unreadable setting"
	}
	key, value, _ := strings.Cut(setting, "=")
	key, value = strings.ToLower(strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"`)
	if harmlessValue(value) || strings.HasPrefix(key, "filter.lfs.") && strings.HasPrefix(value, "git-lfs ") {
		return ""
	}
	if strings.HasSuffix(key, ".update") && !strings.HasPrefix(value, "!") { // of a submodule
		return ""
	}
	begins := func(s string) bool { return strings.HasPrefix(key, s) }
	ends := func(s string) bool { return strings.HasSuffix(key, s) }
	if slices.ContainsFunc(known().GitRuns, begins) && !strings.HasPrefix(key, "alias.") || slices.ContainsFunc(known().GitRunsEndings, ends) {
		return key
	}
	if strings.HasPrefix(key, "alias.") && strings.HasPrefix(value, "!") {
		return key
	}
	return ""
}

// harmlessValue tells whether a value switches something on or off, or names a
// pager that every system has.
func harmlessValue(value string) bool {
	switch strings.ToLower(value) {
	case "", "true", "false", "yes", "no", "on", "off", "0", "1", "cat", "less", "auto", "never":
		return true
	}
	return false
}

// GitSets returns the setting that a command line of git writes, as
// "section.key=value", "" if it writes none.
func GitSets(args []string) string {
	at := slices.Index(args, "config")
	if at < 0 {
		return ""
	}
	var words []string
	for i := at + 1; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains([]string{"--get", "--get-all", "--get-regexp", "--list", "-l", "--unset", "--unset-all", "get", "list", "unset"}, a):
			return ""
		case a == "--file" || a == "-f" || a == "--type" || a == "-t" || a == "--blob":
			i++
		case strings.HasPrefix(a, "-") || a == "set":
		default:
			words = append(words, a)
		}
	}
	if len(words) < 2 {
		return ""
	}
	return words[0] + "=" + words[1]
}
