package compare

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func seen(kind mcpsf.AccessKind, tool, name string, by mcpsf.Explainer) mcpsf.Access {
	return mcpsf.Access{Kind: kind, Tool: tool, Name: name, Phase: mcpsf.PhaseDrive, Count: 1, Explanation: mcpsf.Explanation{By: by}}
}

func first() *mcpsf.Report {
	return &mcpsf.Report{
		Run:      mcpsf.Run{ID: "20260102-030405-7f3a"},
		Artifact: mcpsf.Artifact{Name: "weather", Version: "1.0.0", Digest: "sha256:aa"},
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandPass},
		Session: mcpsf.Session{
			Tools: []mcpsf.Tool{
				{Name: "get", Description: "gets", InputSchema: json.RawMessage(`{"properties":{"city":{"type":"string"}}}`)},
				{Name: "old"},
			},
			Prompts: []mcpsf.Prompt{{Name: "plan"}},
		},
		Installation: &mcpsf.Installation{Manager: mcpsf.ManagerNPM, Packages: []string{
			"npm @a/b@1.0.0 sha512-x", "npm same@1.0.0 sha512-s", "npm swapped@1.0.0 sha512-1", "npm less@0.1.0 sha512-l",
		}},
		Accesses: []mcpsf.Access{
			seen(mcpsf.AccessProgram, "", "/usr/bin/node", mcpsf.ByNature),
			seen(mcpsf.AccessRead, "", "/usr/", mcpsf.ByNature),
			seen(mcpsf.AccessHost, "get", "www.seven.example:80", mcpsf.ByArgument),
			seen(mcpsf.AccessHost, "get", "127.0.0.1:40001", mcpsf.ByNature),
			seen(mcpsf.AccessRead, "old", "/srv/w", mcpsf.ByPurpose),
		},
		Findings: []mcpsf.Finding{
			{ID: "slow", Fingerprint: "01", Severity: mcpsf.SeverityLow, Grade: mcpsf.GradeProved, Message: "It was slow."},
			{ID: "odd", Fingerprint: "02", Severity: mcpsf.SeverityMedium, Grade: mcpsf.GradeSuspected, Message: "It looked odd."},
		},
	}
}

func second() *mcpsf.Report {
	r := first()
	r.Run.ID = "20260203-040506-8a4b"
	r.Artifact.Version, r.Artifact.Digest = "1.1.0", "sha256:bb"
	r.Verdict = mcpsf.Verdict{Band: mcpsf.BandCritical, Score: 95}
	r.Session.Tools[0] = mcpsf.Tool{Name: "get", Description: "fetches", InputSchema: json.RawMessage(`{"properties":{"city":{"type":"string"},"path":{"type":"string"}}}`)}
	r.Session.Tools[1] = mcpsf.Tool{Name: "run"}
	r.Session.Templates = []mcpsf.Template{{URI: "w://{city}"}}
	r.Installation.Packages = []string{"npm @a/b@2.0.0 sha512-y", "npm same@1.0.0 sha512-s", "npm swapped@1.0.0 sha512-2", "npm more@0.1.0 sha512-m"}
	install := seen(mcpsf.AccessProgram, "", "/usr/bin/curl", mcpsf.ByNobody)
	install.Phase = mcpsf.PhaseInstall
	read := seen(mcpsf.AccessRead, "get", "/home/dev/.ssh/id_rsa", mcpsf.ByNobody)
	read.Planted = "ssh-key"
	r.Accesses = []mcpsf.Access{
		install, read,
		seen(mcpsf.AccessProgram, "", "/usr/bin/node", mcpsf.ByNature),
		seen(mcpsf.AccessRead, "", "/opt/", mcpsf.ByNature),
		seen(mcpsf.AccessHost, "get", "www.eight.example:80", mcpsf.ByArgument),
		seen(mcpsf.AccessHost, "get", "127.0.0.1:40002", mcpsf.ByNature),
		seen(mcpsf.AccessHost, "get", "collector.example:443", mcpsf.ByNobody),
	}
	r.Findings = []mcpsf.Finding{
		{ID: "secret-exfiltration", Fingerprint: "03", Severity: mcpsf.SeverityCritical, Grade: mcpsf.GradeProved, Message: `"/home/dev/.ssh/id_rsa" was sent to collector.example in a call of "get"`},
		{ID: "odd", Fingerprint: "02", Severity: mcpsf.SeverityMedium, Grade: mcpsf.GradeProved, Message: "It looked odd."},
	}
	r.Waived = []mcpsf.Waived{{Finding: mcpsf.Finding{ID: "loud", Fingerprint: "04", Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved, Message: "It was loud."}}}
	return r
}

func TestGolden(t *testing.T) {
	hostile := second()
	for i := range hostile.Accesses {
		hostile.Accesses[i].Name += "\n- **new** `` <img src=x> @somebody #1 \x1b[31m\u202e" + strings.Repeat("x", 1000)
		hostile.Accesses[i].Tool = "t`\n# T"
	}
	hostile.Artifact.Name, hostile.Artifact.Version = "a\n# b", "1 <b>"
	hostile.Findings[0].Message, hostile.Findings[0].ID = "x\n\x1b]8;;http://a.example\a", "i\nd"
	hostile.Session.Tools[0].Name = "g\x00\u200b"
	hostile.Installation.Packages = append(hostile.Installation.Packages, "npm \n", "npm @", "", "x y z")
	for name, c := range map[string]*Comparison{
		"versions": Runs(first(), second()), "same": Runs(first(), first()), "back": Runs(second(), first()), "hostile": Runs(first(), hostile),
	} {
		for _, f := range All() {
			t.Run(name+"/"+string(f), func(t *testing.T) {
				var buf bytes.Buffer
				if err := Write(&buf, f, c); err != nil {
					t.Fatal(err)
				}
				check(t, f, buf.String())
				golden(t, name+"."+string(f)+".txt", buf.Bytes())
			})
		}
	}
}

func check(t *testing.T, f Format, out string) {
	t.Helper()
	for line := range strings.SplitSeq(out, "\n") {
		if f == FormatText && ansi.StringWidth(line) > width {
			t.Errorf("a line of %d columns: %q", ansi.StringWidth(line), line)
		}
		if strings.ContainsAny(line, "\x1b\x00\u202e\u200b\r") {
			t.Errorf("control characters: %q", line)
		}
	}
	if f == FormatJSON && !json.Valid([]byte(out)) {
		t.Error("no JSON")
	}
}

// What counts for the exit code: new and graver findings that nobody waived.
func TestCounting(t *testing.T) {
	var got []string
	for _, f := range Runs(first(), second()).Counting() {
		got = append(got, f.ID)
	}
	if diff := cmp.Diff([]string{"secret-exfiltration", "odd"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Runs(second(), first()).Counting(); len(got) != 1 || got[0].ID != "slow" {
		t.Errorf("backwards: %+v", got)
	}
	waived := first()
	waived.Waived, waived.Findings = []mcpsf.Waived{{Finding: waived.Findings[0]}}, waived.Findings[1:]
	if c := Runs(waived, first()); len(c.Findings) > 0 {
		t.Errorf("a finding that was waived then is no news: %+v", c.Findings)
	}
}

func TestCaveats(t *testing.T) {
	a, b := first(), second()
	a.Verdict.Band, b.Artifact.Name, b.Coverage.Calls.Tools, b.Coverage.Phases = mcpsf.BandInconclusive, "other", 2, []mcpsf.Phase{mcpsf.PhaseAttack}
	b.Tool.Version = "2"
	if got := Runs(a, b).Caveats; len(got) != 5 {
		t.Errorf("%d caveats: %q", len(got), got)
	}
	idle := second() // which phases a server does something in is its own affair
	idle.Coverage.Phases = append(idle.Coverage.Phases, mcpsf.PhaseIdle)
	if got := Runs(first(), idle).Caveats; len(got) != 0 {
		t.Errorf("caveats: %q", got)
	}
	if got := Runs(first(), second()).Caveats; len(got) != 0 {
		t.Errorf("caveats: %q", got)
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(&bytes.Buffer{}, "xml", Runs(first(), first())); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v, want an error of the user's", err)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test -update and look at the result", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test -update:\n%s", name, diff)
	}
}
