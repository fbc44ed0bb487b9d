package sarif

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// advisory is an advisory that a result is based on.
type advisory struct {
	ID       string   `json:"id"`
	Aliases  []string `json:"aliases,omitempty"`
	PURL     string   `json:"purl"`
	Severity string   `json:"severity,omitempty"`
	Score    float64  `json:"score,omitempty"`
	Fixed    []string `json:"fixed,omitempty"`
	Loaded   string   `json:"loaded,omitempty"`
}

func advisories(r *mcpsf.Report, f *mcpsf.Finding) []advisory {
	var all []advisory
	for _, a := range digest.Published(r, f) {
		all = append(all, advisory{
			ID: phrase.Brief(a.ID, phrase.MaxName), Aliases: phrase.Briefs(a.Aliases), PURL: phrase.Brief(a.Package, phrase.MaxPURL), Severity: phrase.Brief(string(a.Severity), phrase.MaxName),
			Score: digest.Score(a.Score), Fixed: phrase.Briefs(a.Fixed), Loaded: phrase.Brief(string(a.Loaded), phrase.MaxName),
		})
	}
	return all
}
