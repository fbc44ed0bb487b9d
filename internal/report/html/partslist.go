package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the list of packages: rows without the script, rows in all, and the
// bytes they may take.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	fewParts  = 100
	mostParts = 20_000
	roomParts = 600 << 10
)

// partsView is the list of packages. Its rows are the first of those that the
// script can show.
type partsView struct {
	Total   string
	Facts   []fact
	Kinds   []partKind
	Rows    []partView
	Extent  string
	Missing int
	data    partsData
	// used is the approximate size of the data in bytes.
	used int
}

// partKind is a filter above the list.
type partKind struct {
	Flag int
	Name string
}

// partsData is what the script filters: repeated words are stored once.
type partsData struct {
	Words []string `json:"words"`
	// Rows are: name, version, then indexes of words: ecosystem, notes,
	// advisories, licence, way, loaded; then the level as for events, and flags.
	Rows [][]any `json:"rows"`
}

func (b compositionSection) parts(known *inventory) partsView {
	v := partsView{Total: plural(len(known.all), "package"), Facts: b.partFacts(known)}
	order := make([]*mcpsf.Package, 0, len(known.all))
	for i := range known.all {
		order = append(order, &known.all[i])
	}
	slices.SortStableFunc(order, func(x, y *mcpsf.Package) int {
		return cmp.Or(
			cmp.Compare(known.worst[y.PURL], known.worst[x.PURL]),
			cmp.Compare(flagsOf(y)&partDirect, flagsOf(x)&partDirect),
			strings.Compare(x.Name, y.Name),
			strings.Compare(x.Version, y.Version),
		)
	})
	words := &table{}
	index := map[string]int{}
	number := func(s string) int {
		return words.number(&index, &v.data.Words, s)
	}
	v.data = partsData{Words: []string{}, Rows: [][]any{}}
	flags := 0
	for i, p := range order {
		if i == mostParts || words.used >= roomParts {
			break
		}
		row := b.part(known, p)
		flags |= row.flags
		if i < fewParts {
			v.Rows = append(v.Rows, row)
		}
		words.used += rowWidth + weigh(row.Name) + weigh(row.Version)
		v.data.Rows = append(v.data.Rows, []any{
			row.Name, row.Version, number(row.Ecosystem), number(row.Notes), number(row.Advisories), number(row.Licence), number(row.Way), number(row.Loaded),
			1 + slices.Index(levels(), row.Level), row.flags,
		})
	}
	v.Kinds, v.used = kindsOfParts(flags), words.used
	v.Missing = len(order) - len(v.data.Rows)
	v.Extent = fmt.Sprintf("%s of %s", thousands(int64(len(v.Rows))), plural(len(v.data.Rows), "package"))
	return v
}

// kindsOfParts returns the filters that match something.
func kindsOfParts(flags int) []partKind {
	return slices.DeleteFunc([]partKind{
		{partConcerned, "with advisories"},
		{partDirect, "asked for by the server"},
		{partLoaded, "loaded in the run"},
		{partIdle, "not loaded in the run"},
		{partDev, "for development only"},
		{partAbsent, "listed, not installed"},
		{partUnlicensed, "without a licence"},
	}, func(k partKind) bool { return flags&k.Flag == 0 })
}

// maxLicences bounds the licences that are counted individually.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxLicences = 12

// partFacts counts the packages.
func (b compositionSection) partFacts(known *inventory) []fact {
	counts, licences, ecosystems := map[int]int{}, map[string]int{}, map[string]int{}
	for i := range known.all {
		p := &known.all[i]
		flags := flagsOf(p)
		for bit := partDirect; bit <= partUnlicensed; bit <<= 1 {
			if flags&bit != 0 {
				counts[bit]++
			}
		}
		ecosystems[p.Ecosystem]++
		licence := strings.Join(firstOf(p.Licences, maxSubjects), ", ")
		licences[cmp.Or(clip(licence, maxName), "not named")]++
	}
	var list []fact
	add := b.adder(&list)
	add("counted", countsOf(len(known.all), counts), false)
	add("ecosystems", b.ranking(ecosystems), false)
	add("licences", b.ranking(licences), false)
	return list
}

func countsOf(all int, counts map[int]int) string {
	said := []string{fmt.Sprintf("%s installed", thousands(int64(all-counts[partAbsent])))}
	for _, c := range []struct {
		flag int
		word string
	}{
		{partDirect, "asked for by the server"}, {partLoaded, "loaded in the run"}, {partIdle, "not loaded in the run"},
		{partDev, "for development only"},
	} {
		if n := counts[c.flag]; n > 0 {
			said = append(said, thousands(int64(n))+" "+c.word)
		}
	}
	return strings.Join(said, ", ")
}

// ranking lists counts, the highest first.
func (b compositionSection) ranking(counts map[string]int) string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), strings.Compare(x, y))
	})
	var said []string
	for _, name := range firstOf(names, maxLicences) {
		said = append(said, b.line(cmp.Or(name, "unknown"), 60)+" "+thousands(int64(counts[name])))
	}
	if more := len(names) - len(said); more > 0 {
		said = append(said, fmt.Sprintf("%d others", more))
	}
	return strings.Join(said, " · ")
}
