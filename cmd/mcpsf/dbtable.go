package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

// The columns of both tables; what is behind them has 23 left.
const dbColumns = "%-14s %10s %10s  %-10s"

// showUpdated tells what became of each ecosystem.
func (a *app) showUpdated(done []advisory.Updated) {
	if len(done) == 0 {
		return
	}
	fmt.Fprintf(a.stdout, dbColumns+"  %s\n", "ECOSYSTEM", "RECORDS", "PACKAGES", "NEWEST", "CHANGE")
	var all []advisory.Status
	for _, u := range done {
		news := "new"
		switch {
		case u.Unchanged:
			news = "nothing newer"
		case u.Before > 0:
			news = fmt.Sprintf("%+d", u.Records-u.Before)
		}
		fmt.Fprintf(a.stdout, dbColumns+"  %s\n", u.Ecosystem, fmt.Sprint(u.Records), fmt.Sprint(u.Packages), date(u.Newest), news)
		all = append(all, u.Status)
	}
	a.showTroubles(all)
	for _, u := range done {
		if u.Records < u.Before/2 {
			a.wrapped(fmt.Sprintf("%s has less than half of the records it had; is the source the right one?", u.Ecosystem))
		}
	}
}

func (a *app) showStatus(dir string, all []advisory.Status) {
	// Unbroken however long: a path is there to be copied.
	fmt.Fprintln(a.stdout, safetext.Clean(dir))
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "there is no database of advisories; bring it with: mcpsf db update")
		return
	}
	fmt.Fprintf(a.stdout, "\n"+dbColumns+"  %-10s  %9s\n", "ECOSYSTEM", "RECORDS", "PACKAGES", "NEWEST", "FETCHED", "SIZE")
	for _, s := range all {
		fmt.Fprintf(a.stdout, dbColumns+"  %-10s  %9s\n", s.Ecosystem, fmt.Sprint(s.Records), fmt.Sprint(s.Packages),
			date(s.Newest), date(s.Fetched), byteSize(s.Bytes))
	}
	a.showTroubles(all)
}

// showTroubles tells below a table what does not fit into it.
func (a *app) showTroubles(all []advisory.Status) {
	var stale []string
	for _, s := range all {
		if s.Stale {
			stale = append(stale, s.Ecosystem)
		}
		if s.Broken > 0 && len(s.Examples) > 0 {
			a.wrapped(fmt.Sprintf("%s: %s could not be read, among them %s", s.Ecosystem, count(s.Broken, "record", "records"), safetext.Clean(s.Examples[0])))
		}
		if s.Duplicate > 0 {
			a.wrapped(fmt.Sprintf("%s: %s came more than once", s.Ecosystem, count(s.Duplicate, "record", "records")))
		}
	}
	if len(stale) > 0 {
		a.wrapped("stale: " + strings.Join(stale, ", ") + "; what is not in there may be known elsewhere")
	}
}

func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.DateOnly)
}

func (a *app) dbJSON(dir string, all []advisory.Status) error {
	data, err := json.MarshalIndent(struct {
		Dir        string            `json:"dir"`
		Ecosystems []advisory.Status `json:"ecosystems"`
	}{dir, all}, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the database's status: %w", err)
	}
	_, err = fmt.Fprintln(a.stdout, asciiJSON(string(data)))
	return err
}
