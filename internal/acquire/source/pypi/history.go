package pypi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// history is what the index states about earlier versions. Many indexes state
// little; unknown fields are empty and give no facts.
type history struct {
	// First is when the first version was published, Count how many came before
	// this one, the last of them at Latest.
	First  time.Time `json:"first,omitzero"`
	Latest time.Time `json:"latest,omitzero"`
	This   time.Time `json:"this,omitzero"`
	Count  int       `json:"count,omitempty"`
	// Attested says that the file has an attestation, AttestedBeside that other
	// files of its version have one, AttestedBefore how many earlier versions
	// have.
	Attested       bool `json:"attested,omitempty"`
	AttestedBeside bool `json:"attested_beside,omitempty"`
	AttestedBefore int  `json:"attested_before,omitempty"`
	// By and ByBefore are what the attestations of this and of an earlier
	// version name, zero if not available.
	By       attester `json:"by,omitzero"`
	ByBefore attester `json:"by_before,omitzero"`
	// Authors and AuthorsBefore are the authors that this version and the one
	// before name.
	Authors       []string `json:"authors,omitempty"`
	AuthorsBefore []string `json:"authors_before,omitempty"`
	// Withdrawn is set if its authors withdrew it, Reason says why.
	Withdrawn bool   `json:"withdrawn,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// patience is how long we wait for an index's JSON API. Only facts depend on
// it.
const patience = 10 * time.Second

// history evaluates the files of the same index, because another index may have
// another project of that name.
func (r *run) history(ctx context.Context, files []*distFile, chosen *distFile) history {
	past := pastOf(files, chosen)
	h := past.history(chosen)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	asker := besideIndex{client: r.opts.Registry, index: chosen.index, project: r.req.Name}
	if chosen.attestation != nil {
		h.By = asker.attester(ctx, chosen.attestation)
	}
	if before := past.lastAttested(); before != nil && h.By.Repository != "" {
		h.ByBefore = asker.attester(ctx, before)
	}
	if before := past.latest(); before != nil && h.Count >= published.FewVersions {
		if h.Authors = asker.authors(ctx, chosen.version.String()); len(h.Authors) > 0 {
			h.AuthorsBefore = asker.authors(ctx, before.version.String())
		}
	}
	return h
}

// facts are what is unusual about the history.
func (h *history) facts() []mcpsf.Fact {
	var facts []mcpsf.Fact
	add := func(kind, name, format string, args ...any) {
		facts = append(facts, mcpsf.Fact{Kind: kind, Name: name, Text: fmt.Sprintf(format, args...)})
	}
	if !h.First.IsZero() {
		add(published.FactFirst, "", "%s", h.First.Format(time.DateOnly))
	}
	switch {
	case h.Attested:
	case h.AttestedBefore > 0:
		add(published.FactUnattested, "", "%d of the %d versions before it have an attestation of where they were built, this one has none", h.AttestedBefore, h.Count)
	case h.AttestedBeside:
		add(published.FactUnattested, "", "other files of this version have an attestation of where they were built, the one that is installed here has none")
	}
	if h.By.Repository != "" && h.ByBefore.Repository != "" && !h.By.same(h.ByBefore) {
		add(published.FactAttester, h.By.Repository, "its attestation names %s, that of an earlier version %s", h.By, h.ByBefore)
	}
	if len(h.Authors) > 0 && len(h.AuthorsBefore) > 0 && !slices.ContainsFunc(h.Authors, func(a string) bool { return slices.Contains(h.AuthorsBefore, a) }) {
		add(published.FactAuthors, h.Authors[0], "by %s; the version before it names %s", listed(h.Authors), listed(h.AuthorsBefore))
	}
	if pause := published.Pause(h.Latest, h.This); pause != "" {
		add(published.FactPause, "", "%s", pause)
	}
	if h.Withdrawn {
		add(published.FactWithdrawn, "", "withdrawn by its authors%s", because(h.Reason))
	}
	return facts
}

func listed(names []string) string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 4
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, usererr.Quote(name))
	}
	if more := len(names) - most; more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return strings.Join(shown, ", ")
}
