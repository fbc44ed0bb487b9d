package policy

import (
	"cmp"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The placeholders. They are not names of the target's, which are harmless and
// so have no "$".
const (
	home      = "${HOME}"
	pack      = "${PACKAGE}"   // where the server's own files are
	workspace = "${WORKSPACE}" // what the tools are given to work on
	// passed is a host or a program that the caller names.
	passed = "${PASSED}"
)

// places are those of the sandbox.
type places struct {
	own []string // folders of the server's own
}

func placesOf(r *mcpsf.Report) places {
	return places{own: []string{cmp.Or(strings.TrimSuffix(r.Artifact.WorkDir, "/"), mcpsf.WorkDir), mcpsf.WorkDir}}
}

// name is what an access is called outside of the sandbox.
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

// below cuts dir off a name that is it or lies below it.
func below(name, dir string) (string, bool) {
	if dir == "" { // the root of an image is no folder of the server's own
		return "", false
	}
	rest, ok := strings.CutPrefix(name, dir)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// tooWide tells folders that are told instead of very many files: whoever may
// use all of one is held by nothing.
func tooWide(name string) bool {
	switch path.Clean(name) {
	case "/", "/home", "/root", "/Users", home:
		return true
	}
	return false
}

// inImage tells whether a container brings the file itself: the system, its own
// memory, the server.
func inImage(name string) bool {
	return !strings.HasPrefix(name, home) && !strings.HasPrefix(name, workspace)
}
