package npm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// history is what the registry states about earlier versions.
type history struct {
	// First is when the first version was published, Count how many came before
	// this one.
	First time.Time `json:"first,omitzero"`
	Count int       `json:"count,omitempty"`
	// Latest is when the previous version was published, This when this one
	// was.
	Latest time.Time `json:"latest,omitzero"`
	This   time.Time `json:"this,omitzero"`
	// Publisher published this version, Before are the publishers of earlier
	// ones.
	Publisher string   `json:"publisher,omitempty"`
	Before    []string `json:"before,omitempty"`
	// Attested says that this version has a build attestation, AttestedBefore
	// how many earlier ones have.
	Attested       bool `json:"attested,omitempty"`
	AttestedBefore int  `json:"attested_before,omitempty"`
	// Robot is set if a build system published it for the repository.
	Robot bool `json:"robot,omitempty"`
}

// history evaluates the versions that were published before one.
func (d *packument) history(version string) history {
	times := document.Object(d.Times)
	date := func(v string) time.Time { return published.Date(document.Text(times[v])) }
	this := date(version)
	h := history{This: this}
	h.Publisher, h.Attested, h.Robot = d.publication(version)
	var names []string
	for v := range d.Versions {
		at := date(v)
		if at.IsZero() {
			continue
		}
		if h.First.IsZero() || at.Before(h.First) {
			h.First = at
		}
		if v == version || this.IsZero() || !at.Before(this) {
			continue
		}
		h.Count++
		if at.After(h.Latest) {
			h.Latest = at
		}
		name, attested, _ := d.publication(v)
		if attested {
			h.AttestedBefore++
		}
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	h.Before = slices.Compact(names)
	return h
}

// publication returns who published a version, and whether it has a build
// attestation.
func (d *packument) publication(version string) (publisher string, attested, robot bool) {
	fields := document.Object(d.Versions[version])
	user := document.Object(fields["_npmUser"])
	dist := document.Object(fields["dist"])
	_, robot = user["trustedPublisher"]
	return safetext.Line(document.Text(user["name"]), usererr.MaxShown), len(document.Object(dist["attestations"])) > 0, robot
}

// facts are what is unusual about the history.
func (h history) facts() []mcpsf.Fact {
	var facts []mcpsf.Fact
	if !h.First.IsZero() {
		facts = append(facts, mcpsf.Fact{Kind: published.FactFirst, Text: h.First.Format(time.DateOnly)})
	}
	if h.Count >= published.FewVersions && h.Publisher != "" && len(h.Before) > 0 && !slices.Contains(h.Before, h.Publisher) && !(h.Robot && h.Attested) {
		facts = append(facts, mcpsf.Fact{Kind: published.FactPublisher, Name: h.Publisher, Text: fmt.Sprintf(
			"published by %s; the %d versions before it by %s", usererr.Quote(h.Publisher), h.Count, quoted(h.Before))})
	}
	if h.AttestedBefore > 0 && !h.Attested {
		facts = append(facts, mcpsf.Fact{Kind: published.FactUnattested, Text: fmt.Sprintf(
			"%d of the %d versions before it are attested to be built from the repository, this one is not", h.AttestedBefore, h.Count)})
	}
	if pause := published.Pause(h.Latest, h.This); pause != "" {
		facts = append(facts, mcpsf.Fact{Kind: published.FactPause, Text: pause})
	}
	return facts
}

func quoted(names []string) string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 4
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, usererr.Quote(name))
	}
	if len(names) > most {
		shown = append(shown, fmt.Sprintf("%d more", len(names)-most))
	}
	return strings.Join(shown, ", ")
}
