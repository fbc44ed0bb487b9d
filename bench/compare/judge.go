package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// tally counts the results for the records of one shape.
type tally struct {
	shape        string
	concerns     bool
	pairs        int
	ours, theirs int // how often the scanner reports them
}

// judgement is how the two scanners differ, and which is right.
type judgement struct {
	tallies []tally
	// lacking is what mcpsf misses: packages and advisories that the other
	// found, or that are known to exist.
	lacking []string
	// wrong are false positives of mcpsf.
	wrong []string
	// morePackages and moreAdvisories are those that only mcpsf has.
	morePackages, moreAdvisories []string
	// noPackages are false packages of the other scanner: manifests inside a
	// package that were never installed as packages.
	noPackages []string
	// theirWrong are false positives of the other scanner.
	theirWrong []string
}

func (j *judgement) err() error {
	if len(j.lacking)+len(j.wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%d are lacking in mcpsf, %d are wrong: %w", len(j.lacking), len(j.wrong),
		errors.New(strings.Join(append(slices.Clone(j.lacking), j.wrong...), "\n\t")))
}

// judge compares the results of both with each other, and with what is known.
func judge(all []*outcome, m *made) *judgement {
	j := &judgement{}
	facts := map[pack][]known{}
	shapes := map[string]string{}
	for _, k := range m.Known {
		facts[k.Pack] = append(facts[k.Pack], k)
		shapes[k.ID] = k.Shape
	}
	for _, o := range all {
		for _, p := range union(o.Ours, o.Theirs, o.Listed) {
			j.packages(o, p)
			j.known(o, p, facts[p])
			j.others(o, p, shapes, facts[p])
		}
	}
	slices.SortFunc(j.tallies, func(a, b tally) int { return strings.Compare(a.shape, b.shape) })
	return j
}

func union(ours, theirs found, listed []pack) []pack {
	all := slices.Clone(listed)
	for _, f := range []found{ours, theirs} {
		for p := range f {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b pack) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(all)
}

// packages compares whether a package was found at all.
func (j *judgement) packages(o *outcome, p pack) {
	_, ours := o.Ours[p]
	_, theirs := o.Theirs[p]
	installed := slices.Contains(o.Listed, p)
	switch {
	case !ours && !installed && inside(o.Told[p]):
		file, _ := behind(o.Told[p][0], "node_modules/")
		j.noPackages = append(j.noPackages, fmt.Sprintf("%s: `%s`, which is what `%s` calls itself", o.Name, short(p), file))
	case !ours && (theirs || installed):
		j.lacking = append(j.lacking, fmt.Sprintf("%s: the package %s", o.Name, short(p)))
	case ours && !theirs:
		why := "the installer lists it"
		if !installed {
			why = "the installer does not list it"
		}
		j.morePackages = append(j.morePackages, fmt.Sprintf("%s: `%s` (%s; %s)", o.Name, short(p), cmp.Or(p.Ecosystem, "a library of no ecosystem"), why))
	}
}

// inside tells whether all files that mention a package are manifests nested
// inside another package: Node would never load it by that name.
func inside(files []string) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(file string) bool {
		rest, ok := behind(file, "/node_modules/")
		top := 2
		if strings.HasPrefix(rest, "@") {
			top = 3
		}
		return !ok || !strings.HasSuffix(rest, "/package.json") || strings.Count(rest, "/")+1 <= top
	})
}

// known compares both with what is known.
func (j *judgement) known(o *outcome, p pack, facts []known) {
	for _, k := range facts {
		ours, theirs := o.Ours.has(p, k.ID), o.Theirs.has(p, k.ID)
		j.count(k, ours, theirs)
		text := fmt.Sprintf("%s: %s about `%s` (%s)", o.Name, k.ID, short(p), k.Shape)
		switch {
		case k.Concerns && !ours:
			j.lacking = append(j.lacking, text)
		case !k.Concerns && ours:
			j.wrong = append(j.wrong, text)
		}
		if theirs && !k.Concerns {
			j.theirWrong = append(j.theirWrong, text)
		}
		if ours && !theirs {
			j.moreAdvisories = append(j.moreAdvisories, text)
		}
	}
}

func (j *judgement) count(k known, ours, theirs bool) {
	i := slices.IndexFunc(j.tallies, func(t tally) bool { return t.shape == k.Shape })
	if i < 0 {
		i = len(j.tallies)
		j.tallies = append(j.tallies, tally{shape: k.Shape, concerns: k.Concerns})
	}
	t := &j.tallies[i]
	t.pairs++
	if ours {
		t.ours++
	}
	if theirs {
		t.theirs++
	}
}

// others compares the two where nothing is known: a record that was made for
// another version of the package.
func (j *judgement) others(o *outcome, p pack, shapes map[string]string, facts []known) {
	decided := func(id string) bool {
		return shapes[id] == "" || slices.ContainsFunc(facts, func(k known) bool { return k.ID == id })
	}
	_, ours := o.Ours[p]
	for _, names := range o.Theirs[p] {
		if !ours {
			break // the package is reported already
		}
		if id := names[0]; !o.Ours.has(p, id) && (shapes[id] == "" || !decided(id)) {
			j.lacking = append(j.lacking, fmt.Sprintf("%s: %s about `%s` (%s, of another version)", o.Name, id, short(p), shapes[id]))
		}
	}
	for _, names := range o.Ours[p] {
		for _, id := range names {
			if !decided(id) && !o.Theirs.has(p, id) {
				j.moreAdvisories = append(j.moreAdvisories, fmt.Sprintf("%s: %s about `%s` (%s, of another version)", o.Name, id, short(p), shapes[id]))
			}
		}
	}
}
