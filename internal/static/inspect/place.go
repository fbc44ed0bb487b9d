package inspect

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// places finds the packages that a file in the sandbox belongs to.
type places struct {
	packages []mcpsf.Package
	// own is the purl of the server's package, top the path of the tree in the
	// sandbox.
	own, top string
	at       map[string][]int
}

func placesOf(packages []mcpsf.Package) places {
	p := places{packages: packages, at: map[string][]int{}}
	for i := range packages {
		if !packages[i].Installed {
			continue
		}
		for _, dir := range packages[i].Dirs {
			p.at[dir] = append(p.at[dir], i)
		}
	}
	return p
}

// owners returns the packages with the innermost folder that contains a file. A
// package's own node_modules does not belong to it.
func (p places) owners(file string) []int {
	for dir := file; len(dir) > 1; dir = path.Dir(dir) {
		if found := p.at[dir]; found != nil {
			return found
		}
		if path.Base(dir) == "node_modules" {
			return nil
		}
	}
	return nil
}

// dependency returns the purl of the package that a file of the tree belongs
// to, "" and true for those of the server itself.
func (p places) dependency(file string) (purl string, known bool) {
	at := path.Join(p.top, file)
	if rest, ok := strings.CutPrefix(file, installedDir+"/"); ok {
		at = path.Join(mcpsf.Home, rest)
	}
	owners := p.owners(at)
	if len(owners) == 0 {
		return "", false
	}
	if purl = p.packages[owners[0]].PURL; purl == p.own {
		return "", true
	}
	return purl, true
}
