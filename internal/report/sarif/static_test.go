package sarif

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestSARIFPlacesOfStaticFindings(t *testing.T) {
	for name, tt := range map[string]struct {
		finding mcpsf.Finding
		uri     string
		line    int
	}{
		"a line":             {mcpsf.Finding{File: "src/a.js", Line: 7}, "d/src/a.js", 7},
		"a file":             {mcpsf.Finding{File: "package-lock.json", Package: "pkg:npm/a@1"}, "d/package-lock.json", 0},
		"a package":          {mcpsf.Finding{Package: "pkg:npm/a@1"}, "d/server.js", 0},
		"what was installed": {mcpsf.Finding{File: "installed/code/server/node_modules/a/package.json"}, "d/node_modules/a/package.json", 0},
		"beside the package": {mcpsf.Finding{File: ".installed/.local/lib/a.py", Line: 3}, "d/.installed/.local/lib/a.py", 3},
		"outside":            {mcpsf.Finding{File: "../../../etc/passwd", Line: -4}, "etc/passwd", 0},
		"what happened":      {mcpsf.Finding{Evidence: []int64{1}}, "d/server.js", 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := &mcpsf.Report{Target: mcpsf.Target{Source: "d"}, Artifact: mcpsf.Artifact{Kind: "local", Command: []string{"node", "server.js"}}}
			at := newRun(r).location(&tt.finding).Physical
			line := 0
			if at.Region != nil {
				line = at.Region.StartLine
			}
			if at.ArtifactLocation.URI != tt.uri || line != tt.line {
				t.Errorf("%s:%d, want %s:%d", at.ArtifactLocation.URI, line, tt.uri, tt.line)
			}
		})
	}
}
