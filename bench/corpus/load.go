package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// underLoad assesses each example twice, on an idle machine and beside so many
// busy loops, prints both and fails if the verdicts differ: how busy the machine
// is says nothing about the server.
func underLoad(ctx context.Context, set *settings, list []*example, stdout io.Writer) error {
	binary, err := filepath.Abs(set.mcpsf)
	if err != nil {
		return err
	}
	idle := &lab{mcpsf: binary, temp: os.TempDir(), reports: filepath.Join(set.reports, "idle"), seed: set.seed}
	loaded := &lab{mcpsf: binary, temp: os.TempDir(), reports: filepath.Join(set.reports, "loaded"), seed: set.seed}
	fmt.Fprintf(stdout, loadFormat, "server", "", "band", "score", "confidence", "findings", "calls", "attacks", "seconds")
	different := 0
	for _, e := range list {
		before, err := idle.measure(ctx, e)
		if err != nil {
			return err
		}
		var after *mcpsf.Report
		if err := beside(ctx, set.load, func() error { after, err = loaded.measure(ctx, e); return err }); err != nil {
			return err
		}
		loadRow(stdout, e.Name, "idle", before)
		loadRow(stdout, "", fmt.Sprintf("%d loops", set.load), after)
		changes := verdictChanges(before, after)
		for _, change := range changes {
			fmt.Fprintf(stdout, "  DIFFERENT: %s\n", safetext.Line(change, maxShown))
		}
		different += one(len(changes) > 0)
	}
	fmt.Fprintf(stdout, "\n%d of %d servers have the same verdict under load\n", len(list)-different, len(list))
	if different > 0 || len(list) == 0 {
		return fmt.Errorf("%d of %d servers have another verdict under load", different, len(list))
	}
	return nil
}

// measure assesses an example and returns its report.
func (l *lab) measure(ctx context.Context, e *example) (*mcpsf.Report, error) {
	result, err := l.assess(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	r, _, err := readRun(filepath.Join(l.reports, e.Name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", e.Name, err, strings.Join(result.reasons, "; "))
	}
	return r, nil
}

const loadFormat = "%-30s %-9s %-13s %5v %-10s %8v %6v %9v %8v\n"

func loadRow(w io.Writer, name, when string, r *mcpsf.Report) {
	c := &r.Verdict.Confidence
	fmt.Fprintf(w, loadFormat, name, when, r.Verdict.Band, r.Verdict.Score, c.Level, len(r.Findings), len(r.Session.Calls),
		fmt.Sprintf("%d/%d", c.AttacksMade, c.AttacksPlanned), fmt.Sprintf("%.1f", r.Run.Duration))
}

// verdictChanges says in what the verdicts of two runs differ: the answers, the
// confidence, and the findings that count.
func verdictChanges(before, after *mcpsf.Report) []string {
	var changes []string
	compare := func(what, old, now string) {
		if old != now {
			changes = append(changes, fmt.Sprintf("%s: %s, under load %s", what, old, now))
		}
	}
	answer := func(a mcpsf.Answer) string { return fmt.Sprintf("%s %d", a.Band, a.Score) }
	b, a := &before.Verdict, &after.Verdict
	compare("malicious", answer(b.Behaviour), answer(a.Behaviour))
	compare("weak", answer(b.Weakness), answer(a.Weakness))
	if b.Confidence.Level != a.Confidence.Level { // the numbers in the reasons may differ
		compare("confidence", confidenceOf(b), confidenceOf(a))
	}
	compare("findings", countedFindings(before), countedFindings(after))
	return changes
}

func confidenceOf(v *mcpsf.Verdict) string {
	if len(v.Confidence.Reasons) == 0 {
		return string(v.Confidence.Level)
	}
	return fmt.Sprintf("%s (%s)", v.Confidence.Level, strings.Join(v.Confidence.Reasons, "; "))
}

// countedFindings are the findings from LOW on, each rule and tool once.
func countedFindings(r *mcpsf.Report) string {
	var list []string
	for _, f := range r.Findings {
		if f.Severity != mcpsf.SeverityInfo {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Severity, f.ID, f.Tool)))
		}
	}
	if len(list) == 0 {
		return "none"
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}
