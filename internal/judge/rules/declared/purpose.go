package declared

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// maxServices is how many services one package can claim to be for. A name
// that claims them all claims nothing.
const maxServices = 3

// owner is who reads a secret as a matter of course.
type owner struct {
	// Places are where the secret lies below the home directory.
	Places []string `yaml:"places"`
	// Programs keep the secret; Words name the service it opens. Libraries of
	// that service look for it on their own.
	Programs  []string `yaml:"programs"`
	Words     []string `yaml:"words"`
	Libraries []string `yaml:"libraries"`
	// Cloud is set for services that have machines to rent.
	Cloud bool `yaml:"cloud"`
}

// Purpose is what the package is for, by its name and its libraries.
type Purpose struct {
	home string
	// words are those of the package's name. The user chose it by that name;
	// what the server calls itself once it runs nobody has seen before.
	words map[string]bool
	// libraries are the packages that were installed with the server.
	libraries map[string]bool
	owners    []owner
	claimed   *int // how many of them the name claims, once somebody asked
}

func newPurpose(scope Scope) Purpose {
	pkg, _, _ := strings.Cut(scope.Name, " ")
	return Purpose{home: scope.Home, words: lex.NameWords(pkg), libraries: libraryNames(scope.Packages), owners: known().Owners}
}

// runs tells whether the package is for a service that the program is the
// client of: a server for Kubernetes runs kubectl.
func (p *Purpose) runs(program string) bool {
	return slices.ContainsFunc(p.owners, func(o owner) bool { return slices.Contains(o.Programs, program) && p.serves(o) })
}

// OwnerOf looks a secret up by where it lies.
func (p *Purpose) OwnerOf(secret string) owner {
	rel, ok := strings.CutPrefix(secret, p.home+"/")
	if !ok {
		return owner{}
	}
	for _, o := range p.owners {
		if slices.ContainsFunc(o.Places, func(s string) bool { return rel == s || paths.Under(rel, s) }) {
			return o
		}
	}
	return owner{}
}

// Covers tells whether the name of the package says that it works with the
// service the secret opens. The user chose it by that name; the description,
// which nobody has to read, does not count. Installing it opens no service.
func (p *Purpose) Covers(phase, secret string) bool {
	if phase == string(mcpsf.PhaseInstall) {
		return false
	}
	return p.services() <= maxServices && p.serves(p.OwnerOf(secret))
}

// services is how many the name of the package claims to be for.
func (p *Purpose) services() int {
	if p.claimed == nil {
		n := 0
		for _, o := range p.owners {
			if p.serves(o) {
				n++
			}
		}
		p.claimed = &n
	}
	return *p.claimed
}

func (p *Purpose) serves(o owner) bool {
	return slices.ContainsFunc(o.Words, func(w string) bool { return p.words[w] })
}

// ByLibrary tells whether a library that looks for the secret on its own was
// installed with the server, and an interpreter reads it. Thieves can have the
// library, too: so this lessens a finding and never ends it.
func (p *Purpose) ByLibrary(phase, program, secret string) bool {
	return phase != string(mcpsf.PhaseInstall) && paths.IsSystem(program) && programs.IsRuntime(path.Base(program)) &&
		slices.ContainsFunc(p.OwnerOf(secret).Libraries, func(l string) bool { return p.libraries[l] })
}

// UsesCloud tells whether a server asks where the machines of a cloud get their
// keys as a matter of course: it is made for that cloud, or has a library that
// looks there on its own, for keys or to say where it runs.
func (p *Purpose) UsesCloud(phase string) bool {
	if phase == string(mcpsf.PhaseInstall) {
		return false
	}
	for _, o := range p.owners {
		if !o.Cloud {
			continue
		}
		if p.serves(o) || slices.ContainsFunc(o.Libraries, func(l string) bool { return p.libraries[l] }) {
			return true
		}
	}
	return slices.ContainsFunc(known().Watchers, func(l string) bool { return p.libraries[l] })
}

// libraryNames are the packages that were installed, "npm NAME" or "pypi
// NAME", from lines of "npm NAME@VERSION DIGEST" and "pypi FILE DIGEST".
func libraryNames(packages []string) map[string]bool {
	names := make(map[string]bool, len(packages))
	for _, line := range packages {
		kind, rest, _ := strings.Cut(line, " ")
		rest, _, _ = strings.Cut(rest, " ")
		switch kind {
		case "npm":
			if i := strings.LastIndexByte(rest, '@'); i > 0 {
				names["npm "+rest[:i]] = true
			}
		case "pypi":
			file, _, _ := strings.Cut(rest, "-")
			if i := strings.LastIndexByte(rest, '-'); strings.HasSuffix(rest, ".tar.gz") && i > 0 {
				file = rest[:i] // old names of sources have hyphens
			}
			names["pypi "+strings.ReplaceAll(strings.ToLower(file), "_", "-")] = true
		}
	}
	return names
}
