package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// We generate the text between these marks in the document.
const (
	tableBegins = "<!-- everything: written by bench/everything -->\n"
	tableEnds   = "<!-- everything: end -->\n"
)

// publish writes the table into the document.
func publish(file, text string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	before, rest, begins := strings.Cut(string(raw), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return fmt.Errorf("%s has no place for the table: %q and %q", file, tableBegins, tableEnds)
	}
	if err := os.WriteFile(file, []byte(before+tableBegins+text+tableEnds+after), 0o600); err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	return nil
}

// table has a row for each feature.
func table(columns []*column) string {
	var b strings.Builder
	row := func(first string, cell func(*column) string) {
		b.WriteString("| " + first + " |")
		for _, c := range columns {
			b.WriteString(" " + cell(c) + " |")
		}
		b.WriteString("\n")
	}
	row("feature", (*column).name)
	row("---", func(*column) string { return "---" })
	row("revision", func(c *column) string { return c.revision })
	for _, f := range features() {
		row(f.name, func(c *column) string {
			switch {
			case f.used(c):
				return "used"
			case slices.Contains(c.server.lacks, f.name):
				return "not offered"
			}
			return "**not used**"
		})
	}
	return b.String()
}
