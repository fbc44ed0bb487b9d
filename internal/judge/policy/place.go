package policy

import (
	"cmp"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The placeholders. They cannot be names of the target, because harmless names
// contain no "$".
const (
	home      = "${HOME}"
	pack      = "${PACKAGE}"   // the server's own files
	workspace = "${WORKSPACE}" // what the tools work on
	// passed is a host or a program that the caller names.
	passed = "${PASSED}"
)

// places are the folders of the sandbox.
type places struct {
	own []string // folders of the server's own
}

func placesOf(r *mcpsf.Report) places {
	return places{own: []string{cmp.Or(strings.TrimSuffix(r.Artifact.WorkDir, "/"), mcpsf.WorkDir), mcpsf.WorkDir}}
}

// name returns the name of an access outside of the sandbox.
func (p places) name(a mcpsf.Access) string {
	given := a.Explanation.By == mcpsf.ByArgument || a.Explanation.By == mcpsf.ByConfiguration
	secret := a.Planted != "" && a.Planted != mcpsf.DecoyDocument
	switch a.Kind {
	case mcpsf.AccessRead, mcpsf.AccessWrite:
		if given && !secret {
			return workspace
		}
		return p.path(a.Name)
	case mcpsf.AccessProgram:
		if a.Explanation.By == mcpsf.ByArgument {
			return passed
		}
		return p.path(a.Name)
	case mcpsf.AccessHost:
		if a.Explanation.By == mcpsf.ByArgument {
			return passed
		}
	}
	return a.Name
}

func (p places) path(name string) string {
	for _, dir := range p.own {
		if rest, ok := below(name, dir); ok {
			return pack + rest
		}
	}
	if rest, ok := below(name, mcpsf.Home); ok {
		return home + rest
	}
	return name
}

// below removes dir from a name that is dir or below it.
func below(name, dir string) (string, bool) {
	if dir == "" { // the root of an image is not the server's own folder
		return "", false
	}
	rest, ok := strings.CutPrefix(name, dir)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// tooWide tells whether a folder stands for very many files: a setting that
// allows all of it restricts nothing.
func tooWide(name string) bool {
	switch path.Clean(name) {
	case "/", "/home", "/root", "/Users", home:
		return true
	}
	return false
}

// inImage tells whether a container has the file already: the system, /proc and
// the like, the server.
func inImage(name string) bool {
	return !strings.HasPrefix(name, home) && !strings.HasPrefix(name, workspace)
}
