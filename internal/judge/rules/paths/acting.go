package paths

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

// acting is a kind of file that acts by itself in any project: agents obey it, or
// git, an editor or a build service runs what stands in it.
type acting struct {
	// About says, for readers of the table, what the files are.
	About string `yaml:"about"`
	// GitHooks is set for the kind that the hooks in .git are of, too.
	GitHooks bool `yaml:"git_hooks"`
	// Said are lists of words. A tool speaks of such a file with one of each.
	Said     []string     `yaml:"said"`
	Files    wordlist.Set `yaml:"files"`
	Endings  []string     `yaml:"endings"`
	Folders  []string     `yaml:"folders"`
	Patterns []string     `yaml:"patterns"`
}

func (a *acting) has(p string) bool {
	base := path.Base(p)
	return a.Files[base] || slices.ContainsFunc(a.Endings, func(end string) bool { return strings.HasSuffix(p, end) }) ||
		containsAny(p, a.Folders) || matchesAny(base, a.Patterns)
}

// acts tells whether a file acts by itself wherever a project is.
func acts(p string) bool {
	return StartsAnyPython(p) || !containsAny(p, known().DependencyFolders) && slices.ContainsFunc(known().Acting, func(a acting) bool { return a.has(p) })
}

// Announcement returns lists of words: who uses one of each says that it writes a
// file such as the one at p. It is nil where no words are known.
func Announcement(p string) []string {
	if StartsAnyPython(p) {
		return []string{"pth sitecustomize usercustomize venv virtualenv virtualenvs editable"}
	}
	i := slices.IndexFunc(known().Acting, func(a acting) bool { return a.has(p) || a.GitHooks && gitHook(p) })
	if i < 0 {
		return nil
	}
	return known().Acting[i].Said
}

// Filling are words for filling a folder with all files of a project or an
// archive, whatever is among them.
func Filling() string { return known().Filling }

// StartsAnyPython tells whether a Python runs the file at its start: one of its
// own, or one of an environment.
func StartsAnyPython(p string) bool {
	base := path.Base(p)
	return known().PythonFiles[base] || containsAny(p, known().PythonFolders) &&
		slices.ContainsFunc(known().PythonEndings, func(end string) bool { return strings.HasSuffix(base, end) })
}

// UsualInPython tells whether package managers put the file into every
// environment of Python that they make.
func UsualInPython(p string) bool { return StartsAnyPython(p) && known().PythonUsual[path.Base(p)] }

func containsAny(p string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(p, part) })
}
