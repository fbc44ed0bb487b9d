package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// sarifAdvisory is a published record that a result rests on.
type sarifAdvisory struct {
	ID       string   `json:"id"`
	Aliases  []string `json:"aliases,omitempty"`
	PURL     string   `json:"purl"`
	Severity string   `json:"severity,omitempty"`
	Score    float64  `json:"score,omitempty"`
	Fixed    []string `json:"fixed,omitempty"`
	Loaded   string   `json:"loaded,omitempty"`
}

// maxPublished bounds the records that one result names.
const maxPublished = 20

// published are the records that a finding names, as the inspection has them. A
// finding about several packages has those of all.
func published(r *mcpsf.Report, f *mcpsf.Finding) []mcpsf.Advisory {
	if r.Inspection == nil || len(f.Advisories) == 0 {
		return nil
	}
	var found []mcpsf.Advisory
	for _, a := range r.Inspection.Advisories {
		if slices.Contains(f.Advisories, a.ID) && (f.Package == "" || f.Package == a.Package) {
			found = append(found, a)
		}
	}
	found = worstFirst(found)
	return found[:min(len(found), maxPublished)]
}

func sarifAdvisories(r *mcpsf.Report, f *mcpsf.Finding) []sarifAdvisory {
	var all []sarifAdvisory
	for _, a := range published(r, f) {
		all = append(all, sarifAdvisory{
			ID: brief(a.ID, maxName), Aliases: briefs(a.Aliases), PURL: brief(a.Package, maxPURL), Severity: brief(string(a.Severity), maxName),
			Score: score(a.Score), Fixed: briefs(a.Fixed), Loaded: brief(string(a.Loaded), maxName),
		})
	}
	return all
}

// maxPURL bounds the name of a package; those of npm have at most 214 characters.
const maxPURL = 500

// score is one of CVSS, 0 for what is none.
func score(s float64) float64 {
	if s > 0 && s <= 10 {
		return s
	}
	return 0
}

// static tells a finding about what was read from one about what happened.
func static(f *mcpsf.Finding) bool { return len(f.Evidence) == 0 && (f.File != "" || f.Package != "") }

// inPackage is the path of a file as it is below the package. What was installed
// for it is read beside it, under a name of our own.
func inPackage(name string) string {
	work := strings.TrimPrefix(mcpsf.WorkDir, mcpsf.Home) + "/"
	for _, place := range []string{".installed", "installed"} {
		if rest, ok := strings.CutPrefix(name, place+work); ok {
			return rest
		}
	}
	return name
}

// places are those of findings that did not happen in the run, each once.
func (b block) places() []string {
	var all []string
	for i := range b {
		if place := placeOf(&b[i]); static(&b[i]) && !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	return all
}

// placeOf names what of the package a static finding is about.
func placeOf(f *mcpsf.Finding) string {
	place := cmp.Or(inPackage(f.File), f.Package)
	if f.File != "" && f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	return place
}
