package lineage

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// installEvents builds the events of an installation: "1 exec PATH ARG...", "1
// fork 2", "1 exit", "box".
func installEvents(t *testing.T, phase mcpsf.Phase, lines ...string) []mcpsf.Event {
	t.Helper()
	number := func(s string) int {
		n := 0
		for _, c := range s {
			n = 10*n + int(c-'0')
		}
		return n
	}
	var events []mcpsf.Event
	for _, line := range lines {
		words := strings.Fields(line)
		e := mcpsf.Event{Seq: int64(len(events) + 1), Phase: phase, Kind: mcpsf.KindSandboxStart}
		if words[0] != "box" {
			e.PID = number(words[0])
			e.Process = &mcpsf.ProcessDetail{}
			switch words[1] {
			case "exec":
				e.Kind, e.Process.Path, e.Process.Args = mcpsf.KindProcessExec, words[2], words[2:]
			case "fork":
				e.Kind, e.Process.Child = mcpsf.KindProcessFork, number(words[2])
			case "exit":
				e.Kind = mcpsf.KindProcessExit
			default:
				t.Fatalf("there is no %q", line)
			}
		}
		events = append(events, e)
	}
	return events
}

const (
	runNPM = "exec /usr/bin/node /usr/lib/node_modules/npm/bin/npm-cli.js install"
	runPip = "exec /usr/bin/python3.11 /usr/lib/python3/dist-packages/pip/__pip-runner__.py install ."
)

func TestLineage(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []string
		// scripts are the processes that belong to a script, others those that do not.
		scripts, others []int
	}{
		{"npm and a script", []string{"1 " + runNPM, "1 fork 2", "2 exec /usr/bin/dash -c x", "2 fork 3", "3 exec /usr/bin/node x.js"}, []int{2, 3}, []int{1}},
		{"npm started by a shell of ours", []string{"1 exec /bin/sh -c x", "1 fork 2", "2 " + runNPM, "2 fork 3", "3 exec /usr/bin/dash -c x"}, []int{3}, []int{1, 2}},
		{"a loop of ours over npm", []string{"1 exec /bin/sh -c x", "1 fork 2", "2 exec /usr/bin/node -e x", "2 fork 3", "3 " + runNPM, "3 fork 4", "4 exec /usr/bin/dash -c x", "2 fork 5", "5 exec /usr/bin/node x.js"}, []int{4, 5}, []int{1, 2, 3}},
		{"an orphan is not the shell's", []string{"1 exec /bin/sh -c x", "1 fork 2", "2 " + runNPM, "2 fork 3", "3 fork 4", "3 exit", "2 exit", "4 exec /usr/bin/node x.js"}, []int{4}, []int{1}},
		{"a child that has not executed anything is its parent's", []string{"1 " + runNPM, "1 fork 2", "1 fork 3", "3 exec /usr/bin/dash -c x", "3 fork 4"}, []int{3, 4}, []int{1, 2}},
		{"let go twice", []string{"1 " + runNPM, "1 fork 2", "2 exec /usr/bin/dash -c x", "2 fork 3", "3 fork 4", "3 exit", "2 exit", "4 exec /usr/bin/sleep 9"}, []int{4}, []int{1}},
		{"a script that runs npm is a script", []string{"1 " + runNPM, "1 fork 2", "2 exec /usr/bin/dash -c x", "2 " + runNPM, "2 fork 3", "3 exec /usr/bin/git x"}, []int{2, 3}, []int{1}},
		{"pip in pip", []string{"1 " + runPip, "1 fork 2", "2 " + runPip, "2 fork 3", "3 exec /usr/bin/python3.11 setup.py"}, []int{3}, []int{1, 2}},
		{"a build", []string{"1 " + runPip, "1 fork 2", "2 exec /usr/bin/python3.11 /usr/lib/python3/dist-packages/pip/_vendor/pyproject_hooks/_in_process/_in_process.py"}, []int{2}, []int{1}},
		{"a pip that is not the system's", []string{"1 " + runPip, "1 fork 2", "2 exec /usr/bin/python3.11 /tmp/x/pip/__pip-runner__.py"}, []int{2}, []int{1}},
		{"an environment is made first", []string{"1 exec /usr/bin/python3.11 -c x", "1 fork 2", "2 exec /usr/bin/python3.11 -m ensurepip", "2 fork 3", "3 exec /usr/bin/python3.11 -c y", "1 " + runPip, "1 fork 4", "4 exec /usr/bin/python3.11 -m ensurepip"}, []int{4}, []int{1, 2, 3}},
		{"an environment is made first, and pip and npm are started", []string{"1 exec /usr/bin/python3.11 -I -c x", "1 fork 2", "2 exec /usr/bin/python3.11 -m ensurepip", "2 fork 3", "3 exec /usr/bin/python3.11 -c y", "1 fork 4", "4 " + runPip, "4 fork 5", "5 exec /usr/bin/python3.11 setup.py", "1 fork 6", "6 " + runNPM, "6 fork 7", "7 exec /usr/bin/dash -c x"}, []int{5, 7}, []int{1, 2, 3, 4, 6}},
		{"the pip of an environment", []string{"1 exec /usr/bin/python3.11 -I -c x", "1 fork 2", "2 exec /home/dev/code/server/.venv/bin/python -m pip install .", "2 fork 3", "3 exec /usr/bin/python3.11 setup.py"}, []int{3}, []int{1, 2}},
		{"helpers", []string{"1 " + runPip, "1 fork 2", "2 exec /usr/bin/lsb_release -a", "2 fork 3", "3 exec /usr/bin/cut x", "1 fork 4", "4 exec /usr/bin/git fetch", "4 fork 5", "5 exec /usr/lib/git-core/git-remote-https"}, nil, []int{1, 2, 3, 4, 5}},
		{"git runs a line of its settings", []string{"1 " + runNPM, "1 fork 2", "2 exec /usr/bin/git fetch", "2 fork 3", "3 exec /usr/bin/dash -c evil"}, []int{3}, []int{1, 2}},
		{"git of the package's own", []string{"1 " + runNPM, "1 fork 2", "2 exec /home/dev/code/server/node_modules/.bin/git fetch"}, []int{2}, []int{1}},
		{"a process that came from nowhere", []string{"1 " + runNPM, "9 exec /usr/bin/node x.js"}, []int{9, 77}, []int{1}},
		{"a second sandbox counts from the beginning", []string{"1 " + runNPM, "1 fork 2", "2 exec /usr/bin/dash -c x", "box", "1 " + runNPM, "1 fork 2"}, nil, []int{1, 2}},
		{"nothing at all", []string{"box"}, nil, []int{0, 1}},
		{"a fork before anything", []string{"1 fork 2"}, nil, []int{1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l Lineage
			events := installEvents(t, mcpsf.PhaseInstall, tt.events...)
			for i := range events {
				l.See(&events[i])
			}
			for _, pid := range tt.scripts {
				if l.Of(pid).Script == nil {
					t.Errorf("process %d belongs to no script", pid)
				}
			}
			for _, pid := range tt.others {
				if l.Of(pid).Script != nil {
					t.Errorf("process %d belongs to a script", pid)
				}
			}
		})
	}
}

// Outside of an installation no process belongs to a script.
func TestLineageIsForInstallations(t *testing.T) {
	var l Lineage
	events := installEvents(t, mcpsf.PhaseStart, "1 exec /usr/bin/node server.js", "1 fork 2", "2 exec /usr/bin/dash -c x")
	for i := range events {
		l.See(&events[i])
	}
	if l.Of(2).Script != nil || l.first != 0 {
		t.Errorf("a server at work: %+v", l)
	}
}

func TestScriptIsNamed(t *testing.T) {
	const bin = "/home/dev/code/server/node_modules/"
	for _, tt := range []struct {
		name   string
		tried  []string
		exec   string
		script string
	}{
		{"of a package", []string{bin + "canvas/node_modules/.bin/sh", bin + ".bin/sh"}, "/usr/bin/dash -c x", `"dash -c x" of "canvas"`},
		{"of a package with a scope, below another", []string{bin + "a/node_modules/@b/c/node_modules/.bin/sh"}, "/usr/bin/dash -c x", `"dash -c x" of "@b/c"`},
		{"of the project", []string{"/home/dev/code/server/node_modules/.bin/sh", bin + "canvas/node_modules/.bin/sh"}, "/usr/bin/dash -c x", `"dash -c x"`},
		{"of a build", nil, "/usr/bin/python3.11 /usr/lib/pip/_in_process.py build_wheel /tmp/tmpx1", `"python3.11 _in_process.py build_wheel"`},
		{"somewhere else", []string{"/usr/local/bin/sh", "/node_modules/.bin/sh"}, "/usr/bin/dash -c x", `"dash -c x"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l Lineage
			events := installEvents(t, mcpsf.PhaseInstall, "1 "+runNPM, "1 fork 2")
			for _, p := range tt.tried {
				events = append(events, mcpsf.Event{
					Phase: mcpsf.PhaseInstall, PID: 2, Kind: mcpsf.KindProcessExec,
					Process: &mcpsf.ProcessDetail{Path: p, Error: "ENOENT"},
				})
			}
			events = append(events, installEvents(t, mcpsf.PhaseInstall, "2 exec "+tt.exec)...)
			for i := range events {
				l.See(&events[i])
			}
			if got := l.Of(2).Script.String(); got != tt.script {
				t.Errorf("got %s, want %s", got, tt.script)
			}
		})
	}
}
