package machinecmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The columns of both tables; 23 characters are left behind them.
const dbColumns = "%-14s %10s %10s  %-10s"

// showUpdated shows the result for each ecosystem.
func (c *dbCommand) showUpdated(done []advisory.Updated) {
	if len(done) == 0 {
		return
	}
	fmt.Fprintf(c.Stdout, dbColumns+"  %s\n", "ECOSYSTEM", "RECORDS", "PACKAGES", "NEWEST", "CHANGE")
	var all []advisory.Status
	for _, u := range done {
		news := "new"
		switch {
		case u.Unchanged:
			news = "nothing newer"
		case u.Before > 0:
			news = fmt.Sprintf("%+d", u.Records-u.Before)
		}
		fmt.Fprintf(c.Stdout, dbColumns+"  %s\n", u.Ecosystem, fmt.Sprint(u.Records), fmt.Sprint(u.Packages), date(u.Newest), news)
		all = append(all, u.Status)
	}
	c.showTroubles(all)
	for _, u := range done {
		if u.Records < u.Before/2 {
			wrapped(c.Stdout, fmt.Sprintf("%s has less than half of the records it had; is the source the right one?", u.Ecosystem))
		}
	}
}

func (c *dbCommand) showStatus(dir string, all []advisory.Status) {
	// Not wrapped, so that the path can be copied.
	fmt.Fprintln(c.Stdout, safetext.Clean(dir))
	if len(all) == 0 {
		fmt.Fprintln(c.Stdout, "there is no database of advisories; bring it with: mcpsf db update")
		return
	}
	fmt.Fprintf(c.Stdout, "\n"+dbColumns+"  %-10s  %9s\n", "ECOSYSTEM", "RECORDS", "PACKAGES", "NEWEST", "FETCHED", "SIZE")
	for _, s := range all {
		fmt.Fprintf(c.Stdout, dbColumns+"  %-10s  %9s\n", s.Ecosystem, fmt.Sprint(s.Records), fmt.Sprint(s.Packages),
			date(s.Newest), date(s.Fetched), byteSize(s.Bytes))
	}
	c.showTroubles(all)
}

// showTroubles shows below a table what does not fit into it.
func (c *dbCommand) showTroubles(all []advisory.Status) {
	var stale []string
	for _, s := range all {
		if s.Stale {
			stale = append(stale, s.Ecosystem)
		}
		if s.Broken > 0 && len(s.Examples) > 0 {
			wrapped(c.Stdout, fmt.Sprintf("%s: %s could not be read, among them %s", s.Ecosystem, wording.Count(s.Broken, "record"), safetext.Clean(s.Examples[0])))
		}
		if s.Duplicate > 0 {
			wrapped(c.Stdout, fmt.Sprintf("%s: %s came more than once", s.Ecosystem, wording.Count(s.Duplicate, "record")))
		}
	}
	if len(stale) > 0 {
		wrapped(c.Stdout, "stale: "+strings.Join(stale, ", ")+"; what is not in there may be known elsewhere")
	}
}

func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.DateOnly)
}

func (c *dbCommand) showJSON(dir string, all []advisory.Status) error {
	data, err := safetext.JSON(struct {
		Dir        string            `json:"dir"`
		Ecosystems []advisory.Status `json:"ecosystems"`
	}{dir, all})
	if err != nil {
		return fmt.Errorf("writing the database's status: %w", err)
	}
	_, err = c.Stdout.Write(data)
	return err
}
