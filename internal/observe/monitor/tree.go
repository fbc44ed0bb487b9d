package monitor

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// treeDepth is how many path segments name a tree: /usr/lib/python3.11.
const treeDepth = 3

// readTree returns the tree whose files a program reads by the hundred just to
// run, such as a library directory, or "". The single files in it do not
// matter.
func readTree(name string) string {
	if !path.IsAbs(name) {
		return ""
	}
	top, _, _ := strings.Cut(name[1:], "/")
	switch top {
	case "usr", "lib", "lib32", "lib64", "bin", "sbin", "opt":
		return firstParts(path.Dir(name), treeDepth)
	}
	if rest, ok := below(name, mcpsf.WorkDir); ok && rest != "" {
		return packageTree(rest)
	}
	return ""
}

// packageTree finds the directory of installed packages in a path below the
// work directory.
func packageTree(rest string) string {
	end := 0
	for part := range strings.SplitSeq(rest[1:], "/") {
		end += 1 + len(part)
		switch part {
		case "node_modules", "site-packages", "dist-packages":
			return mcpsf.WorkDir + rest[:end]
		}
	}
	return ""
}

func firstParts(name string, n int) string {
	for i := 1; i < len(name); i++ {
		if name[i] == '/' {
			if n--; n == 0 {
				return name[:i]
			}
		}
	}
	return name
}

// treeOf returns the tree an access is counted under: only for plain reads in
// unimportant directories.
func (t *touch) treeOf() string {
	if t.decoy != nil || !quiet(t.file.Error) {
		return ""
	}
	return readTree(t.file.Path)
}

// lookTree is treeOf for accesses without an open, the most frequent and least
// interesting ones: outside of important directories one event per directory is
// enough.
func (t *touch) lookTree() string {
	if t.decoy != nil || !quiet(t.file.Error) {
		return ""
	}
	name := t.file.Path
	if tree := readTree(name); tree != "" {
		return tree
	}
	for _, place := range []string{"/proc", "/etc", "/sys", "/dev", "/root"} {
		if in(name, place) {
			return ""
		}
	}
	if wayToWork(name) {
		return path.Dir(mcpsf.WorkDir)
	}
	if in(name, mcpsf.Home) && !in(name, mcpsf.WorkDir) {
		return ""
	}
	return path.Dir(name)
}

// wayToWork reports whether name is a directory above the work directory, or a
// file that a runtime looks for in each of them to find its packages. That does
// not count as reading the home directory.
func wayToWork(name string) bool {
	if base := path.Base(name); base == "package.json" || base == "node_modules" {
		name = path.Dir(name)
	}
	return in(mcpsf.WorkDir, name)
}

// quiet reports whether a result is normal for a library search.
func quiet(err string) bool { return err == "" || err == "ENOENT" || err == "ENOTDIR" }

// installTree returns the tree that an access of an installation is counted
// under: one for each package and for each entry of /tmp. Writing there is the
// purpose of an installation, except for files that run by themselves later.
func (t *touch) installTree() string {
	tree := installPlace(t.file.Path)
	if t.file.To != "" && installPlace(t.file.To) == "" {
		return ""
	}
	return tree
}

func installPlace(name string) string {
	for _, dir := range []string{"/tmp", "/var/tmp"} {
		if rest, ok := below(name, dir); ok && rest != "" {
			return dir + firstParts(rest+"/", 1)
		}
	}
	rest, ok := below(name, mcpsf.WorkDir)
	if !ok || rest == "" || runsLater(rest) {
		return ""
	}
	tree := packageTree(rest)
	if tree == "" {
		return mcpsf.WorkDir
	}
	pkg, _ := below(name, tree)
	parts := 1
	if strings.HasPrefix(pkg, "/@") {
		parts++
	}
	if pkg == "" || strings.HasPrefix(pkg, "/.") {
		return tree // temporary directories of package managers
	}
	return tree + firstParts(pkg+"/", parts)
}

// runsLater recognises files in a project or an environment that take effect
// without being called: git hooks, settings of editors and agents, files that
// Python reads at every start.
func runsLater(rest string) bool {
	switch base := path.Base(rest); {
	case strings.HasSuffix(base, ".pth"), base == "sitecustomize.py", base == "usercustomize.py":
		return true
	}
	top, _, _ := strings.Cut(rest[1:], "/")
	switch top {
	case ".git", ".vscode", ".cursor", ".claude", ".mcp.json":
		return true
	}
	return false
}

// plainFlags reduces the flags of an open to whether it was for writing.
func plainFlags(flags string) string {
	if strings.ContainsAny(flags, "wca") {
		return "w"
	}
	return "r"
}
