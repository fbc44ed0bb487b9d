package verdict

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A suspicion that stays open limits the confidence, and never raises it.
func TestUnsettledLimitsConfidence(t *testing.T) {
	open := []mcpsf.Finding{{ID: "call-data-to-unexplained-host", Title: "T"}, {ID: "call-data-to-unexplained-host", Title: "T"}}
	for _, tt := range []struct {
		level    mcpsf.ConfidenceLevel
		findings []mcpsf.Finding
		want     mcpsf.ConfidenceLevel
		reasons  int
	}{
		{mcpsf.ConfidenceHigh, open, mcpsf.ConfidenceMedium, 1},
		{mcpsf.ConfidenceLow, open, mcpsf.ConfidenceLow, 1},
		{mcpsf.ConfidenceHigh, []mcpsf.Finding{{ID: "rug-pull"}}, mcpsf.ConfidenceHigh, 0},
	} {
		c := mcpsf.Confidence{Level: tt.level}
		if limit(&c, tt.findings); c.Level != tt.want || len(c.Reasons) != tt.reasons {
			t.Errorf("%+v: %+v", tt, c)
		}
	}
}
