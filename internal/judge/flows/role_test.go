package flows

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// traits lists the traits of a tool as text.
func traits(r *mcpsf.Report, tool string) string {
	var list []string
	for _, t := range toolsOf(r) {
		for _, tr := range t.Traits {
			if t.Name == tool {
				list = append(list, fmt.Sprintf("%s %s %s", tr.Role, tr.Kind, tr.Level))
			}
		}
	}
	return strings.Join(list, ", ")
}

func TestRolesOfAccesses(t *testing.T) {
	const command = "untrusted command open, private command seen, out command open"
	home := mcpsf.Home
	for _, tt := range []struct {
		name   string
		access mcpsf.Access
		want   string
	}{
		{"any host", used("t", mcpsf.AccessHost, "a.example:443", mcpsf.ByArgument), "untrusted address open, out address open"},
		{"one host", used("t", mcpsf.AccessHost, "a.example:443", mcpsf.ByPurpose), "untrusted service seen, out service seen"},
		{"a host that nobody explains", used("t", mcpsf.AccessHost, "192.0.2.7:4444", mcpsf.ByNobody), "untrusted service seen, out service seen"},
		{"the machine itself", used("t", mcpsf.AccessHost, "127.0.0.1:8080", mcpsf.ByNature), ""},
		{"a database on it", used("t", mcpsf.AccessHost, "127.0.0.1:5432", mcpsf.ByNature), "untrusted database seen, private database seen"},
		{"the same in version 6", used("t", mcpsf.AccessHost, "::1:5432", mcpsf.ByNature), "untrusted database seen, private database seen"},
		{"a registry", used("t", mcpsf.AccessHost, "registry.example:5432", mcpsf.ByNature), ""},
		{"a database", used("t", mcpsf.AccessHost, "db.example:5432", mcpsf.ByConfiguration), "untrusted database seen, private database seen, out database seen"},
		{"a mailbox", used("t", mcpsf.AccessHost, "imap.example:993", mcpsf.ByConfiguration), "untrusted mail open, private mail seen"},
		{"mail", used("t", mcpsf.AccessHost, "smtp.example:587", mcpsf.ByConfiguration), "out mail open"},
		{"too many hosts", used("t", mcpsf.AccessHost, "*", mcpsf.ByArgument), "untrusted address open, out address open"},
		{"a file of the caller's choice", used("t", mcpsf.AccessRead, "/srv/x", mcpsf.ByArgument), "untrusted file seen, private file seen"},
		{"a configured folder", used("t", mcpsf.AccessRead, home+"/Documents", mcpsf.ByConfiguration), "untrusted file seen, private file seen"},
		{"the server's own file", used("t", mcpsf.AccessRead, mcpsf.WorkDir+"/server.py", mcpsf.ByConfiguration), ""},
		{"a folder beside it", used("t", mcpsf.AccessRead, mcpsf.WorkDir+"-data/x", mcpsf.ByConfiguration), "untrusted file seen, private file seen"},
		{"a key that nobody named", planted("ssh-key", used("t", mcpsf.AccessRead, home+"/.ssh/id_rsa", mcpsf.ByNobody)), "private secret seen"},
		{"a key that was named", planted("ssh-key", used("t", mcpsf.AccessRead, home+"/.ssh/id_rsa", mcpsf.ByArgument)), "untrusted file seen, private file seen"},
		{"a key of its service", planted("aws-credentials", used("t", mcpsf.AccessRead, home+"/.aws/credentials", mcpsf.ByPurpose)), ""},
		{"a document that nobody named", planted(mcpsf.DecoyDocument, used("t", mcpsf.AccessRead, home+"/Documents/a", mcpsf.ByNobody)), "private file seen"},
		{"settings that programs read", used("t", mcpsf.AccessRead, home+"/.gitconfig", mcpsf.ByNobody), ""},
		{"a database in a file", planted(mcpsf.DecoyDocument, used("t", mcpsf.AccessWrite, home+"/data/shop.db", mcpsf.ByConfiguration)), "untrusted database seen, private database seen"},
		{"a file that is written", used("t", mcpsf.AccessWrite, home+"/Documents/new.txt", mcpsf.ByArgument), ""},
		{"a file that others get", used("t", mcpsf.AccessWrite, home+"/Public/new.txt", mcpsf.ByArgument), "out shared seen"},
		{"a page", used("t", mcpsf.AccessWrite, "/var/www/html/x", mcpsf.ByNobody), "out shared seen"},
		{"a pipe", used("t", mcpsf.AccessRead, "pipe", mcpsf.ByNature), ""},
		{"the system", used("t", mcpsf.AccessRead, "/usr/", mcpsf.ByNature), ""},
		{"a shell that is declared", used("t", mcpsf.AccessProgram, "/usr/bin/bash", mcpsf.ByPurpose), command},
		{"an interpreter", used("t", mcpsf.AccessProgram, "/usr/bin/python3.11", mcpsf.ByPurpose), command},
		{"a program of the caller's choice", used("t", mcpsf.AccessProgram, "/usr/bin/tar", mcpsf.ByArgument), command},
		{"a program that is declared", used("t", mcpsf.AccessProgram, "/usr/bin/git", mcpsf.ByPurpose), ""},
		{"a shell that is not", used("t", mcpsf.AccessProgram, "/usr/bin/dash", mcpsf.ByNobody), ""},
		{"a secret variable", used("t", mcpsf.AccessVariable, "STRIPE_KEY", mcpsf.ByNobody), "private secret seen"},
		{"all variables", used("t", mcpsf.AccessVariable, "*", mcpsf.ByNobody), ""},
		{"its own variable", used("t", mcpsf.AccessVariable, "API_URL", mcpsf.ByConfiguration), ""},
		{"a port for others", used("t", mcpsf.AccessListen, "0.0.0.0:80", mcpsf.ByNobody), "out listener seen"},
		{"a port for itself", used("t", mcpsf.AccessListen, "127.0.0.1:80", mcpsf.ByNature), ""},
		{"no kind at all", used("t", "", "x", mcpsf.ByArgument), ""},
	} {
		if got := traits(server("s", tt.access), "t"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Accesses before any call count only where a call can return their data.
func TestRolesWithoutATool(t *testing.T) {
	install := used("t", mcpsf.AccessHost, "a.example:443", mcpsf.ByArgument)
	install.Phase = mcpsf.PhaseInstall
	for _, tt := range []struct {
		name   string
		access mcpsf.Access
		want   string
	}{
		{"documents", planted(mcpsf.DecoyDocument, used("", mcpsf.AccessRead, mcpsf.Home+"/Documents/a", mcpsf.ByConfiguration)), "private file seen"},
		{"a folder", used("", mcpsf.AccessRead, mcpsf.Home+"/Documents", mcpsf.ByConfiguration), ""},
		{"a database", used("", mcpsf.AccessHost, "db.example:3306", mcpsf.ByConfiguration), "untrusted database seen, private database seen"},
		{"a look for updates", used("", mcpsf.AccessHost, "a.example:443", mcpsf.ByPurpose), ""},
		{"mail", used("", mcpsf.AccessHost, "smtp.example:25", mcpsf.ByConfiguration), ""},
		{"a shell", used("", mcpsf.AccessProgram, "/bin/sh", mcpsf.ByPurpose), ""},
		{"the installation", install, ""},
	} {
		if got := traits(server("s", tt.access), ""); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A tool without a text argument cannot carry data to a fixed host.
func TestTextIsNeeded(t *testing.T) {
	r := server("s", used("t", mcpsf.AccessHost, "a.example:443", mcpsf.ByPurpose), used("t", mcpsf.AccessProgram, "/usr/bin/node", mcpsf.ByPurpose))
	r.Session.Tools[0].InputSchema = json.RawMessage(`{"type":"object","properties":{"page":{"type":"integer"}}}`)
	if got, want := traits(r, "t"), "untrusted service seen"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAccount(t *testing.T) {
	host := used("t", mcpsf.AccessHost, "a.example:443", mcpsf.ByPurpose)
	const with = "untrusted service seen, private account seen, out service seen"
	configured := server("s", host)
	configured.Target.Env = []string{"A_API_KEY=x"}
	for _, tt := range []struct {
		name   string
		report *mcpsf.Report
		want   string
	}{
		{"a variable", server("s", host, used("", mcpsf.AccessVariable, "A_TOKEN", mcpsf.ByConfiguration)), with},
		{"a configured one that no hook saw", configured, with},
		{"a file of the service", server("s", host, planted("aws-credentials", used("t", mcpsf.AccessRead, mcpsf.Home+"/.aws/credentials", mcpsf.ByNature))), with},
		{"no secret", server("s", host, used("", mcpsf.AccessVariable, "A_URL", mcpsf.ByConfiguration)), "untrusted service seen, out service seen"},
	} {
		if got := traits(tt.report, "t"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	for name, want := range map[string]bool{
		"API_TOKEN": true, "TOKEN_URL": true, "DB_PASSWORD": true, "AUTH_MODE": false, "API_KEY": true, "KEYBOARD": false, "KEY_COLOUR": false, "": false,
	} {
		if got := isCredential(name); got != want {
			t.Errorf("isCredential(%q) is %t", name, got)
		}
	}
}

func TestStore(t *testing.T) {
	if got, want := traits(notes(), "list"), "private store seen"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, dir := range []string{"/.cache/notes/", "/.local/share/", "/", "/.config/notes/"} {
		r := server("s", used("add", mcpsf.AccessWrite, mcpsf.Home+dir, mcpsf.ByNature), used("list", mcpsf.AccessRead, mcpsf.Home+dir, mcpsf.ByNature))
		if got := traits(r, "list"); got != "" {
			t.Errorf("%s: got %q", dir, got)
		}
	}
	r := server("s", used("list", mcpsf.AccessRead, mcpsf.Home+"/.local/share/notes/", mcpsf.ByNature))
	if got := traits(r, "list"); got != "" {
		t.Errorf("no call wrote there, and still: %q", got)
	}
}

func TestRolesOfFindings(t *testing.T) {
	r := server("s")
	offer(r, "t", textSchema, mcpsf.CallOK)
	f := mcpsf.Finding{ID: "path-traversal", Title: "A tool leaves its folder", Tool: "t", Grade: mcpsf.GradeProved, Evidence: []int64{12, 15}}
	suspected := mcpsf.Finding{ID: "os-command-injection", Tool: "t", Grade: mcpsf.GradeSuspected}
	r.Findings, r.Waived = []mcpsf.Finding{suspected, f}, []mcpsf.Waived{{Finding: mcpsf.Finding{ID: "ssrf", Tool: "t", Grade: mcpsf.GradeProved}}}
	if got, want := traits(r, "t"), "untrusted address open, private file seen, out address open"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, tool := range toolsOf(r) {
		want := &Trait{Role: Private, Kind: KindFile, Level: Seen, Count: 1, Evidence: []Evidence{{Why: "an attack worked: A tool leaves its folder", Event: 12, Finding: "path-traversal"}}}
		if diff := cmp.Diff(want, tool.Best(Private)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// What a tool states about itself is weaker than observed behaviour, and does
// not replace it.
func TestClaims(t *testing.T) {
	r := server("s", used("seen", mcpsf.AccessHost, "a.example:443", mcpsf.ByPurpose))
	offer(r, "reads", textSchema, mcpsf.CallOK)
	offer(r, "quiet", textSchema, mcpsf.CallOK)
	offer(r, "odd", textSchema, mcpsf.CallOK)
	for i, hints := range []string{`{"openWorldHint":true}`, `{"openWorldHint":true,"readOnlyHint":true}`, `{"openWorldHint":false}`, `["openWorldHint"]`} {
		r.Session.Tools[i].Annotations = json.RawMessage(hints)
	}
	for tool, want := range map[string]string{
		"seen": "untrusted service seen, out service seen", "reads": "untrusted claim declared", "quiet": "", "odd": "",
	} {
		if got := traits(r, tool); got != want {
			t.Errorf("%s: got %q, want %q", tool, got, want)
		}
	}
}

// The source of a tool counts where the run shows nothing.
func TestSource(t *testing.T) {
	r := server("s")
	offer(r, "ran", textSchema, mcpsf.CallOK)
	offer(r, "refused", textSchema, mcpsf.CallRefused)
	offer(r, "never", textSchema, "")
	all := []mcpsf.CodePlace{{Path: "a.js", Line: 3, Name: "fs.readFile", Tools: []string{"ran", "refused", "never", "unknown"}}}
	making := []mcpsf.CodePlace{{Path: "a.js", Line: 9, Name: "fs.mkdir", Tools: []string{"makes"}}}
	offer(r, "makes", textSchema, "")
	r.Inspection = &mcpsf.Inspection{Capabilities: []mcpsf.Capability{
		{Kind: mcpsf.CapabilityNetwork, Places: all}, {Kind: mcpsf.CapabilityFiles, Places: all}, {Kind: mcpsf.CapabilityExec, Places: all}, {Kind: mcpsf.CapabilityEnviron, Places: all},
		{Kind: mcpsf.CapabilityFiles, Places: making},
	}}
	const declared = "untrusted source declared, private source declared, out source declared"
	for tool, want := range map[string]string{"ran": "", "refused": declared, "never": declared, "unknown": "", "makes": ""} {
		if got := traits(r, tool); got != want {
			t.Errorf("%s: got %q, want %q", tool, got, want)
		}
	}
}

func TestStates(t *testing.T) {
	r := server("s")
	offer(r, "ran", textSchema, mcpsf.CallRefused)
	r.Session.Calls = append(r.Session.Calls, mcpsf.Call{Tool: "ran", Status: mcpsf.CallOK}, mcpsf.Call{Tool: "ran", Status: mcpsf.CallCrashed})
	offer(r, "refused", textSchema, mcpsf.CallTimeout)
	offer(r, "never", textSchema, "")
	want := map[string]State{"ran": StateSeen, "refused": StateRefused, "never": StateNever}
	got := map[string]State{}
	for _, tool := range toolsOf(r) {
		got[tool.Name] = tool.State
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r.Coverage.Remote = true
	if s := toolsOf(r)[0].State; s != StateUnwatched {
		t.Errorf("the state of a tool elsewhere is %q", s)
	}
}

// A few of many reasons are kept, decoys first, and all are counted.
func TestEvidence(t *testing.T) {
	var list []mcpsf.Access
	for i := range 50 {
		list = append(list, used("t", mcpsf.AccessRead, fmt.Sprintf("%s/Documents/%d", mcpsf.Home, i), mcpsf.ByArgument))
	}
	list[49].Planted = mcpsf.DecoyDocument
	best := toolsOf(server("s", list...))[0].Best(Private)
	if best.Count != 50 || len(best.Evidence) != maxEvidence || best.Evidence[0].Why != "it read ~/Documents/49; of a reason" || best.Evidence[0].Event != 7 {
		t.Errorf("got %+v", best)
	}
}
