// Package verdict turns findings into a score, a band and an action. In: the
// findings, the coverage of the run and its session. Out: a [mcpsf.Verdict]. It
// consists of two tables and one sum.
package verdict

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Judge returns the verdict. The score is the sum of the findings' weights, but
// at least the floor of the most severe finding and at most 100. A rule counts
// once, with its largest weight, because a second tool or file with the same
// problem does not make the server more dangerous.
//
// A run that missed something is INCONCLUSIVE only if it would otherwise pass:
// seeing more could only add findings. The reasons are listed in both cases,
// together with reservations that weaken a verdict without changing it.
func Judge(findings []mcpsf.Finding, coverage mcpsf.Coverage, session mcpsf.Session) mcpsf.Verdict {
	score := scoreOf(findings)
	band, action := bandOf(score)
	if coverage.Static {
		return judgeReading(score, band, action, coverage)
	}
	reasons := reasonsOf(coverage, session)
	if len(reasons) > 0 && score < 40 {
		band, action = mcpsf.BandInconclusive, "no verdict: the run was incomplete; fix what is named and run again"
	}
	if coverage.Remote {
		reasons = append([]string{"the server runs remotely: what it does on its machine was not observed"}, reasons...)
		if score < 40 {
			band, action = mcpsf.BandInconclusive, "no verdict: the server runs remotely, so only its answers and its interface were tested"
		}
	}
	reasons = append(reasons, reservations(session.Calls)...)
	return mcpsf.Verdict{Band: band, Score: score, Action: action, Reasons: reasons}
}

// judgeReading returns the verdict on a package that was only read. It can pass,
// unless one of the checks, such as that for advisories, failed.
func judgeReading(score int, band mcpsf.Band, action string, coverage mcpsf.Coverage) mcpsf.Verdict {
	reasons := []string{"static scan only: the server was not run"}
	missed := false
	for _, m := range coverage.Monitors {
		if !m.Alive {
			missed = true
			reasons = append(reasons, fmt.Sprintf("its %s could not be checked: %s", m.Name, m.Note))
		}
	}
	switch {
	case missed && score < 40:
		band, action = mcpsf.BandInconclusive, "no verdict: the scan was incomplete; fix what is named and scan again"
	case band == mcpsf.BandPass:
		action = "assess it: the static scan found nothing severe"
	}
	return mcpsf.Verdict{Band: band, Score: score, Action: action, Reasons: reasons}
}

func bandOf(score int) (mcpsf.Band, string) {
	switch {
	case score >= 80:
		return mcpsf.BandCritical, "do not deploy"
	case score >= 60:
		return mcpsf.BandHigh, "block"
	case score >= 40:
		return mcpsf.BandMedium, "review"
	case score >= 20:
		return mcpsf.BandLow, "deploy with monitoring"
	}
	return mcpsf.BandPass, "deploy"
}

func scoreOf(findings []mcpsf.Finding) int {
	sum, floor := 0, 0
	counted := map[string]int{}
	for _, f := range findings {
		if f.Severity == mcpsf.SeverityInfo {
			continue
		}
		more := max(0, f.Weight-counted[f.ID])
		counted[f.ID] += more
		sum = min(100, sum+more)
		floor = max(floor, floorOf(f))
	}
	return max(sum, floor)
}

// floorOf returns the minimum score of a finding. An attempt counts like the
// action, because what stopped it in the sandbox may be missing on the next
// machine. A suspicion counts one band lower.
func floorOf(f mcpsf.Finding) int {
	floor := 0
	switch f.Severity {
	case mcpsf.SeverityCritical:
		floor = 80
	case mcpsf.SeverityHigh:
		floor = 60
	case mcpsf.SeverityMedium:
		floor = 40
	case mcpsf.SeverityLow:
		floor = 20
	}
	if f.Grade == mcpsf.GradeSuspected {
		floor -= 20
	}
	return max(0, floor)
}

// reasonsOf says what had to be covered and was not.
func reasonsOf(c mcpsf.Coverage, s mcpsf.Session) []string {
	var reasons []string
	add := func(missed bool, format string, args ...any) {
		if missed {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	add(c.Events.Lost > 0, "%d events were lost", c.Events.Lost)
	add(c.Events.Lost <= 0 && c.Events.Produced != c.Events.Received,
		"%d events were produced but %d arrived", c.Events.Produced, c.Events.Received)
	add(!c.Events.Complete, "the event log is cut off")
	add(len(c.Monitors) == 0, "no monitor reported that it ran")
	for _, m := range c.Monitors {
		add(!m.Alive, "the monitor %q did not run to the end", m.Name)
	}
	for _, l := range c.Limits {
		add(l.Hit && l.Name == mcpsf.LimitWall, "the time limit ended the run")
	}
	if !s.Initialized && s.Closed == "" && s.Ending != "" {
		return append(reasons, s.Ending)
	}
	if !s.Initialized {
		return append(reasons, "the server never answered initialize, so nothing could be called")
	}
	driven := false
	for _, p := range c.Phases {
		driven = driven || p == mcpsf.PhaseDrive
	}
	add(!driven, "the run ended before anything was called")
	return append(reasons, callReasons(c.Calls, s.Calls)...)
}

func callReasons(t mcpsf.CallTotals, calls []mcpsf.Call) []string {
	switch {
	case t.Tools+t.Resources+t.Prompts == 0:
		return []string{"the server listed no tools, resources or prompts, so only its start was covered"}
	case t.Reached < t.Tools:
		return []string{fmt.Sprintf("only %d of %d tools were called", t.Reached, t.Tools)}
	case t.Tools > 0 && !slices.ContainsFunc(calls, answered):
		return []string{"no tool call was answered"}
	case t.Tools > 0 && !slices.ContainsFunc(calls, worked):
		return []string{"every tool rejected its inputs"}
	}
	return nil
}

// reservations say where coverage is lower than the totals suggest: a tool that
// rejects its inputs does not do its work.
func reservations(calls []mcpsf.Call) []string {
	total, refused := 0, 0
	for _, c := range calls {
		if c.Tool == "" {
			continue
		}
		total++
		if c.Status == mcpsf.CallRefused {
			refused++
		}
	}
	if 2*refused <= total || !slices.ContainsFunc(calls, worked) {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d tool calls were rejected, so most of what the tools do was not covered", refused, total)}
}

func worked(c mcpsf.Call) bool { return c.Tool != "" && c.Status == mcpsf.CallOK }

func answered(c mcpsf.Call) bool {
	return c.Tool != "" && (c.Status == mcpsf.CallOK || c.Status == mcpsf.CallRefused)
}
