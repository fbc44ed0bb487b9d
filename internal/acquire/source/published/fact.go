package published

import "time"

// The kinds of facts about how a version came to be published.
const (
	// FactPublisher: somebody published it who has published none before.
	FactPublisher = "provenance.publisher"
	// FactUnattested: versions before it said where they were built.
	FactUnattested = "provenance.unattested"
	// FactFirst: when the first version was published.
	FactFirst = "provenance.first"
	// FactPause: nothing had been published for years before it.
	FactPause = "provenance.pause"
	// FactAuthors: it names none of the authors that the version before names.
	FactAuthors = "provenance.authors"
	// FactAttester: its attestation names another repository or workflow than
	// that of a version before.
	FactAttester = "provenance.attester"
	// FactWithdrawn: its authors took it back.
	FactWithdrawn = "provenance.withdrawn"
)

// FewVersions is the number of versions below which nothing can be called
// unusual.
const FewVersions = 3

// longPause is after how long a new version of a package is unusual.
const longPause = 2 * 365 * 24 * time.Hour

// Pause says between which days nothing was published, "" if that was not
// long, or if one of the dates is not known.
func Pause(before, this time.Time) string {
	if before.IsZero() || this.IsZero() || this.Sub(before) < longPause {
		return ""
	}
	return "published on " + this.Format(time.DateOnly) + ", and the version before it on " + before.Format(time.DateOnly)
}
