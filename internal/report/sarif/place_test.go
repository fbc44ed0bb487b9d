package sarif

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestSARIFLocation(t *testing.T) {
	local := func(source string, command ...string) mcpsf.Report {
		return mcpsf.Report{Target: mcpsf.Target{Source: source}, Artifact: mcpsf.Artifact{Kind: "local", Name: "x", Runtime: mcpsf.RuntimePython, Command: command}}
	}
	npm := mcpsf.Report{Artifact: mcpsf.Artifact{Kind: "npm", Name: "@scope/name", Runtime: mcpsf.RuntimeNode, Command: []string{"/usr/bin/thing"}}}
	remote := mcpsf.Report{Target: mcpsf.Target{Source: "https://host.example/mcp?key=1"}, Artifact: mcpsf.Artifact{Kind: "remote", Name: "host.example", Runtime: mcpsf.RuntimeElsewhere}}
	requirements := local("./dir", "python3", "-m", "thing")
	requirements.Artifact.Install = &mcpsf.Install{Requirements: "requirements.txt"}
	for name, tt := range map[string]struct {
		report mcpsf.Report
		want   string
	}{
		"file in a directory":    {local("./servers/a", "python3", "server.py"), "servers/a/server.py"},
		"the file itself":        {local("./servers/server.py", "python3", "server.py"), "servers/server.py"},
		"file here":              {local("server.py", "python3", "server.py"), "server.py"},
		"here":                   {local(".", "python3", "src/server.py"), "src/server.py"},
		"by the sandbox's path":  {local("a", "python3", "-u", mcpsf.WorkDir+"/server.py"), "a/server.py"},
		"module":                 {local("a", "python3", "-m", "thing"), "a/pyproject.toml"},
		"requirements":           {requirements, "dir/requirements.txt"},
		"absolute":               {local("/home/me/a", "python3", "server.py"), "server.py"},
		"outside":                {local("../../a", "python3", "server.py"), "server.py"},
		"climbing entry":         {local("a", "node", "../../../etc/x.js"), "a/etc/x.js"},
		"published":              {npm, "npm/@scope/name/package.json"},
		"elsewhere":              {remote, "remote/host.example/server"},
		"odd characters":         {local("a b", "node", "é\u202e?#%.js"), "a%20b/%C3%A9%E2%80%AE%3F%23%25.js"},
		"what looks like a host": {local("a:b", "node", "x.js"), "./a:b/x.js"},
		"nothing known":          {mcpsf.Report{}, "package/unnamed/server"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newRun(&tt.report)
			if diff := cmp.Diff(tt.want, b.location(&mcpsf.Finding{}).Physical.ArtifactLocation.URI); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecuritySeverity(t *testing.T) {
	for _, tt := range []struct {
		severity mcpsf.Severity
		grade    mcpsf.Grade
		want     string
	}{
		{mcpsf.SeverityCritical, mcpsf.GradeProved, "9.5"},
		{mcpsf.SeverityCritical, mcpsf.GradeSuspected, "8.0"},
		{mcpsf.SeverityHigh, mcpsf.GradeAttempted, "8.0"},
		{mcpsf.SeverityLow, mcpsf.GradeProved, "3.0"},
		{mcpsf.SeverityLow, mcpsf.GradeSuspected, ""},
		{mcpsf.SeverityInfo, mcpsf.GradeProved, ""},
		{"strange", mcpsf.GradeSuspected, ""},
	} {
		if got := securitySeverity(&mcpsf.Finding{Severity: tt.severity, Grade: tt.grade}); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.severity, tt.grade, got, tt.want)
		}
	}
}
