package archive

import (
	"path"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// MemberPath turns the name of an entry into a path below the tree, or says why
// it is refused. "." is the tree itself.
func MemberPath(name string) (p, why string) {
	switch why := NameFault(name); {
	case why != "":
		return "", why
	case strings.Contains(name, `\`):
		return "", "its name has backslashes, which lead elsewhere on other systems"
	case strings.HasPrefix(name, "/"):
		return "", "its name is an absolute path"
	case len(name) > 1 && name[1] == ':' && unicode.IsLetter(rune(name[0])):
		return "", "its name begins with a drive"
	}
	return path.Clean(name), ""
}

// NameFault says what is wrong with a name on any system, "" if nothing is.
func NameFault(name string) string {
	switch {
	case usererr.BadName(name) != "":
		return "its name " + usererr.BadName(name)
	case name == "":
		return "it has no name"
	case len(name) > usererr.MaxPath:
		return "its name is too long"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "its name leads upwards, to where it has no business"
		}
		if len(part) > usererr.MaxName {
			return "its name is too long"
		}
	}
	return ""
}

// fold makes names equal that some file systems treat as the same.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}
