package meaning

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Existing returns the next thing that exists after one that a tool did not find: a
// file of that kind and the usual file, each by its path and then by its name alone,
// for tools that look in a folder of their own. It returns "" after the last.
func (v Values) Existing(now string, isDir bool) string {
	list := []string{v.Dir, "."}
	if !isDir {
		list = list[:0]
		for _, file := range []string{v.Samples.WithEnding(path.Ext(now)), v.File} {
			if file != "" && !slices.Contains(list, file) {
				list = append(list, file, path.Base(file))
			}
		}
	}
	at := slices.Index(list, now) + 1
	if at == len(list) {
		return ""
	}
	return list[at]
}

// Ours reports whether a folder is one that we may name: the server's own, or one
// of the planted ones.
func (v Values) Ours(folder string) bool {
	if path.Clean(folder) != folder || strings.Contains(folder, "/.") {
		return false
	}
	for _, own := range []string{mcpsf.WorkDir, v.Dir, v.RepoDir} {
		if own != "/" && (folder == own || strings.HasPrefix(folder, own+"/")) {
			return true
		}
	}
	return false
}
