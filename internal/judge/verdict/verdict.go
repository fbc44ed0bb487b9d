// Package verdict turns findings into a score, a band and an action for each of
// two questions: does the server attack its user, and can it be attacked? In:
// the findings, the coverage of the run and its session. Out: a [mcpsf.Verdict]
// with the confidence that the coverage allows.
package verdict

import (
	"cmp"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// conclusive is the score from which a band holds although the run was
// incomplete: seeing more could only add findings.
const conclusive = 40

// Judge returns the verdict: the answers to both questions, of which the worse
// decides, and the confidence in them.
//
// A run of low confidence is INCONCLUSIVE where it would otherwise pass or be
// LOW. The reasons are listed in any case.
func Judge(findings []mcpsf.Finding, coverage mcpsf.Coverage, session mcpsf.Session) mcpsf.Verdict {
	confidence := confidenceOf(&coverage, &session)
	limit(&confidence, findings)
	low := confidence.Level == mcpsf.ConfidenceLow
	v := mcpsf.Verdict{
		Behaviour:  answer(behaviourScore(of(findings, mcpsf.CategoryBehaviour)), low),
		Weakness:   answer(weaknessScore(of(findings, mcpsf.CategoryWeakness)), low),
		Confidence: confidence,
		Reasons:    slices.Clone(confidence.Reasons),
	}
	v.Band, v.Score = v.Behaviour.Band, max(v.Behaviour.Score, v.Weakness.Score)
	if rank(v.Weakness.Band) > rank(v.Band) {
		v.Band = v.Weakness.Band
	}
	v.Decides = decides(&v)
	v.Action = action(&v, &coverage)
	return v
}

// of returns the findings that answer one question. One without a category is
// counted as behaviour: that is the question whose answer must not be missed.
func of(findings []mcpsf.Finding, category mcpsf.Category) []mcpsf.Finding {
	var list []mcpsf.Finding
	for _, f := range findings {
		if (f.Category == mcpsf.CategoryWeakness) == (category == mcpsf.CategoryWeakness) {
			list = append(list, f)
		}
	}
	return list
}

func answer(score int, low bool) mcpsf.Answer {
	if low && score < conclusive {
		return mcpsf.Answer{Band: mcpsf.BandInconclusive, Score: score}
	}
	return mcpsf.Answer{Band: bandOf(score), Score: score}
}

// bands are the bands with the score at which each begins.
func bands() []struct {
	band mcpsf.Band
	from int
} {
	return []struct {
		band mcpsf.Band
		from int
	}{{mcpsf.BandCritical, 80}, {mcpsf.BandHigh, 60}, {mcpsf.BandMedium, conclusive}, {mcpsf.BandLow, 20}, {mcpsf.BandPass, 0}}
}

func bandOf(score int) mcpsf.Band {
	for _, b := range bands() {
		if score >= b.from {
			return b.band
		}
	}
	return mcpsf.BandPass
}

// rank orders the bands by what they mean for the reader: not to know is worse
// than LOW, and better than MEDIUM.
func rank(b mcpsf.Band) int {
	return slices.Index([]mcpsf.Band{
		mcpsf.BandPass, mcpsf.BandLow, mcpsf.BandInconclusive, mcpsf.BandMedium, mcpsf.BandHigh, mcpsf.BandCritical,
	}, b)
}

// decides returns the question that the band answers. Between equal bands it is
// the behaviour, because its action is the stricter one.
func decides(v *mcpsf.Verdict) mcpsf.Category {
	switch {
	case v.Band == mcpsf.BandPass || v.Band == mcpsf.BandInconclusive:
		return ""
	case v.Behaviour.Band == v.Band:
		return mcpsf.CategoryBehaviour
	}
	return mcpsf.CategoryWeakness
}

// behaviourScore is the sum of the weights, but at least the floor of the most
// severe finding and at most 100: several signs of an attack support each other.
func behaviourScore(findings []mcpsf.Finding) int {
	return min(100, max(sumOf(findings), floorOf(findings)))
}

// weaknessScore is the sum of the weights, kept within the band of the most
// severe finding: what an attacker reaches is the worst that one weakness lets
// him reach, and ten others do not make it more.
func weaknessScore(findings []mcpsf.Finding) int {
	floor := floorOf(findings)
	top := floor + 19
	if floor >= 80 {
		top = 100
	}
	return min(top, max(sumOf(findings), floor))
}

// sumOf adds up the weights. A rule counts once, with its largest weight, because
// a second tool, argument or file with the same problem does not make the server
// more dangerous. Suspicions that begin with the same event are one: each says what
// may have become of the same secret.
func sumOf(findings []mcpsf.Finding) int {
	heaviest := slices.SortedStableFunc(slices.Values(findings), func(a, b mcpsf.Finding) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
	})
	counted := map[string]bool{}
	suspected := map[int64]string{} // the rule that counts, by the first event
	sum := 0
	for _, f := range heaviest {
		if f.Severity == mcpsf.SeverityInfo || counted[f.ID] {
			continue
		}
		if f.Grade == mcpsf.GradeSuspected && len(f.Evidence) > 0 {
			if suspected[f.Evidence[0]] != "" {
				continue
			}
			suspected[f.Evidence[0]] = f.ID
		}
		counted[f.ID] = true
		sum += max(0, f.Weight)
	}
	return sum
}

// floorOf returns the minimum score of the most severe finding. An attempt
// counts like the action, because what stopped it in the sandbox may be missing
// on the next machine. A suspicion counts one band lower.
func floorOf(findings []mcpsf.Finding) int {
	floor := 0
	for _, f := range findings {
		at := 20 * max(0, slices.Index([]mcpsf.Severity{
			mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
		}, f.Severity))
		if f.Grade == mcpsf.GradeSuspected {
			at -= 20
		}
		floor = max(floor, at)
	}
	return floor
}
