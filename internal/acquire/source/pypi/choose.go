package pypi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// chosenFile is the file to assess and notes on the choice.
type chosenFile struct {
	*distFile

	notes []string
}

// chooseFile picks what pip would: the newest version that fits, and of it the
// file that fits best. Pre-releases count if they were requested or if there is
// nothing else, withdrawn files only if their version was named.
func chooseFile(r Requirement, files []*distFile, p platform) (chosenFile, error) {
	wanted := slices.DeleteFunc(slices.Clone(files), func(f *distFile) bool { return !r.specs.match(f.version) })
	if len(wanted) == 0 {
		return chosenFile{}, unknownVersion(r, files)
	}
	for _, f := range wanted {
		f.rank = p.fileRank(f)
	}
	// The newest first, and of one version the best file.
	slices.SortStableFunc(wanted, func(a, b *distFile) int {
		return cmp.Or(b.version.compare(a.version), cmp.Compare(a.rank, b.rank), cmp.Compare(b.build, a.build))
	})
	final := func(f *distFile) bool { return !f.version.isPre() || r.specs.wantsPre() }
	for _, allowed := range []func(*distFile) bool{final, func(*distFile) bool { return true }} {
		for _, f := range wanted {
			if allowed(f) && p.obstacle(f, r) == "" {
				return chosenFile{distFile: f, notes: notesOnChoice(r, wanted, f, p)}, checkDigest(f)
			}
		}
	}
	// The file that would have been chosen says why none fits.
	first := wanted[0]
	if i := slices.IndexFunc(wanted, final); i >= 0 {
		first = wanted[i]
	}
	return chosenFile{}, nothingFits(r, wanted, first, p)
}

// fileRank orders the files of one version: wheels for this machine, then
// sources, then unusable files.
func (p platform) fileRank(f *distFile) int {
	switch {
	case f.isWheel():
		return p.rank(f.tags[0], f.tags[1], f.tags[2])
	case strings.HasSuffix(f.name, ".tar.gz"):
		return unfit - 2
	}
	return unfit - 1
}

// The reasons not to use a file.
const (
	obstacleYanked   = "yanked"
	obstaclePython   = "python"
	obstaclePlatform = "platform"
)

func (p platform) obstacle(f *distFile, r Requirement) string {
	switch {
	case f.yanked && r.specs.exact() == "":
		return obstacleYanked
	case !p.accepts(f.requires):
		return obstaclePython
	case f.rank == unfit:
		return obstaclePlatform
	}
	return ""
}

func checkDigest(f *distFile) error {
	if f.sum != "" {
		return nil
	}
	return usererr.Usage("%s states no sha256 for %s, so nobody can tell whether it is what was published; use another index (PIP_INDEX_URL or pip.conf), or download the file and assess it",
		f.index.URL.Host, usererr.Quote(f.name))
}

// notesOnChoice explains choices that would surprise a reader.
func notesOnChoice(r Requirement, wanted []*distFile, f *distFile, p platform) []string {
	var notes []string
	if f.yanked {
		notes = append(notes, fmt.Sprintf("version %s was withdrawn by its authors%s", f.version, because(f.reason)))
	}
	if first := wanted[0]; first.version.compare(f.version) > 0 {
		switch why := p.obstacle(first, r); {
		case why == obstacleYanked:
			notes = append(notes, fmt.Sprintf("passed over version %s: it was withdrawn by its authors%s", first.version, because(first.reason)))
		case why == obstaclePython:
			notes = append(notes, fmt.Sprintf("passed over version %s: it needs Python %s, and this machine has %s", first.version, first.requires, p.python))
		case why == obstaclePlatform:
			notes = append(notes, fmt.Sprintf("passed over version %s: it has no wheel for this platform and no source", first.version))
		case first.version.isPre():
			notes = append(notes, fmt.Sprintf("passed over version %s: it is a pre-release", first.version))
		}
	}
	if f.version.isPre() && !r.specs.wantsPre() {
		notes = append(notes, fmt.Sprintf("version %s is a pre-release; nothing else fits", f.version))
	}
	return notes
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + usererr.Quote(reason)
}

// nothingFits explains by the version that would have been chosen.
func nothingFits(r Requirement, wanted []*distFile, first *distFile, p platform) error {
	obstacles := map[string]*distFile{}
	for _, f := range wanted {
		if f.version.compare(first.version) == 0 {
			obstacles[p.obstacle(f, r)] = f
		}
	}
	name := usererr.Quote(r.Name)
	allYanked := !slices.ContainsFunc(wanted, func(f *distFile) bool { return !f.yanked })
	if f := obstacles[obstaclePython]; f != nil && !allYanked {
		return usererr.Usage("the Python package %s %s needs Python %s, and this machine has %s; install such a Python, or name an older version of the package",
			name, f.version, f.requires, p.python)
	}
	if f := obstacles[obstaclePlatform]; f != nil && !allYanked {
		return usererr.Usage("the Python package %s %s has no wheel for this platform and no source: it is there as %s; name another version of the package",
			name, f.version, offered(wanted, first.version))
	}
	return usererr.Usage("every version of the Python package %s that fits was withdrawn by its authors (%s%s); to assess it all the same, name it: pypi:%s@%s",
		name, first.version, because(first.reason), r.Name, first.version)
}

// offered lists a few files of a version.
func offered(files []*distFile, v version) string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 3
	var names []string
	for _, f := range files {
		if f.version.compare(v) == 0 {
			names = append(names, f.name)
		}
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// unknownVersion names the versions nearest to the requested one.
func unknownVersion(r Requirement, files []*distFile) error {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 5
	var versions []version
	for _, f := range files {
		versions = append(versions, f.version)
	}
	slices.SortFunc(versions, version.compare)
	versions = slices.CompactFunc(versions, func(a, b version) bool { return a.compare(b) == 0 })
	newest := versions[len(versions)-1]
	asked, what := newest, r.specs.String()
	if exact, ok := parseVersion(r.specs.exact()); ok {
		asked, what = exact, exact.String()
	}
	at, _ := slices.BinarySearchFunc(versions, asked, version.compare)
	from := max(0, min(at-most/2, len(versions)-most))
	near := versions[from:min(len(versions), from+most)]
	var texts []string
	for _, v := range near {
		texts = append(texts, v.String())
	}
	return usererr.Usage("the Python package %s has no version %s; the nearest are %s, the newest is %s",
		usererr.Quote(r.Name), what, strings.Join(texts, ", "), newest)
}
