package summary

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// limited stands beside the band of a run that saw less than it should have.
const limited = "limited"

// Band is the band of a verdict, "limited" beside it if the confidence is not
// high. INCONCLUSIVE says that by itself.
func Band(v *mcpsf.Verdict) string {
	s := safetext.Clean(string(v.Band))
	if v.Limited() && v.Band != mcpsf.BandInconclusive {
		s += ", " + limited
	}
	return s
}

// BandAndScore is [Band] with the score. INCONCLUSIVE has none: a partial score
// would be taken for a final one.
func BandAndScore(v *mcpsf.Verdict) string {
	if v.Band == mcpsf.BandInconclusive {
		return string(v.Band)
	}
	s := fmt.Sprintf("%s %s", safetext.Clean(string(v.Band)), score(v.Score))
	if v.Limited() {
		s += ", " + limited
	}
	return s
}

func score(n int) string { return fmt.Sprintf("%d/100", min(max(n, 0), 100)) }

// Answers are the answers to both questions and the confidence, a clause each;
// nil for a report that has none.
func Answers(v *mcpsf.Verdict) []string {
	if v.Behaviour.Band == "" {
		return nil
	}
	return []string{"malicious: " + answer(v.Behaviour), "weak: " + answer(v.Weakness), "confidence: " + safetext.Clean(string(v.Confidence.Level))}
}

func answer(a mcpsf.Answer) string {
	if a.Band == mcpsf.BandInconclusive {
		return string(a.Band)
	}
	return safetext.Clean(string(a.Band)) + " " + fmt.Sprint(min(max(a.Score, 0), 100))
}
