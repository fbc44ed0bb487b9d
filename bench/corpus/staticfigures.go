package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// sourceFigures count the results of reading source.
type sourceFigures struct{ harmful, found, honest, alarms int }

func (f sourceFigures) recall() float64 { return share(f.found, f.harmful) }

// measureSource counts all samples, and those of each class.
func measureSource(list []*sample) (all sourceFigures, by map[string]sourceFigures) {
	by = map[string]sourceFigures{}
	for _, s := range list {
		all, by[s.Class] = all.with(s), by[s.Class].with(s)
	}
	return all, by
}

func (f sourceFigures) with(s *sample) sourceFigures {
	told := one(len(s.alarms) > 0)
	if s.harmful() {
		f.harmful, f.found = f.harmful+1, f.found+told
	} else {
		f.honest, f.alarms = f.honest+1, f.alarms+told
	}
	return f
}

// summariseSource prints the figures, and the unexpected results.
func summariseSource(w io.Writer, list []*sample) sourceFigures {
	all, by := measureSource(list)
	const format = "%-22s %8v %6v %7v %7v\n"
	fmt.Fprintf(w, "\n"+format, "source only", "harmful", "found", "honest", "alarms")
	for _, class := range sorted(by) {
		f := by[class]
		fmt.Fprintf(w, format, class, f.harmful, f.found, f.honest, f.alarms)
	}
	fmt.Fprintf(w, "\nby source alone: recall %.3f (%d of %d)   false alarms %d of %d honest\n", all.recall(), all.found, all.harmful, all.alarms, all.honest)
	fmt.Fprint(w, sourceComplaints(list))
	return all
}

// sourceComplaints lists what was missed and what was reported without reason.
func sourceComplaints(list []*sample) string {
	var b strings.Builder
	for _, s := range list {
		switch {
		case s.harmful() && len(s.alarms) == 0:
			fmt.Fprintf(&b, "- `%s` (%s): missed\n", s.name, s.Title)
		case !s.harmful() && len(s.alarms) > 0:
			fmt.Fprintf(&b, "- `%s` (%s): false alarm: %s\n", s.name, s.Title, strings.ReplaceAll(safetext.Line(s.alarms[0], maxShown), "`", "'"))
		}
	}
	return b.String()
}

// sourcePage is the part of docs/quality.md about source.
func sourcePage(list []*sample) string {
	all, by := measureSource(list)
	var b strings.Builder
	b.WriteString(`
## By source alone

What ` + "`mcpsf scan`" + ` says of the samples in ` + "`corpus/static/`" + `, of which nothing is
run. A harmful one is found, and an honest one a false alarm, when a finding is
above LOW.

| class | harmful | found | honest | alarms |
| --- | --- | --- | --- | --- |
`)
	for _, class := range sorted(by) {
		f := by[class]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", class, f.harmful, f.found, f.honest, f.alarms)
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d |\n", all.harmful, all.found, all.honest, all.alarms)
	if bad := sourceComplaints(list); bad != "" {
		b.WriteString("\n" + bad)
	}
	return b.String()
}

// holdSource tells which floors of reading source do not hold.
func (f floors) holdSource(got sourceFigures) error {
	var broken []error
	if got.recall() < f.SourceRecall {
		broken = append(broken, fmt.Errorf("recall by source alone is %.3f, and was at least %.3f", got.recall(), f.SourceRecall))
	}
	if got.alarms > f.SourceAlarms {
		broken = append(broken, fmt.Errorf("%d honest samples of source raise an alarm, and at most %d did", got.alarms, f.SourceAlarms))
	}
	return errors.Join(broken...)
}
