package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// drawn matches a random name that a server chose. Findings that differ only in
// it are the same.
var drawn = regexp.MustCompile(`/tmp/[^/"\s]+`)

// repeat assesses each example so many times and checks that the result is the
// same: the same findings in the same order and words, and the same score.
func repeat(ctx context.Context, set *settings, list []*example, stdout io.Writer) error {
	binary, err := filepath.Abs(set.mcpsf)
	if err != nil {
		return err
	}
	l := &lab{mcpsf: binary, temp: os.TempDir(), reports: set.reports, seed: set.seed}
	different := 0
	for _, e := range list {
		answers, order := map[string]int{}, []string(nil)
		for range set.repeat {
			if _, err := l.assess(ctx, e); err != nil {
				return fmt.Errorf("%s: %w", e.Name, err)
			}
			r, _, err := readRun(filepath.Join(l.reports, e.Name))
			answer := answerOf(r, err)
			if answers[answer] == 0 {
				order = append(order, answer)
			}
			answers[answer]++
		}
		fmt.Fprintf(stdout, "%-30s %d of %d the same\n", e.Name, answers[order[0]], set.repeat)
		if len(order) > 1 {
			different++
			for _, answer := range order {
				fmt.Fprintf(stdout, "  %d times: %s\n", answers[answer], safetext.Line(answer, maxShown))
			}
		}
	}
	fmt.Fprintf(stdout, "\n%d of %d servers came out the same %d times\n", len(list)-different, len(list), set.repeat)
	if different > 0 {
		return fmt.Errorf("%d servers did not come out the same each time", different)
	}
	return nil
}

// answerOf returns the part of the result that a reader sees.
func answerOf(r *mcpsf.Report, err error) string {
	if err != nil {
		return err.Error()
	}
	parts := []string{fmt.Sprintf("%s %d", r.Verdict.Band, r.Verdict.Score)}
	for _, f := range r.Findings {
		parts = append(parts, fmt.Sprintf("%s %s %s %s %s: %s", f.ID, f.Fingerprint, f.Severity, f.Grade, f.Tool, drawn.ReplaceAllString(f.Message, "/tmp/*")))
	}
	return strings.Join(parts, "; ")
}
