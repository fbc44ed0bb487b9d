package rulescmd

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/runresult"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxExplained is the largest --events.
// no gap: bounds what a command shows or runs at once
const maxExplained = 100

// explain shows why a rule fired, or did not, on a stored run.
func explain(p *program.Program) *cobra.Command {
	var dirs []string
	var most int
	cmd := &cobra.Command{
		Use:   "explain ID RUN",
		Short: "Show why a rule fired, or did not, on a stored run",
		Long: `ID is a rule; RUN the directory that an assessment was written to. The rule is
applied to the recorded events again. Its condition is split at && into clauses,
and for the nearest events each clause is shown, whether it holds, and what its
fields and predicates were. Of a sequence each step is shown by itself.

Nothing is run. Exit code 0 says that the rule was applied, whether it fired or
not; 2 that there is no such rule or run.`,
		Example: `  mcpsf rules explain ssrf reports/20261116-024501-5c1f09a2
  mcpsf rules explain my-rule reports/20261116-024501-5c1f09a2 --rules ./rules`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return program.Usage(errors.New("rules explain needs the ID of a rule and a RUN; try: mcpsf rules explain ssrf reports/<run>"))
			}
			if most < 1 || most > maxExplained {
				return program.Usage(fmt.Errorf("--events is a number from 1 to %d", maxExplained))
			}
			return runExplain(p, args[0], args[1], dirs, most)
		},
	}
	cmd.Flags().StringArrayVar(&dirs, "rules", nil, "directory with rules of your own, beside the built-in ones")
	cmd.Flags().IntVar(&most, "events", 3, "how many of the nearest events to show for each condition")
	return cmd
}

func runExplain(p *program.Program, id, dir string, dirs []string, most int) error {
	set, err := rulefiles.All(p.Stderr, dirs, nil)
	if err != nil {
		return err
	}
	r, events, err := runresult.Load(dir)
	if err != nil {
		return err
	}
	t, err := judge.Trace(r, events, set, id, most)
	if err != nil {
		return err
	}
	tracePrinter{p.Stdout}.trace(t)
	return nil
}

// tracePrinter prints the trace of a rule. Every line is made safe as a whole.
type tracePrinter struct{ out io.Writer }

func (p tracePrinter) line(format string, args ...any) {
	fmt.Fprintln(p.out, safetext.Clean(fmt.Sprintf(format, args...)))
}

func (p tracePrinter) trace(t *rules.Trace) {
	p.line("%s: %s (%s, %s)", t.Rule.ID, t.Rule.Title, t.Rule.Severity, t.Rule.Grade)
	if t.Fired() {
		p.line("It fired: %s.", wording.Count(len(t.Findings), "finding"))
		for i := range t.Findings[:min(len(t.Findings), maxExplained)] {
			f := &t.Findings[i]
			p.line("  %s%s", f.Message, eventList(" Evidence: ", f.Evidence))
		}
	} else {
		p.line("It did not fire.")
	}
	for i := range t.Covered[:min(len(t.Covered), maxExplained)] {
		by := &t.Covered[i].By
		p.line("  Not reported as a finding of its own: %s covers it. %s%s", by.ID, by.Message, eventList(" Evidence: ", by.Evidence))
	}
	if t.By != "" {
		p.line("")
		p.line("A sequence of %d steps, joined by %s, within %s.", len(t.Steps), t.By, t.Within)
		if !t.Fired() && len(t.Furthest) > 0 {
			p.line("The sequence that came furthest has met %s%s.", wording.Count(len(t.Furthest), "step"), eventList(": ", t.Furthest))
		}
	}
	if asks := t.Asks(); asks != "" {
		p.line("")
		p.counted(t, asks)
	}
	for i := range t.Steps {
		p.line("")
		p.step(t, i)
	}
}

// counted says how many of the required hits there were.
func (p tracePrinter) counted(t *rules.Trace, asks string) {
	best := 0
	for _, g := range t.Groups {
		if n := g.Hits; t.Count.Distinct == "" {
			best = max(best, n)
		} else {
			best = max(best, g.Distinct)
		}
	}
	p.line("It asks for %s in one finding; there were at most %d, at whatever time.", asks, best)
}

func (p tracePrinter) step(t *rules.Trace, i int) {
	s := &t.Steps[i]
	name := "The condition"
	if t.By != "" {
		name = "Step " + strconv.Itoa(i+1)
		if s.Name != "" {
			name += " (" + s.Name + ")"
		}
	}
	if s.Absent {
		name += ", which must not be there,"
	}
	p.line("%s was asked about %s (%s) and met by %d%s.", name, wording.Count(s.Asked, "event"), strings.Join(s.Kinds, ", "), s.Met, eventList(": ", s.Events))
	for j := range s.Candidates {
		p.candidate(&s.Candidates[j])
	}
}

func (p tracePrinter) candidate(c *rules.Candidate) {
	what := "Fact"
	if c.Seq != 0 {
		what = "Event " + strconv.FormatInt(c.Seq, 10)
	}
	for _, part := range []struct{ name, value string }{{"", c.Kind}, {"", c.Phase}, {"call ", c.Call}, {"tool ", c.Tool}, {"", subject(c.Subject)}} {
		if part.value != "" {
			what += ", " + part.name + part.value
		}
	}
	p.line("  %s: %d of %s", what, c.Held, wording.Count(len(c.Clauses), "clause"))
	for _, clause := range c.Clauses {
		p.line("    %-5t  %s", clause.Holds, clause.Text)
		for _, v := range clause.Values {
			p.line("             %s = %s", v.Name, v.Text)
		}
	}
}

// subject is the subject of an event in quotes, "" if there is none.
func subject(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

// eventList lists events by number.
func eventList(before string, seqs []int64) string {
	if len(seqs) == 0 {
		return ""
	}
	names := make([]string, 0, len(seqs))
	for _, seq := range seqs {
		names = append(names, strconv.FormatInt(seq, 10))
	}
	if len(names) == 1 {
		return before + "event " + names[0]
	}
	return before + "events " + strings.Join(names, ", ")
}
