//go:build linux

package observe

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

const awsKeys = mcpsf.Home + "/.aws/credentials"

// However a decoy is read, there is a canary.read event of that decoy in the
// right call, and a finding.
func TestNoWayToASecretIsHidden(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, assesstest.Script(t, "evasion.py"))
	assesstest.Complete(t, r)
	want := assesstest.ReplyOf(t, r, "plain")
	if !strings.HasPrefix(want, "got ") {
		t.Fatalf("reading it plainly answered %q", want)
	}
	for _, tool := range r.Report.Session.Tools {
		t.Run(tool.Name, func(t *testing.T) {
			call, reply := assesstest.CallOf(t, r, tool.Name), assesstest.ReplyOf(t, r, tool.Name)
			reads := assesstest.SecretsIn(r, call)
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
			if !slices.Contains(reads, awsKeys) {
				t.Errorf("canary.read of %v alone", reads)
			}
			for _, source := range reads { // a whole folder may have been read
				if path.Dir(source) != path.Dir(awsKeys) && tool.Name != "tar" {
					t.Errorf("canary.read of %s", source)
				}
			}
			if !hasFindingIn(r, "decoy-read", tool.Name) {
				t.Error("no finding")
			}
		})
	}
	for tool, path := range map[string]string{
		"executed_by_descriptor": "/bin/cat", "memory_program_by_name": "/memfd:x (deleted)",
		"memory_program_by_descriptor": "/memfd:x (deleted)", "deleted_program": "/tmp/gone (deleted)",
	} {
		execs := assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
			return e.Kind == mcpsf.KindProcessExec && e.Call == assesstest.CallOf(t, r, tool) && e.Process.Error == ""
		})
		memory := path != "/bin/cat"
		if len(execs) != 1 || !strings.HasSuffix(execs[0].Process.Path, path) || execs[0].Process.Memory != memory {
			t.Errorf("%s: want one exec of %s, got %+v", tool, path, details(execs))
		}
		if hasFindingIn(r, "fileless-execution", tool) != memory {
			t.Errorf("%s: fileless-execution found is %v", tool, !memory)
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

// A decoy is recognised under another name, and another file under its name is
// not one.
func TestASecretIsKnownUnderEveryName(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, assesstest.Script(t, "evasion.py")+assesstest.Script(t, "moved.py"))
	assesstest.Complete(t, r)
	for tool, name := range map[string]string{
		"file_renamed": ".npmrc", "directory_renamed": ".aws/credentials", "parent_renamed": ".config/gh/hosts.yml",
		"renamed_by_descriptors": ".docker/config.json", "renamed_by_child": ".azure/msal_token_cache.json",
		"linked_and_removed": ".ssh/id_rsa", "removed_but_held": ".kube/config", "name_reused": "", "name_taken": ".git-credentials",
		"buried": ".cursor/mcp.json", "unspeakable": ".bash_history",
	} {
		if reply := assesstest.ReplyOf(t, r, tool); !strings.HasPrefix(reply, "got ") {
			t.Errorf("%s did not work: %s", tool, reply)
		}
		reads := slices.Compact(assesstest.SecretsIn(r, assesstest.CallOf(t, r, tool)))
		var want []string
		if name != "" {
			want = []string{mcpsf.Home + "/" + name}
		}
		if !slices.Equal(reads, want) {
			t.Errorf("%s: want %v, got %v", tool, want, reads)
		}
		if name != "" && !hasFindingIn(r, "decoy-read", tool) {
			t.Errorf("%s: no finding", tool)
		}
	}
	// A name that leads nowhere is recorded as it was asked for.
	const documents = mcpsf.Home + "/Documents/"
	for _, e := range assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindFileRename && e.Call == assesstest.CallOf(t, r, "nothing_renamed")
	}) {
		if e.File.Path != documents+"nothing.txt" || e.File.To != documents+"other.txt" {
			t.Errorf("nothing_renamed: recorded %s to %s", e.File.Path, e.File.To)
		}
	}
}

// One thread changes the name, the link, the descriptor or the directory while
// another uses it. The observer sees the same file that the program read.
func TestNoRaceHidesASecret(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, assesstest.Script(t, "evasion.py")+assesstest.Script(t, "races.py"))
	assesstest.Complete(t, r)
	for tool, source := range map[string]string{
		"path_in_memory": awsKeys, "symbolic_link": awsKeys, "descriptor": awsKeys, "hard_links": awsKeys,
		"directory_moved":          mcpsf.Home + "/.azure/msal_token_cache.json",
		"directory_moved_by_alias": mcpsf.Home + "/.docker/config.json",
	} {
		t.Run(tool, func(t *testing.T) {
			reply := assesstest.ReplyOf(t, r, tool)
			seen, err := strconv.Atoi(reply)
			if err != nil || seen == 0 {
				t.Fatalf("the secret was seen %q times", reply)
			}
			opens := assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
				return e.Kind == mcpsf.KindCanaryRead && e.Call == assesstest.CallOf(t, r, tool) && e.Canary.How == "open" && e.Canary.Source == source
			})
			t.Logf("seen %d times, recorded %d", seen, len(opens))
			if len(opens) < seen {
				t.Errorf("the secret was seen %d times, %d were recorded", seen, len(opens))
			}
		})
	}
}

// A worker that was started in the first call and gets work in others works for
// the call that gave it work last.
func TestAWorkerWorksForTheCallThatFedIt(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, assesstest.Script(t, "workers.py"))
	assesstest.Complete(t, r)
	for _, tool := range r.Report.Session.Tools {
		_, which, _ := strings.Cut(tool.Name, "_")
		readsOnly(t, r, tool.Name, numbered()[which])
	}
}

// Node uses a thread pool for files and several kinds of workers; all of them
// work for the call that started the work.
func TestNodeWorksForTheCallThatAsked(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		sandboxtest.Missing(t, "no Node on this machine")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "server.js"), []byte(assesstest.Script(t, "pool.js")), 0o644); err != nil {
		t.Fatal(err)
	}
	r := assesstest.Assess(t, dir, func(o *assess.Options) { o.Target.Command = []string{"node", "server.js"} })
	assesstest.Complete(t, r)
	for _, tool := range r.Report.Session.Tools {
		_, which, _ := strings.Cut(tool.Name, "_")
		readsOnly(t, r, tool.Name, numbered()[which])
	}
}

// However a server reads its requests, its actions belong to the request it
// read.
func TestStandardInputCannotBeReadUnseen(t *testing.T) {
	t.Parallel()
	for _, way := range []string{
		"duplicate()", "reopened('/proc/self/fd/0')", "reopened('/dev/stdin')", "single_bytes()", "tiny_vectors()",
		"spliced()", "nonblocking()", "reader_thread()", "worker_thread()",
		"relay_pipe()", "relay_socket()", "late_relay()", "child_reads()", "flickering()",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			assesstest.Sometimes(t, way, "duplicate()", "reopened('/proc/self/fd/0')", "tiny_vectors()", "spliced()", "worker_thread()", "relay_socket()", "child_reads()", "flickering()")
			r := assesstest.Python(t, assesstest.Script(t, "stdin.py")+"\ndef serve(): "+way+"\n")
			assesstest.Complete(t, r)
			for tool, source := range numbered() {
				readsOnly(t, r, tool, source)
			}
		})
	}
}

// numbered are the decoys that the tools one, two and three read.
func numbered() map[string]string {
	return map[string]string{
		"one": awsKeys, "two": mcpsf.Home + "/.ssh/id_rsa", "three": mcpsf.Home + "/.kube/config",
	}
}

// readsOnly fails the test unless the tool's call read exactly that decoy.
func readsOnly(t *testing.T, r *assess.Result, tool, source string) {
	t.Helper()
	reads := assesstest.SecretsIn(r, assesstest.CallOf(t, r, tool))
	if len(reads) != 1 || reads[0] != source {
		t.Errorf("%s: want %s, got %v (answer %q)", tool, source, reads, assesstest.ReplyOf(t, r, tool))
	}
}

func hasFindingIn(r *assess.Result, id, tool string) bool {
	for _, f := range r.Report.Findings {
		if f.ID == id && f.Tool == tool {
			return true
		}
	}
	return false
}
