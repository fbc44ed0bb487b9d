package paths

import (
	"path"
	"slices"
	"strings"
)

// Persistent reports whether a file at p runs by itself later, or tells another
// program what to run: start-up files, schedules, authorized keys, settings of
// package managers, the configuration of agents and what these obey, hooks and
// what build services run.
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
	return !Under(p, l.Workdir) && acts(p)
}

// homePersistent is Persistent for a path relative to the home directory.
func homePersistent(rel string) bool {
	return known().HomeFiles[rel] || underAny(rel, known().HomeFolders) || matchesAny(rel, known().HomePatterns) ||
		StartsWithPython(rel) || onPath(rel) || Installed(rel) || inSearchPath(rel) && calledLikeProgram(rel)
}

// InSearchPath reports whether p lies directly in a folder of the home in which
// shells look for programs. A file there is a program once it may be executed,
// whatever its name.
func (l Places) InSearchPath(p string) bool {
	rel, ok := strings.CutPrefix(p, l.Home+"/")
	return ok && inSearchPath(rel)
}

func inSearchPath(rel string) bool { return matchesAny(path.Dir(rel), known().SearchPath) }

// calledLikeProgram tells whether a file has the name of a command: data has an
// extension, or is hidden. What follows the dot in python3.12 is a version.
func calledLikeProgram(rel string) bool {
	base := path.Base(rel)
	return !strings.HasPrefix(base, ".") && strings.Trim(path.Ext(base), ".0123456789") == ""
}

func matchesAny(rel string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		matched, err := path.Match(pattern, rel)
		return err == nil && matched
	})
}

// ManagerCache reports whether package managers keep at p what they run
// themselves.
func (l Places) ManagerCache(p string) bool {
	rel, ok := strings.CutPrefix(p, l.Home+"/")
	return ok && underAny(rel, known().ManagerCaches)
}

// GitSettings reports whether p is a file from which git takes its settings:
// that of the user, of a repository, a work tree or a submodule.
func (l Places) GitSettings(p string) bool {
	switch p {
	case l.Home + "/.gitconfig", l.Home + "/.config/git/config", "/etc/gitconfig":
		return true
	}
	base := path.Base(p)
	return base == ".gitmodules" || (base == "config" || base == "config.worktree") && strings.Contains(p, ".git/")
}

// underAny reports whether p lies below one of the directories.
func underAny(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return Under(p, dir) })
}

// Installed tells whether package managers put code at rel that other programs
// run. Python's bytecode caches do not count.
func Installed(rel string) bool {
	if strings.Contains(rel, "/__pycache__/") || path.Base(rel) == "__pycache__" {
		return false
	}
	if underAny(rel, known().PackageFolders) {
		return true
	}
	rest, ok := strings.CutPrefix(rel, ".local/lib/python")
	_, rest, _ = strings.Cut(rest, "/")
	return ok && Under(rest, "site-packages")
}

// StartsWithPython tells whether every Python of the user runs the file at start.
func StartsWithPython(rel string) bool {
	if !strings.HasPrefix(rel, ".local/lib/python") {
		return false
	}
	return StartsAnyPython(rel)
}

// onPath tells whether rel is in a user's folder of programs that package
// managers add to PATH.
func onPath(rel string) bool {
	top, _, _ := strings.Cut(rel, "/")
	return path.Base(path.Dir(rel)) == "bin" && known().ManagerFolders[top]
}

func systemPersistent(p string) bool {
	return known().SystemFiles[p] || underAny(p, known().SystemFolders)
}

// gitHook tells whether p is a git hook, and not one of the samples of every repository.
func gitHook(p string) bool {
	_, inside, ok := strings.Cut(p, "/.git/")
	own := strings.HasPrefix(inside, "hooks/") || strings.HasPrefix(inside, "modules/") && strings.Contains(inside, "/hooks/")
	return ok && own && !strings.HasSuffix(p, ".sample")
}
