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

// maxServices is how many services a package name may refer to. A name that
// refers to more explains no access.
// no gap: reads what excuses; reading less excuses less
const maxServices = 3

// owner describes which programs and services normally read a secret.
type owner struct {
	// Places are the paths of the secret below the home directory.
	Places []string `yaml:"places"`
	// Programs store the secret; Words name the service it is for; Libraries of
	// that service read the secret without being told.
	Programs  []string `yaml:"programs"`
	Words     []string `yaml:"words"`
	Libraries []string `yaml:"libraries"`
	// Cloud is set for services that rent out machines.
	Cloud bool `yaml:"cloud"`
}

// Purpose is what the package is for, according to its name and libraries.
type Purpose struct {
	home string
	// words are those of the package's name, by which the user chose it. The
	// name the server gives itself at run time does not count: no user saw it.
	words map[string]bool
	// libraries are the packages that were installed with the server.
	libraries map[string]bool
	owners    []owner
	claimed   *int // how many owners the name refers to, nil until computed
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

// OwnerOf returns the owner of the secret at a path.
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

// Covers tells whether the package's name says that it uses the service the
// secret is for. The user chose the package by its name. The description does
// not count, because users need not read it. Installing needs no secret.
func (p *Purpose) Covers(phase, secret string) bool {
	if phase == string(mcpsf.PhaseInstall) {
		return false
	}
	return p.services() <= maxServices && p.serves(p.OwnerOf(secret))
}

// services returns how many services the package's name refers to.
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

// ByLibrary tells whether an interpreter read the secret and a library that
// reads it by default was installed with the server. An attacker can install
// that library too, so this lowers a finding and never removes it.
func (p *Purpose) ByLibrary(phase, program, secret string) bool {
	return phase != string(mcpsf.PhaseInstall) && paths.IsSystem(program) && programs.IsRuntime(path.Base(program)) &&
		slices.ContainsFunc(p.OwnerOf(secret).Libraries, func(l string) bool { return p.libraries[l] })
}

// UsesCloud tells whether the server may ask the metadata service of a cloud: it
// is made for that cloud, or has a library that queries the service for keys or
// for its location.
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

// libraryNames returns the installed packages as "npm NAME" or "pypi NAME", from
// lines of "npm NAME@VERSION DIGEST" and "pypi FILE DIGEST".
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
				file = rest[:i] // old names of source archives contain hyphens
			}
			names["pypi "+strings.ReplaceAll(strings.ToLower(file), "_", "-")] = true
		}
	}
	return names
}
