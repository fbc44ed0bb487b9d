package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

const qualityHead = `# How good it is

Written by ` + "`make quality`" + `, which assesses every labelled server in
[corpus/](../corpus/README.md) with one build and compares what comes out with
its label. ` + "`make quality-fast`" + ` judges the runs that are kept in
` + "`corpus/traces/`" + ` by today's rules, without a sandbox; it is part of every check
of the project. Both fail when a figure falls below
[corpus/floors.yaml](../corpus/floors.yaml).

A harmful server counts as found when the proof that its label names is there
and was judged at least as gravely as the label says; being caught for something
else does not count. An honest one is a false alarm when its verdict is above
LOW.

These servers were written by the people who wrote the rules. What the figures
say of servers that nobody here has seen is said by
[startup-rate.md](startup-rate.md) and [cve-replay.md](cve-replay.md), which are
about public ones.
`

// page returns docs/quality.md.
func page(every []*result) string {
	results, _ := split(every)
	all, by := measure(results)
	var b strings.Builder
	b.WriteString(qualityHead)
	fmt.Fprintf(&b, "\n| figure | |\n| --- | --- |\n")
	fmt.Fprintf(&b, "| labelled servers | %d: %d malicious, %d vulnerable, %d honest, %d of these powerful |\n", len(results),
		count(results, func(r *result) bool { return r.Malicious }), count(results, func(r *result) bool { return r.Vulnerable }),
		all.honest, count(results, func(r *result) bool { return r.Powerful }))
	fmt.Fprintf(&b, "| recall | %.3f (%d of %d) |\n", all.recall(), all.found, all.harmful)
	fmt.Fprintf(&b, "| precision | %.3f |\n", all.precision())
	fmt.Fprintf(&b, "| pairs told apart | %.3f (%d of %d) |\n", all.discrimination(), all.apart, all.pairs)
	fmt.Fprintf(&b, "| honest servers above LOW | %d of %d |\n", all.alarms, all.honest)
	fmt.Fprintf(&b, "| inconclusive | %.1f%% |\n", 100*all.undecided())
	b.WriteString("\n## By class\n\n| class | harmful | found | honest | alarms | told apart |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, class := range sorted(by) {
		f := by[class]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d of %d |\n", class, f.harmful, f.found, f.honest, f.alarms, f.apart, f.pairs)
	}
	b.WriteString("\n## What did not come out as it should\n\n")
	b.WriteString(complaints(results))
	b.WriteString(integrityPage(every))
	return b.String()
}

// nothing is said where there is nothing to complain about.
const nothing = "Nothing.\n"

// complaints lists the examples with an unexpected result.
func complaints(results []*result) string {
	var b strings.Builder
	for _, r := range results {
		if r.asItShould() {
			continue
		}
		what := strings.ToLower(string(r.outcome))
		if r.outcome.good() && !r.buys() {
			what = string(r.band)
		}
		fmt.Fprintf(&b, "- `%s` (%s): %s", r.Name, r.Title, what)
		if len(r.reasons) > 0 {
			fmt.Fprintf(&b, ": %s", strings.ReplaceAll(safetext.Line(r.reasons[0], maxShown), "`", "'"))
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return nothing
	}
	return b.String()
}

// asItShould tells whether there is nothing to say about a result.
func (out *result) asItShould() bool {
	if out.buys() {
		return out.outcome == caught
	}
	return out.outcome.good() && out.band != mcpsf.BandInconclusive && (out.harmful() || !aboveLow(out.band))
}

func count(results []*result, is func(*result) bool) int {
	n := 0
	for _, r := range results {
		n += one(is(r))
	}
	return n
}

func writePage(file, text string) error {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
