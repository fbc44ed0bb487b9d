package phrase

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestCodeRun(t *testing.T) {
	for want, c := range map[string]*mcpsf.CodeCoverage{
		"":                                     nil,
		"its own code: 41 of 52 functions ran": {Functions: 52, Ran: 41},
		"its own code: 0 of 1 function ran; 2 places with network, files or programs did not run": {Functions: 1, NotRun: 2},
	} {
		if got := strings.Join(CodeRun(c), "; "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
