package repodiff

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"path"
	"slices"
	"strings"
)

// comparison is the state of one comparison.
type comparison struct {
	in   *Input
	own  *listing
	repo *listing
	// dir is the package's directory in the repository, theirs its manifest
	// there, and ours that of the package.
	dir          string
	ours, theirs *manifest
	build        build

	bySum  map[[sha256.Size]byte]string
	byPath map[string]*file
	// stems are the sources without extension: with the full path below the
	// package's directory, and by the last parts of all paths.
	stems, tails map[string][]string
	protocols    map[string]bool // the stems of protocol definitions
	// prefixes are the directories of the repository that contain the package's
	// files.
	prefixes []string

	unmatched []*file
	out       Result
	// hooked are the files that were reported as hooks.
	hooked map[string]bool
	found  map[string]map[string][]string // by kind and level
	facts  []hookFact
}

func newComparison(in *Input, own, repo *listing) *comparison {
	c := &comparison{
		in: in, own: own, repo: repo, ours: readManifest(own.text(manifestName)),
		bySum: map[[sha256.Size]byte]string{}, byPath: map[string]*file{}, stems: map[string][]string{}, tails: map[string][]string{}, protocols: map[string]bool{},
		hooked: map[string]bool{}, found: map[string]map[string][]string{},
	}
	c.dir, c.theirs = home(in, repo)
	c.build = buildOf(repo, c.theirs, readManifest(repo.text(manifestName)))
	for _, f := range repo.sources {
		c.bySum[f.sum] = f.path
		c.byPath[f.path] = f
		c.addStem(f.path)
	}
	for name := range repo.all {
		if stem, ok := strings.CutSuffix(path.Base(name), ".proto"); ok {
			c.protocols[stem] = true
		}
	}
	return c
}

// addStem records a file that can be compiled.
func (c *comparison) addStem(name string) {
	if l := languageOf(name); l != script && l != typed {
		return
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	if rest, ok := below(stem, c.dir); ok {
		note(c.stems, strip(rest), name)
	}
	const deepest = 6
	parts := strings.Split(stem, "/")
	for i := max(0, len(parts)-deepest); i <= len(parts)-2; i++ {
		note(c.tails, strings.Join(parts[i:], "/"), name)
	}
}

// note keeps a few of many: a tree may have thousands of files of one name.
func note(set map[string][]string, key, name string) {
	const few = 4
	if len(set[key]) < few {
		set[key] = append(set[key], name)
	}
}

// below returns the path relative to a directory; "" is the top.
func below(name, dir string) (string, bool) {
	if dir == "" {
		return name, true
	}
	return strings.CutPrefix(name, dir+"/")
}

// strip removes leading folders such as src and lib.
func strip(name string) string {
	for {
		first, rest, ok := strings.Cut(name, "/")
		if !ok || !isRoot(first) {
			return name
		}
		name = rest
	}
}

// compiled reports whether a script of the package has a source in the
// repository, by its name. A script is compiled to another script only in
// another folder.
func (c *comparison) compiled(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	moved := inOutputDir(name) && c.build.compiles
	at := c.counterpart(name)
	is := func(source string) bool {
		return languageOf(source) == typed || moved && (at == nil || at.path != source)
	}
	if slices.ContainsFunc(c.stems[strip(stem)], is) {
		return true
	}
	for rest := stem; strings.Contains(rest, "/"); {
		if slices.ContainsFunc(c.tails[rest], is) {
			return true
		}
		first, next, _ := strings.Cut(rest, "/")
		if !isRoot(first) {
			break
		}
		rest = next
	}
	return false
}

// match finds the package's files in the repository, anywhere in it.
func (c *comparison) match() {
	counts := map[string]int{}
	for _, f := range c.own.sources {
		at, ok := c.bySum[f.sum]
		if !ok {
			c.unmatched = append(c.unmatched, f)
			continue
		}
		c.out.Same++
		if prefix, ok := strings.CutSuffix("/"+at, "/"+f.path); ok {
			counts[strings.TrimPrefix(prefix, "/")]++
		}
	}
	c.out.Files = len(c.own.sources)
	slices.SortFunc(c.unmatched, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	c.learn(counts)
}

// learn finds the directories of the package's files: the one that the package
// names, those of equal files, and the usual ones.
func (c *comparison) learn(counts map[string]int) {
	// gap: repository
	const most = 16
	byCount := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	c.prefixes = append(c.prefixes, c.dir, path.Join(c.dir, "src"))
	c.prefixes = append(c.prefixes, byCount[:min(most, len(byCount))]...)
	c.prefixes = append(c.prefixes, "", "src", "python", "lib")
}

// counterpart returns the file of the repository at the same path, nil if there
// is none.
func (c *comparison) counterpart(name string) *file {
	for _, prefix := range c.prefixes {
		if f := c.byPath[path.Join(prefix, name)]; f != nil {
			return f
		}
	}
	return nil
}
