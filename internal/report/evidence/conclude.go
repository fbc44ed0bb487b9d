package evidence

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// conclude compares the files with each other.
func (v *verifier) conclude() {
	if v.unread != nil {
		v.result.fail("report", "%s: %v", reportName, v.unread)
	} else {
		v.result.ok("report", "run %s, %s %d", v.report.Run.ID, v.report.Verdict.Band, v.report.Verdict.Score)
		v.compareManifest()
	}
	switch {
	case v.trail == nil:
		v.result.fail("events", "there is no %s", eventsName)
		return
	case v.trail.broken != nil:
		v.result.fail("events", "%s: %v", eventsName, v.trail.broken)
		return
	}
	v.result.ok("events", "%d events, numbered without gaps", v.trail.count)
	v.compareTranscript()
	if v.report == nil {
		return
	}
	v.compareFiles()
	v.compareInputs()
	v.result.all("evidence", StatusFailed, v.misquoted(), "every event that a finding names is there and of a kind its rule looks at")
	v.result.all("coverage", StatusFailed, v.miscounted(), "what the report says of its coverage agrees with the events")
	v.rejudge()
}

func (v *verifier) compareManifest() {
	if v.manifest == nil {
		return
	}
	want, got := outline(v.report), *v.manifest
	want.Rules, want.Files, want.Missing = got.Rules, got.Files, got.Missing
	if plain(want) != plain(got) {
		v.result.fail("manifest", "it names another run, artifact, tool or verdict than the report")
		return
	}
	v.result.ok("manifest", "it names the run, the artifact and the verdict of the report")
	for _, m := range v.manifest.Missing {
		v.result.note("manifest", "%s is missing: %s", m.Name, m.Why)
	}
}

// compareTranscript checks that the transcript matches the events.
func (v *verifier) compareTranscript() {
	switch sum := v.sums[transcriptName]; {
	case v.manifest == nil: // only a bundle has a transcript
	case sum == "":
		v.result.fail("transcript", "there is no %s", transcriptName)
	case sum != v.trail.transcript:
		v.result.fail("transcript", "it is not what the events say")
	default:
		v.result.ok("transcript", "%d messages, as the events have them", v.trail.messages)
	}
}

// misquoted lists the findings whose evidence does not exist or does not fit.
func (v *verifier) misquoted() []string {
	kinds := v.kindsOfRules()
	var problems []string
	for _, f := range everyFinding(v.report) {
		// A static finding has a place in the package instead of events.
		if len(f.Evidence) == 0 && (f.Phase != mcpsf.PhaseInspect || v.report.Inspection == nil) {
			problems = append(problems, fmt.Sprintf("%s names no event", f.ID))
		}
		for _, seq := range f.Evidence {
			kind, found := v.trail.kinds[seq]
			switch known := kinds[f.ID]; {
			case !found:
				problems = append(problems, fmt.Sprintf("%s names event %d, and there are %d", f.ID, seq, v.trail.count))
			case known != nil && !slices.Contains(known, kind):
				problems = append(problems, fmt.Sprintf("%s names event %d, which is %s and nothing that rule looks at", f.ID, seq, kind))
			}
		}
	}
	return problems
}

// kindsOfRules returns the kinds of events of each rule, including those of the
// rules that it covers, because it takes over their evidence.
func (v *verifier) kindsOfRules() map[string][]mcpsf.Kind {
	own, all := map[string][]mcpsf.Kind{}, map[string][]mcpsf.Kind{}
	for _, r := range v.opts.Rules.Rules() {
		own[r.ID] = r.Kinds
	}
	for id, kinds := range own {
		all[id] = slices.Clone(kinds)
		for _, covered := range v.opts.Rules.Covered(id) {
			all[id] = append(all[id], own[covered]...)
		}
	}
	return all
}

// miscounted lists where the coverage contradicts the events. The kernel's
// records are counted before similar ones are folded into one event, so the
// events can be fewer than the records, but not more.
func (v *verifier) miscounted() []string {
	c, s := &v.report.Coverage, &v.report.Session
	var problems []string
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	e := c.Events
	add(e.Produced-e.Received != e.Lost, "%d produced and %d received are not %d lost", e.Produced, e.Received, e.Lost)
	add(c.Remote && e.Received != v.trail.count-v.trail.digests, "%d events were received, and there are %d", e.Received, v.trail.count-v.trail.digests)
	add(!c.Remote && v.trail.kernel > e.Received, "%d observations were received from the kernel, and the events have %d", e.Received, v.trail.kernel)
	for _, p := range c.Phases {
		// Reading the package makes no events.
		seen := v.trail.phases[p] || p == mcpsf.PhaseInspect && v.report.Inspection != nil
		add(!seen, "phase %q is said to have been, and has no event", p)
	}
	for p := range v.trail.phases {
		add(!slices.Contains(c.Phases, p), "phase %q has events and is not told of", p)
	}
	for _, l := range c.Limits {
		add(l.Hit != v.trail.limits[l.Name], "whether the limit of %q was reached is not as the events have it", l.Name)
	}
	calls := c.Calls.OK + c.Calls.Refused + c.Calls.Timeout + c.Calls.Crashed
	add(calls != len(s.Calls), "%d calls are counted, and %d listed", calls, len(s.Calls))
	slices.Sort(problems)
	return problems
}
