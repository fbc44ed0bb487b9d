package inventory

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Bounds of one reported package.
// gap: source-not-read
const (
	maxFound   = 8
	maxDigests = 64
	maxWanted  = 3
	maxDirs    = 1_000
)

// group is one package with all its parts.
type group struct {
	purl  string
	parts []*part.Part
}

// merge makes packages of parts: those with the same name and version are one.
func merge(parts *part.Collector, opts *Options) *Result {
	root := findRoot(parts.Parts, opts)
	groups := collect(parts.Parts)
	of := make(map[*part.Part]*group)
	for _, g := range groups {
		for _, p := range g.parts {
			of[p] = g
		}
	}
	ways := findWays(parts, of)
	result := &Result{Root: root, Packages: []mcpsf.Package{}}
	for _, g := range groups {
		p := g.tell(of)
		g.way(&p, ways, of)
		result.Packages = append(result.Packages, p)
		result.Totals.count(&p)
	}
	slices.SortFunc(result.Packages, func(a, b mcpsf.Package) int { return strings.Compare(a.PURL, b.PURL) })
	result.Root.Needs = ownNeeds(parts.Parts, of)
	return result
}

func (t *Totals) count(p *mcpsf.Package) {
	add := func(counter *int, is bool) {
		if is {
			*counter++
		}
	}
	add(&t.Packages, true)
	add(&t.Installed, p.Installed)
	add(&t.Direct, p.Via != nil && len(p.Via) == 0)
	add(&t.Dev, p.Dev)
	add(&t.Unversioned, p.Version == "")
}

// collect groups the parts of the same package, in the order of their purls. It
// leaves out parts of the server itself.
func collect(parts []*part.Part) []*group {
	byID := make(map[part.ID]*group)
	versions := make(map[[2]string]*group)
	for _, p := range parts {
		if p.Own || p.Name == "" {
			continue
		}
		g := byID[p.ID]
		if g == nil {
			g = &group{}
			byID[p.ID] = g
		}
		g.parts = append(g.parts, p)
	}
	ids := slices.SortedFunc(maps.Keys(byID), compareIDs)
	for _, id := range ids {
		if id.Version != "" {
			versions[[2]string{id.Ecosystem, id.Name}] = byID[id]
		}
	}
	var groups []*group
	taken := make(map[string]bool)
	for _, id := range ids {
		g := byID[id]
		// It is required without a version, and another file has the version.
		if known := versions[[2]string{id.Ecosystem, id.Name}]; id.Version == "" && known != nil {
			known.fold(g)
			continue
		}
		g.name(taken)
		groups = append(groups, g)
	}
	return groups
}

func compareIDs(a, b part.ID) int {
	for _, pair := range [][2]string{
		{a.Ecosystem, b.Ecosystem}, {a.Name, b.Name}, {a.Version, b.Version}, {a.Arch, b.Arch}, {a.Distro, b.Distro}, {a.Source, b.Source},
	} {
		if c := strings.Compare(pair[0], pair[1]); c != 0 {
			return c
		}
	}
	return 0
}

// fold merges a group without a version. Packages that require that group then
// require this one.
func (g *group) fold(other *group) {
	// gap: source-not-read
	const most = 16
	for _, p := range other.parts[:min(most, len(other.parts))] {
		for _, mine := range g.parts[:min(most, len(g.parts))] {
			p.Need(false, mine.Needs...)
		}
	}
	g.parts = append(g.parts, other.parts...)
}

// name gives the group its purl. If two packages have the same purl, for
// example because they differ only in letter case, the later one gets its name
// appended.
func (g *group) name(taken map[string]bool) {
	one := *g.parts[0]
	for _, p := range g.parts {
		if p.From != "" && (one.From == "" || p.From < one.From) {
			one.From = p.From
		}
	}
	g.purl = one.PURL()
	for taken[g.purl] {
		separator := "?"
		if strings.Contains(g.purl, "?") {
			separator = "&"
		}
		g.purl += separator + "name=" + part.Encode(one.Name)
	}
	taken[g.purl] = true
}

// tell fills in the parts' data, except for the dependency path.
func (g *group) tell(of map[*part.Part]*group) mcpsf.Package {
	out := mcpsf.Package{Ecosystem: g.parts[0].Ecosystem, Name: g.parts[0].Name, Version: g.parts[0].Version, PURL: g.purl}
	var wanted, needs []string
	for _, p := range g.parts {
		out.Licences = append(out.Licences, p.Licences...)
		out.Digests = append(out.Digests, p.Digests...)
		out.Found = append(append(out.Found, p.File), p.Also...)
		out.Installed = out.Installed || p.Installed
		out.Dirs = append(out.Dirs, p.Dirs...)
		if p.Wanted != "" {
			wanted = append(wanted, p.Wanted)
		}
		for _, need := range p.Needs {
			if other := of[need]; other != nil && other != g {
				needs = append(needs, other.purl)
			}
		}
	}
	out.Licences, out.Needs = set(out.Licences), set(needs)
	out.Digests = atMost(set(out.Digests), maxDigests)
	out.Found = found(out.Found)
	out.Dirs = atMost(set(out.Dirs), maxDirs)
	if out.Version == "" {
		out.Wanted = strings.Join(atMost(set(wanted), maxWanted), ", ")
	}
	return out
}

// found returns the files nearest the top.
func found(files []string) []string {
	files = set(files)
	slices.SortStableFunc(files, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return atMost(files, maxFound)
}

// set sorts the texts and drops duplicates.
func set(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

func atMost(texts []string, n int) []string { return texts[:min(n, len(texts))] }
