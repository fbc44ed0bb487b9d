package published

import "time"

// The kinds of facts about how a version was published.
const (
	// FactPublisher: its publisher has published no earlier version.
	FactPublisher = "provenance.publisher"
	// FactUnattested: earlier versions had a build attestation.
	FactUnattested = "provenance.unattested"
	// FactFirst: when the first version was published.
	FactFirst = "provenance.first"
	// FactPause: no version had been published for years before it.
	FactPause = "provenance.pause"
	// FactAuthors: it names none of the authors of the version before.
	FactAuthors = "provenance.authors"
	// FactAttester: its attestation names another repository or workflow than
	// that of an earlier version.
	FactAttester = "provenance.attester"
	// FactWithdrawn: its authors withdrew it.
	FactWithdrawn = "provenance.withdrawn"
)

// FewVersions is the number of versions below which nothing counts as unusual.
const FewVersions = 3

// longPause is after how long a new version of a package is unusual.
const longPause = 2 * 365 * 24 * time.Hour

// Pause says between which days nothing was published, "" if that was not long,
// or if one of the dates is unknown.
func Pause(before, this time.Time) string {
	if before.IsZero() || this.IsZero() || this.Sub(before) < longPause {
		return ""
	}
	return "published on " + this.Format(time.DateOnly) + ", and the version before it on " + before.Format(time.DateOnly)
}
