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
	return known().HomeFiles[rel] || underAny(rel, known().HomeFolders) || StartsWithPython(rel) || onPath(rel) || Installed(rel)
}

// underAny reports whether p lies below one of the directories.
func underAny(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return Under(p, dir) })
}

// Installed knows where package managers put code that other programs run.
// What Python compiles for itself beside the source is none of that.
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
	top, _, _ := strings.Cut(rel, "/")
	return path.Base(path.Dir(rel)) == "bin" && known().ManagerFolders[top]
}

func systemPersistent(p string) bool {
	return known().SystemFiles[p] || underAny(p, known().SystemFolders)
}

// gitHook leaves out the samples that git itself puts into every repository.
func gitHook(p string) bool {
	return strings.Contains(p, "/.git/hooks/") && !strings.HasSuffix(p, ".sample")
}

// clientConfig knows the files that tell an agent which servers to start or
// what to do: its instructions are obeyed like a script. So are the tasks of an
// editor that run when a folder is opened.
func clientConfig(p string) bool {
	return known().AgentFiles[path.Base(p)] || slices.ContainsFunc(known().AgentEndings, func(end string) bool { return strings.HasSuffix(p, end) })
}
