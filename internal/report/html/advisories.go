package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxAdvisories bounds the advisories shown, the most severe first.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxAdvisories = 100

// advisoriesView is what is published about the packages.
type advisoriesView struct {
	// Sentences say what is known; Unsure says that something is not.
	Sentences []string
	Unsure    bool
	Sources   []LookupSource
	// Counts are by severity, the most severe first.
	Counts []count
	List   []advisoryView
	More   int
}

type advisoryView struct {
	Level, Severity, Score string
	Malicious              bool
	ID, Aliases, Summary   string
	Package, Way           string
	Loaded                 string
	Fixed                  string
	Dev                    bool
}

func (b compositionSection) advisories(known *inventory) advisoriesView {
	v := advisoriesView{Unsure: b.Lookup.Unsure}
	for _, s := range firstOf(b.Lookup.Sentences, maxReasons) {
		v.Sentences = append(v.Sentences, b.line(s, maxProse))
	}
	for _, s := range firstOf(b.Lookup.Sources, maxReasons) {
		v.Sources = append(v.Sources, LookupSource{Text: b.line(s.Text, maxLine), Stale: s.Stale})
	}
	counts := map[string]int{}
	for i := range b.Advisories {
		a := &b.Advisories[i]
		counts[severityLevel(a.Severity)]++
		if i < maxAdvisories {
			v.List = append(v.List, b.advisory(a, known))
		}
	}
	for _, level := range slices.Backward(levels()) {
		if n := counts[level]; n > 0 {
			v.Counts = append(v.Counts, count{level, n})
		}
	}
	v.More = len(b.Advisories) - len(v.List)
	return v
}

func (b compositionSection) advisory(a *mcpsf.Advisory, known *inventory) advisoryView {
	v := advisoryView{
		Level: severityLevel(a.Severity), Severity: b.line(cmp.Or(string(a.Severity), "not rated"), 40), Malicious: a.Malicious,
		ID: b.line(a.ID, 80), Aliases: b.line(strings.Join(firstOf(a.Aliases, 4), ", "), maxName/2), Summary: b.line(a.Summary, maxLine),
		Package: b.line(known.title(a.Package), maxName), Loaded: loadedWords(a.Loaded), Fixed: b.line(strings.Join(firstOf(a.Fixed, 4), ", "), maxName/2),
	}
	if a.Score > 0 {
		v.Score = fmt.Sprintf("%.1f", a.Score)
	}
	if p := known.by[a.Package]; p != nil {
		v.Dev, v.Way = p.Dev, b.line(known.way(p), maxName)
		if len(p.Via) > 0 {
			v.Way = "by " + v.Way
		}
	}
	return v
}

// loadedWords say whether the run loaded a package.
func loadedWords(l mcpsf.Loaded) string {
	switch l {
	case mcpsf.LoadedYes, mcpsf.LoadedNo:
		return string(l)
	}
	return "not known"
}
