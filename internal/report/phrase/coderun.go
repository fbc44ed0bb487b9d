package phrase

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// CodeRun says how much of the server's own code ran, nothing if that is not
// known.
func CodeRun(c *mcpsf.CodeCoverage) []string {
	if c == nil {
		return nil
	}
	facts := []string{fmt.Sprintf("its own code: %d of %s ran", c.Ran, wording.Count(c.Functions, "function"))}
	if c.NotRun > 0 {
		facts = append(facts, wording.Count(c.NotRun, "place")+" with network, files or programs did not run")
	}
	return facts
}
