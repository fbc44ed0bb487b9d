package html

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// inventory holds the packages, by purl.
type inventory struct {
	all []mcpsf.Package
	by  map[string]*mcpsf.Package
	// worst is the level of the most severe advisory about a package, and count
	// is how many there are.
	worst, count map[string]int
}

func newInventory(in *mcpsf.Inspection) *inventory {
	p := &inventory{all: in.Packages, by: map[string]*mcpsf.Package{}, worst: map[string]int{}, count: map[string]int{}}
	for i := range p.all {
		p.by[p.all[i].PURL] = &p.all[i]
	}
	for i := range in.Advisories {
		a := &in.Advisories[i]
		p.count[a.Package]++
		p.worst[a.Package] = max(p.worst[a.Package], 1+slices.Index(levels(), severityLevel(a.Severity)))
	}
	return p
}

// title returns a package's name and version for people.
func (p *inventory) title(purl string) string {
	if found := p.by[purl]; found != nil && found.Name != "" {
		return strings.TrimSpace(found.Name + " " + cmp.Or(found.Version, found.Wanted))
	}
	short := clip(strings.TrimPrefix(purl, "pkg:"), maxName*2)
	if plain, err := url.PathUnescape(short); err == nil {
		short = plain
	}
	return short
}

// maxWay bounds the packages on a dependency path; the first and the last steps
// are those that a user can change.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxWay = 8

// way is the dependency path of a package.
func (p *inventory) way(of *mcpsf.Package) string {
	switch {
	case of.Via == nil:
		return "not known"
	case len(of.Via) == 0:
		return "asked for by the server"
	}
	var names []string
	for i, purl := range of.Via {
		if i == maxWay-1 && len(of.Via) > maxWay {
			names = append(names, "…", p.name(of.Via[len(of.Via)-1]))
			break
		}
		names = append(names, p.name(purl))
	}
	return strings.Join(names, " › ")
}

func (p *inventory) name(purl string) string {
	if found := p.by[purl]; found != nil && found.Name != "" {
		return clip(found.Name, maxName)
	}
	return p.title(purl)
}

// The kinds of packages that the list can be filtered by.
const (
	partDirect = 1 << iota
	partConcerned
	partLoaded
	partIdle
	partDev
	partAbsent
	partUnlicensed
)

// partView is a row of the list.
type partView struct {
	Name, Version, Ecosystem string
	// Notes say what is special about it.
	Notes      string
	Advisories string
	Level      string
	Licence    string
	Way        string
	Loaded     string
	flags      int
}

func (b compositionSection) part(known *inventory, p *mcpsf.Package) partView {
	v := partView{
		Name: b.line(p.Name, maxName), Version: b.line(cmp.Or(p.Version, p.Wanted), 80), Ecosystem: b.line(p.Ecosystem, 40),
		Licence: b.line(strings.Join(firstOf(p.Licences, maxSubjects), ", "), maxName/2),
		Way:     b.line(known.way(p), maxName), Loaded: loadedWords(p.Loaded), flags: flagsOf(p),
	}
	if v.flags&partUnlicensed != 0 {
		v.Licence = "not named"
	}
	if b.isServer(known, p) {
		v.Way = "the server itself"
	}
	var notes []string
	if p.Version == "" && p.Wanted != "" {
		notes = append(notes, "only a range is known")
	}
	if p.Dev {
		notes = append(notes, "for development only")
	}
	if !p.Installed {
		notes = append(notes, "listed, not installed")
	}
	v.Notes = strings.Join(notes, ", ")
	if n := known.count[p.PURL]; n > 0 {
		v.flags |= partConcerned
		v.Level = levels()[known.worst[p.PURL]-1]
		v.Advisories = advisoryCount(n)
	}
	return v
}

func flagsOf(p *mcpsf.Package) int {
	flags := 0
	add := func(flag int, holds bool) {
		if holds {
			flags |= flag
		}
	}
	add(partDirect, p.Via != nil && len(p.Via) == 0)
	add(partLoaded, p.Loaded == mcpsf.LoadedYes)
	add(partIdle, p.Loaded == mcpsf.LoadedNo)
	add(partDev, p.Dev)
	add(partAbsent, !p.Installed)
	add(partUnlicensed, !slices.ContainsFunc(p.Licences, func(s string) bool { return s != "" }))
	return flags
}

// isServer tells the assessed package from its dependencies: it is the first,
// and none depends on it.
func (b compositionSection) isServer(known *inventory, p *mcpsf.Package) bool {
	return p == &known.all[0] && p.Via == nil && p.Name == b.Report.Artifact.Name
}

func advisoryCount(n int) string {
	if n == 1 {
		return "1 advisory"
	}
	return fmt.Sprintf("%s advisories", thousands(int64(n)))
}
