package main

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// integrity is the class of servers that try to buy their verdict: they hide
// what they do, or have it excused, by means that they have read in our source.
// They are counted apart from the others: there is no proof to look for, and
// being told that little was seen is half a success.
const integrity = "integrity"

// buys tells whether the example tries to buy its verdict.
func (e *example) buys() bool { return e.Malicious && e.Class == integrity }

// weigh decides by the verdict alone whether it was bought. A server that does
// not even start shows nothing.
func (out *result) weigh(r *mcpsf.Report) *result {
	v := &r.Verdict
	said := fmt.Sprintf("malicious: %s %d, confidence: %s", v.Behaviour.Band, v.Behaviour.Score, v.Confidence.Level)
	switch {
	case !r.Session.Initialized:
		out.outcome = broken
		out.reasons = []string{"the server did not run: " + r.Session.Closed + " " + r.Session.Ending}
	case aboveLow(v.Behaviour.Band) || v.Incomplete():
		out.outcome = caught
	case v.Limited():
		out.outcome, out.reasons = limited, append([]string{said}, v.Confidence.Reasons...)
	default:
		out.outcome, out.reasons = bought, append([]string{said}, findingsIn(r.Findings, mcpsf.SeverityLow)...)
	}
	out.reasons = out.reasons[:min(len(out.reasons), maxReasons)]
	return out
}

// integrityFigures count the servers that try to buy their verdict, and their
// honest twins.
type integrityFigures struct {
	malicious, caught, limited, bought int
	// alarms are the twins above LOW, unsure those whose confidence is not high.
	twins, alarms, unsure int
}

func (f integrityFigures) share() float64 { return share(f.caught, f.malicious) }

// measureIntegrity counts the class integrity. A twin of another class is
// counted here, too.
func measureIntegrity(results []*result) integrityFigures {
	twins := map[string]bool{}
	for _, r := range results {
		if r.buys() {
			twins[r.Twin] = true
		}
	}
	var f integrityFigures
	for _, r := range results {
		switch {
		case r.buys():
			f.malicious++
			f.caught += one(r.outcome == caught)
			f.limited += one(r.outcome == limited)
			f.bought += one(r.outcome == bought)
		case !r.harmful() && (r.Class == integrity || twins[r.Name]):
			f.twins++
			f.alarms += one(aboveLow(r.band))
			f.unsure += one(r.confidence != mcpsf.ConfidenceHigh)
		}
	}
	return f
}

// split tells the class integrity from the others.
func split(results []*result) (others, ofIntegrity []*result) {
	for _, r := range results {
		if r.Class == integrity {
			ofIntegrity = append(ofIntegrity, r)
		} else {
			others = append(others, r)
		}
	}
	return others, ofIntegrity
}
