package summary

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// Advice about a theft is three lines that name what was stolen and where it went.
func TestTheft(t *testing.T) {
	stolen := mcpsf.Finding{
		ID: "x", Tool: "get", Severity: mcpsf.SeverityCritical, Remediation: "Something else.",
		Maps: mcpsf.Maps{ATTACK: []string{"T1552.001", "T1048.003"}},
	}
	access := func(kind mcpsf.AccessKind, tool, name, planted string) mcpsf.Access {
		return mcpsf.Access{Kind: kind, Tool: tool, Name: name, Planted: planted}
	}
	r := &mcpsf.Report{
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandCritical, Behaviour: mcpsf.Answer{Band: mcpsf.BandCritical, Score: 100}, Action: "do not deploy"},
		Findings: []mcpsf.Finding{stolen},
		Accesses: []mcpsf.Access{
			access(mcpsf.AccessRead, "get", mcpsf.Home+"/.ssh/id_rsa", "ssh-key"),
			access(mcpsf.AccessRead, "get", "/etc/hosts", ""),
			access(mcpsf.AccessRead, "other", mcpsf.Home+"/.npmrc", "npm-token"),
			access(mcpsf.AccessHost, "get", "c.example:443", ""),
			access(mcpsf.AccessHost, "get", "c.example:80", ""),
			access(mcpsf.AccessHost, "get", "[2001:db8::1]:443", ""),
		},
	}
	want := []string{
		"Stop this server wherever it runs, and do not deploy it.",
		"Revoke and replace what it read: ~/.ssh/id_rsa.",
		"Block c.example, 2001:db8::1 and search your logs for it.",
	}
	if diff := cmp.Diff(want, Recommendations(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r.Findings[0].Maps = mcpsf.Maps{}
	if got := theft(r); got != nil {
		t.Errorf("no theft, but %q", got)
	}
}
