//go:build linux

package observe

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// bare is the part of an event that is the same in every run: no pids, no ports,
// no counts that depend on timing.
type bare struct {
	Kind                   mcpsf.Kind
	Tool, Path, What, Flag string
}

func bareOf(r *assess.Result) []bare {
	tools := map[string]string{}
	for _, c := range r.Report.Session.Calls {
		tools[c.ID] = c.Tool
	}
	var out []bare
	for i := range r.Events {
		e := &r.Events[i]
		b := bare{Kind: e.Kind, Tool: tools[e.Call]}
		switch {
		case e.Kind == mcpsf.KindEnvRead, e.Kind == mcpsf.KindProcessFork && e.Process.Thread:
			continue
		case e.File != nil:
			b.Path, b.Flag, b.What = e.File.Path, e.File.Flags, e.File.Error
		case e.Process != nil:
			b.Path, b.What = e.Process.Path, strings.Join(e.Process.Args, " ")
		case e.Net != nil:
			b.Path, b.What = e.Net.Name, e.Net.Type
		case e.Canary != nil:
			b.Path = e.Canary.Source
		}
		b.Path = byChance.ReplaceAllString(b.Path, "")
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b bare) int {
		return strings.Compare(strings.Join([]string{string(a.Kind), a.Tool, a.Path, a.What, a.Flag}, "\x00"),
			strings.Join([]string{string(b.Kind), b.Tool, b.Path, b.What, b.Flag}, "\x00"))
	})
	return slices.Compact(out)
}

// byChance matches the random endings of temporary files, such as those that
// Python uses while it writes a compiled module.
var byChance = regexp.MustCompile(`\.pyc\.\d+$|^/tmp/[a-z0-9_]{8}$`)

// timeless returns the findings without what depends on the machine's load.
func timeless(r *assess.Result) assesstest.Judgement {
	v := assesstest.Stable(r)
	for i := range v.Findings {
		v.Findings[i].Phase = ""
	}
	return v
}

func unhooked(o *assess.Options) { o.Sandbox.NoEnvHooks = true }

// A run with the hooks gives the same result as one without them, and also the
// variables that were read.
func TestHooksChangeNothingElse(t *testing.T) {
	t.Parallel()
	servers := map[string]string{}
	examples, own := []string{"notes-node", "thief-python"}, []string{"evasion.py", "lookout.py"}
	if assesstest.Nightly() {
		examples, own = append(examples, "notes-python", "thief-node"), append(own, "workers.py")
	}
	for _, name := range examples {
		servers[name] = assesstest.Example(t, name)
	}
	for _, name := range own {
		servers[name] = assesstest.PythonServer(t, assesstest.Script(t, name))
	}
	for name, dir := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := func(o *assess.Options) {
				if strings.HasPrefix(name, "thief") {
					o.Sandbox.Linger = 4 * time.Second // background work must be able to finish
				}
				if strings.HasSuffix(name, ".py") {
					o.Target.Command = []string{"python3", "server.py"}
				}
			}
			with, without := assesstest.Assess(t, dir, command), assesstest.Assess(t, dir, command, unhooked)
			assesstest.Complete(t, with)
			if diff := cmp.Diff(timeless(without), timeless(with)); diff != "" {
				t.Errorf("findings (-without +with):\n%s", diff)
			}
			if diff := cmp.Diff(bareOf(without), bareOf(with)); diff != "" {
				t.Errorf("events (-without +with):\n%s", diff)
			}
			if n := len(assesstest.EventsOf(without, isRead)); n != 0 {
				t.Errorf("%d reads without hooks", n)
			}
		})
	}
}

func isRead(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindEnvRead }

// Variables that a tool reads are attributed to its call.
func TestReadsBelongToTheirCall(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, `
@tool
def one(): return os.environ.get("ONE_TOKEN")
@tool
def every(): return len(dict(os.environ))
@tool
def kernel(): return len(open("/proc/self/environ", "rb").read())
@tool
def none(): return 1
@tool
def child(): return subprocess.run([sys.executable, "-S", "-c", "import os; os.getenv('CHILD_TOKEN')"]).returncode
@tool
def node(): return subprocess.run(["node", "-e", "process.env.NODE_CHILD_TOKEN; require('fs').readFileSync('/etc/hostname'); ({...process.env}); require('child_process').spawnSync('true')"]).returncode
`)
	assesstest.Complete(t, r)
	for tool, want := range map[string][]string{
		"one": {"ONE_TOKEN"}, "every": {"*"}, "kernel": {"*"}, "none": nil, "child": {"CHILD_TOKEN"}, "node": {"*", "NODE_CHILD_TOKEN"},
	} {
		var got []string
		for _, e := range assesstest.EventsOf(r, isRead) {
			switch {
			case e.Call != assesstest.CallOf(t, r, tool) || e.Env.Name == "PATH":
			case e.Env.All:
				got = append(got, "*")
			default:
				got = append(got, e.Env.Name)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool, diff)
		}
	}
	for _, e := range assesstest.EventsOf(r, isRead) {
		if e.Call == "" {
			t.Errorf("a read before the first call: %+v", e.Env)
		}
	}
}
