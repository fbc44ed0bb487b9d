package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// row prints one result and, if it is unexpected, why.
func row(w io.Writer, r *result) {
	worst := "no finding"
	if r.worst != nil {
		worst = fmt.Sprintf("%s %s", r.worst.Severity, r.worst.ID)
	}
	fmt.Fprintf(w, "%-12s %-28s %5.1f s  %s\n", r.outcome, r.Name, r.seconds, safetext.Line(worst, maxShown))
	for _, reason := range r.reasons {
		fmt.Fprintf(w, "%-12s %s\n", "", safetext.Line(reason, maxShown))
	}
}

// total counts the results. Its error says that some are unexpected.
func total(w io.Writer, results []*result) error {
	counts := map[outcome]int{}
	for _, r := range results {
		counts[r.outcome]++
	}
	var parts []string
	bad := 0
	for _, o := range []outcome{proved, quiet, caught, limited, unjudged, missed, bought, falseAlarm, mistaken, broken} {
		if counts[o] == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%d %s", counts[o], strings.ToLower(string(o))))
		if !o.good() {
			bad += counts[o]
		}
	}
	if len(parts) == 0 {
		return errors.New("there is no example of that name")
	}
	fmt.Fprintf(w, "\n%s\n", strings.Join(parts, ", "))
	if bad > 0 {
		return fmt.Errorf("%d did not come out as expected", bad)
	}
	return nil
}

// maxShown bounds a line, whose text comes from the target.
const maxShown = 400
