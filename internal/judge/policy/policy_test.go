package policy

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
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	for name, r := range samples() {
		for _, f := range All() {
			t.Run(name+"/"+string(f), func(t *testing.T) {
				golden(t, name+"."+string(f)+".txt", written(t, f, r))
			})
		}
	}
}

// Whatever names a target uses, the output stays valid: JSON, YAML, comment
// lines; and no part of a name becomes a key or a word.
func TestHostileNames(t *testing.T) {
	r := hostile()
	for _, f := range All() {
		out := string(written(t, f, r))
		if strings.ContainsAny(out, "\x1b\r\u202e\u3164\x00") {
			t.Errorf("%s: raw control characters:\n%q", f, out)
		}
		for line := range strings.SplitSeq(out, "\n") {
			if strings.HasPrefix(strings.TrimLeft(line, " \\"), "injected") {
				t.Errorf("%s: a line of the target's own: %q", f, line)
			}
		}
	}
	for _, f := range []Format{FormatToolHive, FormatSeccomp, FormatVSCode} {
		var doc map[string]any
		if err := json.Unmarshal(withoutComments(written(t, f, r)), &doc); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		delete(doc, "//")
		if text, _ := json.Marshal(doc); bytes.Contains(text, []byte("injected")) {
			t.Errorf("%s: the name is in the settings: %s", f, text)
		}
	}
	var doc any
	if err := yaml.Unmarshal(written(t, FormatDocker, r), &doc); err != nil {
		t.Fatal(err)
	}
	if text, _ := json.Marshal(doc); bytes.Contains(text, []byte("injected")) {
		t.Errorf("docker: the name is in the settings: %s", text)
	}
	_, script, _ := strings.Cut(string(written(t, FormatLandlock, r)), "exec landrun")
	if strings.Contains(script, "injected") {
		t.Errorf("landlock: the name is in the script: %s", script)
	}
}

func TestNothingUnexplainedIsGranted(t *testing.T) {
	r := thief()
	for _, f := range []Format{FormatToolHive, FormatDocker, FormatLandlock} {
		body := withoutComments(written(t, f, r))
		if f == FormatToolHive {
			var doc map[string]any
			if err := json.Unmarshal(body, &doc); err != nil {
				t.Fatal(err)
			}
			delete(doc, "//")
			body, _ = json.Marshal(doc)
		}
		for _, secret := range []string{".ssh", ".aws", "collector.example", "/usr/bin/nc", "STRIPE_KEY", "api.argument.example"} {
			if bytes.Contains(body, []byte(secret)) {
				t.Errorf("%s grants %s:\n%s", f, secret, body)
			}
		}
	}
}

func TestPartialIsSaidFirst(t *testing.T) {
	r := thief()
	r.Verdict = mcpsf.Verdict{Band: mcpsf.BandInconclusive, Reasons: []string{"a monitor did not run"}}
	for _, f := range All() {
		first, _, _ := strings.Cut(strings.TrimLeft(string(written(t, f, r)), "{ \n\"/:[#"), "\n")
		if !strings.HasPrefix(first, "PARTIAL: the run was inconclusive") {
			t.Errorf("%s begins with %q", f, first)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		access mcpsf.Access
		want   string // "" means granted
	}{
		{"nature", access(mcpsf.AccessRead, "/usr/", mcpsf.ByNature), ""},
		{"nobody", access(mcpsf.AccessRead, "/srv/x", mcpsf.ByNobody), "nobody explains it"},
		{"no explainer at all", access(mcpsf.AccessRead, "/srv/x", ""), "nobody explains it"},
		{"everything", access(mcpsf.AccessRead, "/", mcpsf.ByPurpose), "it is too much to grant at once"},
		{"everything, twice", access(mcpsf.AccessRead, "//", mcpsf.ByNature), "it is too much to grant at once"},
		{"all of home", access(mcpsf.AccessWrite, mcpsf.Home+"/", mcpsf.ByPurpose), "it is too much to grant at once"},
		{"all hosts", access(mcpsf.AccessHost, "*", mcpsf.ByPurpose), "there were too many to list"},
		{"dot dot", access(mcpsf.AccessRead, "/srv/../etc", mcpsf.ByPurpose), "its name cannot be written down safely"},
		{"a command", access(mcpsf.AccessRead, "/srv/$(id)", mcpsf.ByPurpose), "its name cannot be written down safely"},
		{"our placeholder", access(mcpsf.AccessRead, "${HOME}", mcpsf.ByPurpose), "its name cannot be written down safely"},
		{"a port that is none", access(mcpsf.AccessHost, "a.example:99999", mcpsf.ByPurpose), "its name cannot be written down safely"},
		{"a glob of hosts", access(mcpsf.AccessHost, "*.example:443", mcpsf.ByPurpose), "its name cannot be written down safely"},
		{"version 6", access(mcpsf.AccessHost, "2001:db8::1:443", mcpsf.ByPurpose), ""},
		{"a variable that is none", access(mcpsf.AccessVariable, "A=B", mcpsf.ByConfiguration), "its name cannot be written down safely"},
		{"random", access(mcpsf.AccessWrite, "/srv/x-#/", mcpsf.ByPurpose), "its name differs from run to run"},
		{"accused", access(mcpsf.AccessHost, "evil.example:443", mcpsf.ByPurpose), "the finding secret-exfiltration is about it"},
		{"accused in other letters", access(mcpsf.AccessHost, "Evil.Example:443", mcpsf.ByConfiguration), "the finding secret-exfiltration is about it"},
		{"a document", planted(mcpsf.DecoyDocument, access(mcpsf.AccessRead, mcpsf.Home+"/Documents/a", mcpsf.ByPurpose)), "it is a document of the user's"},
		{"accused is another", access(mcpsf.AccessHost, "l.example:443", mcpsf.ByPurpose), ""},
	} {
		r := &mcpsf.Report{
			Accesses: []mcpsf.Access{tt.access},
			Findings: []mcpsf.Finding{{ID: "secret-exfiltration", Severity: mcpsf.SeverityHigh, Message: "It was sent to evil.example."}},
		}
		n, err := Of(r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, n.Uses[0].Refused); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The profile has only fields that a runtime knows.
func TestSeccompIsOCI(t *testing.T) {
	for name, r := range samples() {
		var doc map[string]json.RawMessage
		if err := json.Unmarshal(written(t, FormatSeccomp, r), &doc); err != nil {
			t.Fatal(err)
		}
		delete(doc, "//")
		bare, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(bytes.NewReader(bare))
		dec.DisallowUnknownFields()
		var profile specs.LinuxSeccomp
		if err := dec.Decode(&profile); err != nil || len(profile.Syscalls) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRemoteHasNoPolicy(t *testing.T) {
	err := Write(&bytes.Buffer{}, FormatTable, &mcpsf.Report{Coverage: mcpsf.Coverage{Remote: true}})
	if mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v, want an error of the user's", err)
	}
	if err := Write(&bytes.Buffer{}, "apparmor", thief()); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v, want an error of the user's", err)
	}
}

func FuzzWrite(f *testing.F) {
	for _, a := range append(thief().Accesses, hostile().Accesses...) {
		f.Add(string(a.Kind), a.Tool, a.Name, string(a.Explanation.By), a.Planted)
	}
	f.Fuzz(func(t *testing.T, kind, tool, name, by, planted string) {
		r := thief()
		a := access(mcpsf.AccessKind(kind), name, mcpsf.Explainer(by))
		a.Tool, a.Planted = tool, planted
		r.Accesses = append(r.Accesses, a)
		for _, format := range All() {
			out := written(t, format, r)
			if format == FormatToolHive || format == FormatSeccomp || format == FormatVSCode {
				if !json.Valid(withoutComments(out)) {
					t.Fatalf("%s is no JSON:\n%s", format, out)
				}
			}
			if format == FormatDocker && yaml.Unmarshal(out, new(any)) != nil {
				t.Fatalf("no YAML:\n%s", out)
			}
		}
	})
}

func written(t *testing.T, f Format, r *mcpsf.Report) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, f, r); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(buf.String(), "\n") {
		if f == FormatTable && ansi.StringWidth(line) > tableWidth {
			t.Errorf("a line of %d columns: %q", ansi.StringWidth(line), line)
		}
	}
	return buf.Bytes()
}

// withoutComments removes comment lines.
func withoutComments(data []byte) []byte {
	var keep []string
	for line := range strings.SplitSeq(string(data), "\n") {
		if !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "#") {
			keep = append(keep, line)
		}
	}
	return []byte(strings.Join(keep, "\n"))
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
