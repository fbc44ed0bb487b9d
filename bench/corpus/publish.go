package main

import (
	"fmt"
	"os"
	"strings"
)

// We generate the text between these marks in a document.
const (
	tableBegins = "<!-- pairs: written by bench/corpus -->\n"
	tableEnds   = "<!-- pairs: end -->\n"
)

// publish writes the table of the pairs into a document.
func publish(file string, results []*result) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	before, rest, begins := strings.Cut(string(raw), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return fmt.Errorf("%s has no place for the table: %q and %q", file, tableBegins, tableEnds)
	}
	text := before + tableBegins + markdown(results) + tableEnds + after
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	return nil
}

// markdown returns the table of the pairs: for each class, how many vulnerable
// servers were found, how many fixed ones raised no alarm, and how many pairs
// were told apart in each language.
func markdown(results []*result) string {
	all, node, python := tallies(results), tallies(results, "server.mjs"), tallies(results, "server.py")
	var b strings.Builder
	b.WriteString("| attack | vulnerable found | fixed quiet | told apart: Node | Python |\n| --- | --- | --- | --- | --- |\n")
	line := func(name string, t, n, p tally) {
		fmt.Fprintf(&b, "| %s | %d of %d | %d of %d | %d of %d | %d of %d |\n", name, t.found, t.pairs, t.quiet, t.pairs, n.apart, n.pairs, p.apart, p.pairs)
	}
	var sum [3]tally
	for _, class := range classes() {
		if all[class].pairs == 0 {
			continue
		}
		line(class, all[class], node[class], python[class])
		for i, t := range []tally{all[class], node[class], python[class]} {
			sum[i] = sum[i].plus(t)
		}
	}
	line("all", sum[0], sum[1], sum[2])
	return b.String()
}
