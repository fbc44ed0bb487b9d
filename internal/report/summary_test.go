package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
)

func TestSummary(t *testing.T) {
	even := inconclusiveReport()
	even.Findings = high().Findings[:1]
	lossy := passed()
	lossy.Coverage.Events.Lost = 3
	for _, tt := range []struct {
		name string
		in   *mcpsf.Report
		want string
	}{
		{"pass", passed(), "No findings. 3 of 3 tools called, 1893 events recorded, none lost."},
		{"high", high(), "2 findings, most severe: Decoy secret read in add_note. 3 of 3 tools called, 1893 events recorded, none lost."},
		{"inconclusive", inconclusiveReport(), "No verdict: 12 of 1905 events were lost."},
		{"inconclusive with a finding", even, "No verdict: 12 of 1905 events were lost. 1 finding: Shell started with call data in add_note."},
		{"never claims more than is true", lossy, "No findings. 3 of 3 tools called, 1893 events recorded, 3 lost."},
		{"empty", &mcpsf.Report{}, "No findings. 0 of 0 tools called, 0 events recorded, none lost."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summary.Of(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecommendations(t *testing.T) {
	double := high()
	double.Findings = append(double.Findings, double.Findings...)
	hung := passed()
	hung.Session.Initialized = false
	hung.Coverage.Calls.Timeout = 1
	hung.Coverage.Calls.Reached = 2
	sighted := passed()
	sighted.Coverage.Gaps = nil
	const passAdvice = `Deploy, but note what was not covered: what the server would send to the Internet and 1 more.`
	for _, tt := range []struct {
		name string
		in   *mcpsf.Report
		want []string
	}{
		{"pass", passed(), []string{passAdvice}},
		{"pass that saw everything", sighted, []string{"Deploy."}},
		{"each remedy once, most severe first", double, []string{
			"Block it.",
			"Do not install this server. If it ran before, replace every key it could read.",
			"Call the program directly, without a shell.",
		}},
		{"what to widen", hung, []string{
			passAdvice,
			`The server never answered initialize: give the right start command after "--", or the settings it needs with --env, and run again.`,
			"1 tool was never called: give the server the settings it needs with --env and run again.",
			"1 call timed out: run again with a longer --timeout if the server is meant to be slow.",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summary.Recommendations(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
