package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// row prints one result and, where it is not as it should be, why.
func row(w io.Writer, r *result) {
	worst := "no finding"
	if r.worst != nil {
		worst = fmt.Sprintf("%s %s", r.worst.Severity, r.worst.ID)
	}
	fmt.Fprintf(w, "%-12s %-28s %5.1f s  %s\n", r.outcome, r.Name, r.seconds, clean(worst))
	for _, reason := range r.reasons {
		fmt.Fprintf(w, "%-12s %s\n", "", clean(reason))
	}
}

// total prints how many came out how. Its error says that some should not
// have.
func total(w io.Writer, results []*result) error {
	counts := map[outcome]int{}
	for _, r := range results {
		counts[r.outcome]++
	}
	var parts []string
	bad := 0
	for _, o := range []outcome{proved, quiet, unjudged, missed, falseAlarm, mistaken, broken} {
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

// maxShown bounds a line: what stands in it comes from the target.
const maxShown = 400

// clean makes text of the target's fit for a terminal.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return text
}
