package verdict

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// unsettled are the rules whose suspicion the run can neither prove nor refute:
// what was sent or returned may be what it looks like, or a theft.
func unsettled() []string {
	return []string{"call-data-to-unexplained-host", "opaque-token-in-result"}
}

// limit lowers a high confidence where a suspicion stays open.
func limit(c *mcpsf.Confidence, findings []mcpsf.Finding) {
	named := map[string]bool{}
	for _, f := range findings {
		if named[f.ID] || !slices.Contains(unsettled(), f.ID) {
			continue
		}
		named[f.ID] = true
		c.Reasons = append(c.Reasons, "not settled: "+f.Title)
		if c.Level == mcpsf.ConfidenceHigh {
			c.Level = mcpsf.ConfidenceMedium
		}
	}
}
