package advisory

import (
	"time"

	"github.com/mcpsf/mcpsf"
)

// onThisMachine names the local database in reports.
const onThisMachine = "database on this machine"

// Status describes one ecosystem of a database.
type Status struct {
	Ecosystem string `json:"ecosystem"`
	// Records is how many advisories there are, Packages how many packages
	// they are about.
	Records  int `json:"records"`
	Packages int `json:"packages"`
	// Withdrawn, Duplicate and Broken count the other records of the export:
	// withdrawn, repeated, or unreadable; Examples names some of the last.
	Withdrawn int      `json:"withdrawn"`
	Duplicate int      `json:"duplicate"`
	Broken    int      `json:"broken"`
	Examples  []string `json:"examples,omitempty"`
	// Newest is when the last record was changed, Fetched when the export was
	// downloaded or last found to be up to date.
	Newest  time.Time `json:"newest,omitzero"`
	Fetched time.Time `json:"fetched"`
	Source  string    `json:"source"`
	Bytes   int64     `json:"bytes"`
	Stale   bool      `json:"stale"`
}

// Status describes each ecosystem of the database, sorted by name.
func (db *Database) Status() []Status {
	now := db.now()
	all := make([]Status, 0, len(db.tables))
	for _, name := range db.Ecosystems() {
		t := db.tables[name]
		all = append(all, t.note.status(t.size, now, db.stale))
	}
	return all
}

func (n *note) status(size int64, now time.Time, stale time.Duration) Status {
	return Status{
		Ecosystem: n.Ecosystem, Records: n.Records, Packages: n.Packages,
		Withdrawn: n.Withdrawn, Duplicate: n.Duplicate, Broken: n.Broken, Examples: n.Examples,
		Newest: n.Newest, Fetched: n.Fetched, Source: n.Source, Bytes: size, Stale: n.stale(now, stale),
	}
}

// quiet is how many times older the newest record may be than the export: small
// ecosystems have weeks without news.
const quiet = 4

// stale reports whether the data is too old to prove that a package has no
// advisory. The age of a local file is unknown, so its newest record decides. A
// server's export counts as new, unless its records are much too old.
func (n *note) stale(now time.Time, after time.Duration) bool {
	if n.Local {
		return now.Sub(n.Newest) > after
	}
	return now.Sub(n.Fetched) > after || now.Sub(n.Newest) > quiet*after
}

// source returns the ecosystem for reports.
func (db *Database) source(t *ecosystemTable) mcpsf.AdvisorySource {
	return mcpsf.AdvisorySource{
		Name: onThisMachine, Ecosystem: t.note.Ecosystem, Records: t.note.Records,
		Exported: t.note.Newest, Fetched: t.note.Fetched, Stale: t.note.stale(db.now(), db.stale),
	}
}
