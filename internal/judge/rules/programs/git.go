package programs

import (
	"slices"
	"strings"
)

// GitDestroys returns the git subcommands in args that discard data for good:
// "reset", "clean", ...
func GitDestroys(args []string) []string {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(args, w) })
	}
	forced := slices.ContainsFunc(args, func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "f")
	})
	var found []string
	for _, action := range []struct {
		command string
		done    bool
	}{
		{"reset", has("--hard")},
		{"clean", forced || has("--force")},
		{"push", has("--force", "-f", "--mirror", "--delete")},
		{"reflog", has("expire", "delete")},
		{"gc", has("--prune=now", "--prune=all")},
		{"filter-branch", true},
		{"filter-repo", true},
		{"branch", has("-D")},
		{"stash", has("clear", "drop")},
		{"update-ref", has("-d")},
	} {
		if has(action.command) && action.done {
			found = append(found, action.command)
		}
	}
	return found
}

// WordsOfDestruction returns the words by one of which a tool says that a git
// command discards something. Many tools speak of branches and pushing, and mean
// to delete nothing.
func WordsOfDestruction(command string) string {
	switch command {
	case "push":
		return "force forced forces delete deletes mirror overwrite"
	case "branch":
		return "delete deletes remove removes force"
	case "stash":
		return "drop drops clear clears discard"
	case "clean":
		return "untracked remove removes delete deletes discard discards git"
	}
	return command
}
