package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func access(kind mcpsf.AccessKind, name string, by mcpsf.Explainer) mcpsf.Access {
	return mcpsf.Access{Kind: kind, Name: name, Phase: mcpsf.PhaseDrive, Explanation: mcpsf.Explanation{By: by}}
}

func run() *mcpsf.Report {
	install := access(mcpsf.AccessProgram, "/usr/bin/curl", mcpsf.ByNobody)
	install.Phase = mcpsf.PhaseInstall
	usual := access(mcpsf.AccessHost, "packages.example:443", mcpsf.ByNature)
	usual.Phase = mcpsf.PhaseInstall
	return &mcpsf.Report{
		Artifact: mcpsf.Artifact{Kind: "npm", Name: "weather", Version: "1.0.0", Digest: "sha256:aa"},
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandPass},
		Session: mcpsf.Session{
			Tools: []mcpsf.Tool{{
				Name: "get", Description: "gets", Annotations: json.RawMessage(`{"readOnlyHint":true}`),
				InputSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","maxLength":80}},"required":["city"]}`),
			}},
			Prompts:   []mcpsf.Prompt{{Name: "plan", Description: "plans"}},
			Templates: []mcpsf.Template{{URI: "w://{city}"}},
		},
		Declared: mcpsf.Declared{Inputs: []mcpsf.Tool{
			{Name: "prompt plan", InputSchema: json.RawMessage(`{"properties":{"day":{"type":"string"}}}`)},
			{Name: "resource w://today"},
		}},
		Accesses: []mcpsf.Access{
			install, usual,
			access(mcpsf.AccessProgram, "/usr/bin/node", mcpsf.ByNature),
			access(mcpsf.AccessHost, "api.weather.example:443", mcpsf.ByPurpose),
			access(mcpsf.AccessHost, "www.seven.example:80", mcpsf.ByArgument),
			access(mcpsf.AccessRead, "/usr/", mcpsf.ByNature),
			access(mcpsf.AccessRead, "/srv/w", mcpsf.ByPurpose),
			access(mcpsf.AccessWrite, "/tmp/", mcpsf.ByNature),
			access(mcpsf.AccessVariable, "TMPDIR", mcpsf.ByNature),
			access(mcpsf.AccessVariable, "WEATHER_KEY", mcpsf.ByPurpose),
		},
		Findings: []mcpsf.Finding{{ID: "host-contact", Fingerprint: "01", Severity: mcpsf.SeverityInfo, Message: "It went out."}},
		Waived:   []mcpsf.Waived{{Finding: mcpsf.Finding{ID: "decoy-read", Fingerprint: "02", Severity: mcpsf.SeverityHigh}}},
	}
}

func agreed() *Lock {
	var l Lock
	l.Put(run())
	return &l
}

func TestGolden(t *testing.T) {
	l := agreed()
	other := run()
	other.Artifact.Name = "a\u202eb\nc"
	other.Session.Tools[0].Name = "g\x1b[31m\u00e9t\U0001f600"
	l.Put(other)
	name := filepath.Join(t.TempDir(), FileName)
	if err := Write(name, l); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/two.lock", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/two.lock")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got); if that is right, run go test -update:\n%s", diff)
	}
	back, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*mcpsf.Report{run(), other} {
		if got := Check(back, r); len(got) > 0 {
			t.Errorf("differs from itself: %+v", got)
		}
	}
}

func TestCheck(t *testing.T) {
	add := func(a mcpsf.Access) func(*mcpsf.Report) {
		return func(r *mcpsf.Report) { r.Accesses = append(r.Accesses, a) }
	}
	schema := func(s string) func(*mcpsf.Report) {
		return func(r *mcpsf.Report) { r.Session.Tools[0].InputSchema = json.RawMessage(s) }
	}
	later := access(mcpsf.AccessHost, "evil.example:443", mcpsf.ByNobody)
	later.Phase = mcpsf.PhaseInstall
	for _, tt := range []struct {
		name   string
		change func(*mcpsf.Report)
		want   []string // "! " marks what fails
	}{
		{"nothing", func(*mcpsf.Report) {}, nil},
		{"another server", func(r *mcpsf.Report) { r.Artifact.Name = "w" }, []string{"! the server npm:w is not in the lock"}},
		{"new version", func(r *mcpsf.Report) { r.Artifact.Version, r.Artifact.Digest = "1.1.0", "sha256:bb" }, []string{`the version is "1.1.0", was "1.0.0"`}},
		{"other files", func(r *mcpsf.Report) { r.Artifact.Digest = "sha256:bb" }, []string{`the files are others: sha256:bb, was sha256:aa`}},
		{"wording", func(r *mcpsf.Report) { r.Session.Tools[0].Description = "fetches" }, []string{`tool get is described in other words`}},
		{"new tool", func(r *mcpsf.Report) { r.Session.Tools = append(r.Session.Tools, mcpsf.Tool{Name: "run"}) }, []string{`! tool run is new`}},
		{"tool gone", func(r *mcpsf.Report) { r.Session.Tools = nil }, []string{`tool get is gone`}},
		{"new parameter", schema(`{"type":"object","properties":{"city":{"type":"string","maxLength":80},"path":{"type":"string"}},"required":["city"]}`), []string{`! tool get has a new parameter "path"`}},
		{"narrower", schema(`{"type":"object","properties":{"city":{"type":"string","maxLength":8}},"required":["city"]}`), []string{`tool get its parameter "city" has maxLength 8, was 80`}},
		{"new prompt", func(r *mcpsf.Report) { r.Session.Prompts = append(r.Session.Prompts, mcpsf.Prompt{Name: "p"}) }, []string{`! prompt p is new`}},
		{"new family", func(r *mcpsf.Report) {
			r.Session.Templates = append(r.Session.Templates, mcpsf.Template{URI: "file://{path}"})
		}, []string{`! resource file://{path} is new`}},
		{"other resource", func(r *mcpsf.Report) { r.Declared.Inputs[1].Name = "resource w://tomorrow" }, nil},
		{"new host", add(access(mcpsf.AccessHost, "evil.example:443", mcpsf.ByPurpose)), []string{`! it speaks to evil.example:443`}},
		{"other host that is named to it", add(access(mcpsf.AccessHost, "www.eight.example:80", mcpsf.ByArgument)), nil},
		{"new program", add(access(mcpsf.AccessProgram, "/bin/sh", mcpsf.ByPurpose)), []string{`! it runs /bin/sh`}},
		{"new program of its own", add(access(mcpsf.AccessProgram, mcpsf.WorkDir+"/helper", mcpsf.ByNature)), []string{`! it runs /home/dev/code/server/helper`}},
		{"another interpreter", add(access(mcpsf.AccessProgram, "/opt/node", mcpsf.ByNature)), nil},
		{"a port of the moment", add(access(mcpsf.AccessListen, "127.0.0.1:40123", mcpsf.ByNature)), nil},
		{"new read", add(access(mcpsf.AccessRead, "/home/dev/.ssh/id_rsa", mcpsf.ByNobody)), []string{`! it reads /home/dev/.ssh/id_rsa`}},
		{"new read of the system", add(access(mcpsf.AccessRead, "/opt/", mcpsf.ByNature)), nil},
		{"at its installation", add(later), []string{`! it speaks to evil.example:443 while it is installed`}},
		{"host gone", func(r *mcpsf.Report) { r.Accesses = r.Accesses[:3] }, []string{
			"it no longer speaks to (what the caller names)", "it no longer speaks to api.weather.example:443",
			"it no longer reads /srv/w", "it no longer asks for the variable WEATHER_KEY", "it no longer writes to /tmp/",
		}},
		{"new finding", func(r *mcpsf.Report) {
			r.Findings = append(r.Findings, mcpsf.Finding{ID: "secret-exfiltration", Fingerprint: "03", Severity: mcpsf.SeverityCritical, Message: "It sent it."})
		}, []string{"! a finding (critical, secret-exfiltration): It sent it."}},
		{"remark", func(r *mcpsf.Report) {
			r.Findings = append(r.Findings, mcpsf.Finding{ID: "note", Fingerprint: "03", Severity: mcpsf.SeverityInfo, Message: "So it is."})
		}, []string{"a finding (info, note): So it is."}},
		{"counts again", func(r *mcpsf.Report) { r.Findings, r.Waived = append(r.Findings, r.Waived[0].Finding), nil }, nil},
		{"finding gone", func(r *mcpsf.Report) { r.Findings = nil }, []string{"no longer found: host-contact 01"}},
		{"a run that saw little", func(r *mcpsf.Report) {
			r.Findings, r.Verdict.Band = nil, mcpsf.BandInconclusive
			r.Session.Tools = []mcpsf.Tool{{Name: "run"}}
		}, []string{"! tool run is new"}},
	} {
		r := run()
		tt.change(r)
		var got []string
		for _, d := range Check(agreed(), r) {
			got = append(got, map[bool]string{true: "! "}[d.Fails]+d.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestReadMistakes(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("no file: %v", err)
	}
	for _, in := range []string{
		"", "{}", "[]", `{"lock_version":2}`, `{"lock_version":1,"more":1}`, `{"lock_version":1} x`,
		`{"lock_version":1,"servers":` + strings.Repeat("[", 100000), "<<<<<<< ours\n",
	} {
		name := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(name, []byte(in), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(name); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("%.20q: %v, want an error of the user's", in, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	if data, err := os.ReadFile("testdata/two.lock"); err == nil {
		f.Add(data)
	}
	f.Add([]byte(`{"lock_version":1,"servers":{"npm:weather":{"tools":{"get":{"parameters":{"":{"types":null}}}}}}}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if l, err := Parse(bytes.NewReader(data)); err == nil {
			Check(l, run())
		}
	})
}
