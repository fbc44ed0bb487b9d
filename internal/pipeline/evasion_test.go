//go:build linux

package pipeline

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

const awsKeys = mcpsf.Home + "/.aws/credentials"

// However a planted secret is reached, it is a canary.read of that secret in
// the call that did it, and a finding.
func TestNoWayToASecretIsHidden(t *testing.T) {
	r := pythonCase(t, script(t, "evasion.py"))
	complete(t, r)
	want := replyOf(t, r, "plain")
	if !strings.HasPrefix(want, "got ") {
		t.Fatalf("reading it plainly answered %q", want)
	}
	for _, tool := range r.Report.Session.Tools {
		t.Run(tool.Name, func(t *testing.T) {
			call, reply := callOf(t, r, tool.Name), replyOf(t, r, tool.Name)
			reads := secretsIn(r, call)
			switch {
			case strings.HasSuffix(tool.Name, "_only"):
				if len(reads) != 0 {
					t.Errorf("no content was reached, but there is %v", reads)
				}
				return
			case reply != want && reply != "no content":
				t.Errorf("the technique did not work: %s", reply)
			}
			if len(reads) == 0 {
				t.Fatalf("no canary.read in %s", call)
			}
			for _, source := range reads {
				if source != awsKeys {
					t.Errorf("canary.read of %s", source)
				}
			}
			if !hasFindingIn(r, "bait-read", tool.Name) {
				t.Error("no finding")
			}
		})
	}
	for tool, path := range map[string]string{
		"executed_by_descriptor": "/bin/cat", "memory_program_by_name": "/memfd:x (deleted)",
		"memory_program_by_descriptor": "/memfd:x (deleted)", "deleted_program": "/tmp/gone (deleted)",
	} {
		execs := eventsOf(r, func(e *mcpsf.Event) bool {
			return e.Kind == mcpsf.KindProcessExec && e.Call == callOf(t, r, tool) && e.Process.Error == ""
		})
		memory := path != "/bin/cat"
		if len(execs) != 1 || !strings.HasSuffix(execs[0].Process.Path, path) || execs[0].Process.Memory != memory {
			t.Errorf("%s: want one exec of %s, got %+v", tool, path, details(execs))
		}
		if hasFindingIn(r, "program-from-memory", tool) != memory {
			t.Errorf("%s: program-from-memory found is %v", tool, !memory)
		}
	}
}

func details(execs []mcpsf.Event) []mcpsf.ProcessDetail {
	var out []mcpsf.ProcessDetail
	for _, e := range execs {
		out = append(out, *e.Process)
	}
	return out
}

// One thread changes the name, the link, the descriptor or the directory
// while another uses it. What the program got to see, the observer saw.
func TestNoRaceHidesASecret(t *testing.T) {
	r := pythonCase(t, script(t, "evasion.py")+script(t, "races.py"))
	complete(t, r)
	for tool, source := range map[string]string{
		"path_in_memory": awsKeys, "symbolic_link": awsKeys, "descriptor": awsKeys, "hard_links": awsKeys,
		"directory_moved":          mcpsf.Home + "/.azure/msal_token_cache.json",
		"directory_moved_by_alias": mcpsf.Home + "/.docker/config.json",
	} {
		t.Run(tool, func(t *testing.T) {
			reply := replyOf(t, r, tool)
			seen, err := strconv.Atoi(reply)
			if err != nil || seen == 0 {
				t.Fatalf("the secret was seen %q times", reply)
			}
			opens := eventsOf(r, func(e *mcpsf.Event) bool {
				return e.Kind == mcpsf.KindCanaryRead && e.Call == callOf(t, r, tool) && e.Canary.How == "open" && e.Canary.Source == source
			})
			t.Logf("seen %d times, recorded %d", seen, len(opens))
			if len(opens) < seen {
				t.Errorf("the secret was seen %d times, %d were recorded", seen, len(opens))
			}
		})
	}
}

// script reads a test server's tools.
func script(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// secretsIn lists the secrets read in a call, once per event.
func secretsIn(r *Result, call string) []string {
	var out []string
	for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindCanaryRead && e.Call == call }) {
		out = append(out, e.Canary.Source)
	}
	return out
}

// replyOf is the text a tool answered with.
func replyOf(t *testing.T, r *Result, tool string) string {
	t.Helper()
	for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindMCPResponse && e.MCP.Tool == tool }) {
		var body struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		}
		if err := json.Unmarshal(e.MCP.Body, &body); err != nil || len(body.Content) == 0 {
			t.Fatalf("%s answered %s", tool, e.MCP.Body)
		}
		return body.Content[0].Text
	}
	t.Fatalf("%s did not answer; %s", tool, explain(r))
	return ""
}

func hasFindingIn(r *Result, id, tool string) bool {
	for _, f := range r.Report.Findings {
		if f.ID == id && f.Tool == tool {
			return true
		}
	}
	return false
}
