package evidence

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// rejudge judges the run again. The result must be the same only if the same
// rules and the same program judged it; otherwise a difference is a note and no
// error.
func (v *verifier) rejudge() {
	if v.trail.many {
		v.result.note("judgement", "the events are too many to be judged again")
		return
	}
	again := *v.report
	again.Waived = nil // waivers are applied after judging
	if err := guarded(func() error { return judge.Apply(&again, v.trail.events, v.opts.Rules) }); err != nil {
		v.result.fail("judgement", "today's rules cannot be applied: %v", err)
		return
	}
	status := StatusFailed
	if why := v.otherJudge(); why != "" {
		status = StatusNote
		v.result.note("judgement", "%s", why)
	}
	if n := len(v.report.Waived); n > 0 {
		v.result.note("judgement", "waivers leave %s out of the count, and nothing in a run proves who decided that", wording.Count(n, "finding"))
	}
	was := &mcpsf.Report{Findings: everyFinding(v.report), Accesses: v.report.Accesses}
	v.result.all("judgement", status, differences(was, &again), "the events lead to the same %d findings by today's rules", len(again.Findings))
	if status == StatusNote {
		v.compareBands(&again)
	}
	v.reconclude(status)
}

// compareBands fails for a report that says better of a server than today's rules
// do, in either answer or in how far they can be relied on. Whoever forges a
// report can also write that other rules judged it.
func (v *verifier) compareBands(again *mcpsf.Report) {
	is := *again
	is.Findings = slices.DeleteFunc(slices.Clone(again.Findings), func(f mcpsf.Finding) bool {
		return slices.ContainsFunc(v.report.Waived, func(w mcpsf.Waived) bool { return naming(&w.Finding) == naming(&f) })
	})
	judge.Conclude(&is)
	now, was := &is.Verdict, &v.report.Verdict
	for _, answer := range []struct {
		what     string
		now, was mcpsf.Band
	}{
		{"it", now.Band, was.Band}, {"its behaviour", now.Behaviour.Band, was.Behaviour.Band}, {"its weakness", now.Weakness.Band, was.Weakness.Band},
	} {
		if rank(answer.now) > rank(answer.was) {
			v.result.fail("judgement", "by today's rules %s is %s, and the report says %s", answer.what, answer.now, answer.was)
		}
	}
	levels := mcpsf.ConfidenceLevels()
	if slices.Index(levels, now.Confidence.Level) < slices.Index(levels, was.Confidence.Level) {
		v.result.fail("judgement", "by today's rules the confidence is %s, and the report says %s", now.Confidence.Level, was.Confidence.Level)
	}
}

// rank orders the bands by how much they warn.
func rank(b mcpsf.Band) int {
	return slices.Index([]mcpsf.Band{
		mcpsf.BandPass, mcpsf.BandLow, mcpsf.BandInconclusive, mcpsf.BandMedium, mcpsf.BandHigh, mcpsf.BandCritical,
	}, b)
}

// reconclude computes the verdict again from the findings in the report.
func (v *verifier) reconclude(status Status) {
	is, was := *v.report, v.report
	switch err := guarded(func() error { judge.Conclude(&is); return nil }); {
	case err != nil:
		v.result.fail("verdict", "it cannot be drawn again: %v", err)
	case plain(is.Verdict) != plain(was.Verdict):
		v.result.add("verdict", status, fmt.Sprintf("the findings and the coverage lead to %s %d, and the report says %s %d",
			is.Verdict.Band, is.Verdict.Score, was.Verdict.Band, was.Verdict.Score))
	case is.Summary != was.Summary || !same(is.Recommendations, was.Recommendations):
		v.result.add("verdict", status, "the summary or the recommendations are not those of the findings")
	default:
		v.result.ok("verdict", "%s %d follows from the findings and the coverage", was.Verdict.Band, was.Verdict.Score)
	}
}

// otherJudge says how the judge of the report differs from today's, "" if it
// does not.
func (v *verifier) otherJudge() string {
	switch {
	case v.manifest == nil:
		return "nothing says which rules judged this run"
	case v.manifest.Rules == "":
		return "the manifest does not say which rules judged this run"
	case v.manifest.Rules != v.opts.Rules.Digest():
		return fmt.Sprintf("the rules were others (%s) than today's (%s)", v.manifest.Rules, v.opts.Rules.Digest())
	case v.report.Tool.Version != v.opts.Version:
		return fmt.Sprintf("the rules are the same, but mcpsf was %s and is %s", v.report.Tool.Version, v.opts.Version)
	}
	return ""
}

// guarded recovers from panics: rules expect the events of real runs, and these may be forged.
func guarded(judge func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no run leads to this (%v)", p)
		}
	}()
	return judge()
}

// differences lists what only one of two judgements has.
func differences(was, is *mcpsf.Report) []string {
	after := map[string][]*mcpsf.Finding{}
	for i := range is.Findings {
		f := &is.Findings[i]
		after[naming(f)] = append(after[naming(f)], f)
	}
	var problems []string
	for i := range was.Findings {
		f := &was.Findings[i]
		twins := after[naming(f)]
		if len(twins) == 0 {
			problems = append(problems, fmt.Sprintf("the report has %s, which does not follow from the events", naming(f)))
			continue
		}
		after[naming(f)] = twins[1:]
		if fields := unlike(f, twins[0]); len(fields) > 0 {
			problems = append(problems, fmt.Sprintf("the report has %s with another %s", naming(f), strings.Join(fields, ", ")))
		}
	}
	for i := range is.Findings {
		f := &is.Findings[i]
		if slices.Contains(after[naming(f)], f) {
			problems = append(problems, fmt.Sprintf("%s follows from the events and is not in the report", naming(f)))
		}
	}
	if !same(was.Accesses, is.Accesses) {
		problems = append(problems, "the report has another list of what the server used")
	}
	return problems
}

func naming(f *mcpsf.Finding) string { return f.ID + " " + f.Fingerprint }

// unlike names the fields in which two findings differ.
func unlike(a, b *mcpsf.Finding) []string {
	left, right := fields(a), fields(b)
	var names []string
	for name := range left {
		if string(left[name]) != string(right[name]) {
			names = append(names, name)
		}
	}
	for name := range right {
		if left[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func fields(f *mcpsf.Finding) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(plain(f)), &all) != nil {
		return nil
	}
	delete(all, "opinion") // written by a model, so it does not follow from the events
	return all
}

// same compares lists; nil and empty are equal.
func same[T any](a, b []T) bool {
	return len(a) == 0 && len(b) == 0 || plain(a) == plain(b)
}

// plain returns a value as JSON, as in the report.
func plain(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
