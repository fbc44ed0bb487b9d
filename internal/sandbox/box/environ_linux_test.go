package box

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// ran is the result of a program in a sandbox.
type ran struct {
	out, complaints string
	exit            Exit
	records         []wire.Record
}

// reads returns the variables that were reported after the program's start
// message, by name; * is all of them.
func (r *ran) reads() []string {
	var names []string
	for _, rec := range r.records {
		switch {
		case rec.Op != wire.OpEnv || rec.Flags&wire.FlagCreated != 0:
		case rec.Flags&wire.FlagAll != 0:
			names = append(names, "*")
		default:
			names = append(names, rec.Text)
		}
	}
	if i := slices.Index(names, "BEGIN"); i >= 0 {
		return slices.Compact(names[i+1:])
	}
	return nil
}

// hooked counts the programs that reported their reads.
func (r *ran) hooked() int {
	n := 0
	for _, rec := range r.records {
		if rec.Op == wire.OpEnv && rec.Flags&wire.FlagCreated != 0 {
			n++
		}
	}
	return n
}

// inSandbox runs a command with these files to its end.
func inSandbox(t *testing.T, rt mcpsf.Runtime, files map[string]string, hooks bool, command ...string) *ran {
	t.Helper()
	require(t)
	run, err := NewRunDir(filepath.Join(t.TempDir(), "runs"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Remove() })
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(run.Stage(), name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	i, err := interpreter.Choose(rt, "", os.Getenv("PATH"))
	if err != nil {
		t.Fatal(err)
	}
	opts := &Options{
		Artifact: &mcpsf.Artifact{
			Dir: run.Stage(), Runtime: rt, Command: command,
			Env: []string{"ONE=first", "TWO=second", "GITHUB_TOKEN=ghp", "LAST=end"},
		},
		Run: run, Interpreter: i.Program, Machine: Machine{Now: time.Now()}, Observation: Observation{EnvHooks: hooks},
	}
	if i.Source != "" {
		opts.Content.Mounts = append(opts.Content.Mounts, Mount{Source: i.Source, Target: i.Mount})
	}
	box, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Stop() })
	r := &ran{}
	read, heard, reading := make(chan error, 1), make(chan struct{}), make(chan struct{})
	go func() {
		read <- box.Each(t.Context(), func(rec *wire.Record) error {
			if len(r.records) == 0 {
				close(reading)
			}
			r.records = append(r.records, *rec)
			return nil
		})
	}()
	var complaints bytes.Buffer
	go func() { _, _ = io.Copy(&complaints, box.Stderr()); close(heard) }()
	out, err := io.ReadAll(box.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	<-box.Done()
	<-heard
	<-reading
	r.out, r.complaints, r.exit = string(out), complaints.String(), box.Exit()
	if err := box.Stop(); err != nil {
		t.Error(err)
	}
	if err := <-read; err != nil {
		t.Error(err)
	}
	return r
}

func TestPythonTellsWhatItReads(t *testing.T) {
	const begin = "import os\nos.environ.get('BEGIN')\n"
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"nothing":    {"", nil},
		"ways":       {"os.environ['ONE'], os.environ.get('TWO'), os.getenv('THREE'), 'FOUR' in os.environ", []string{"ONE", "TWO", "THREE", "FOUR"}},
		"missing":    {"try: os.environ['NOPE']\nexcept KeyError: print('missing')", []string{"NOPE"}},
		"bytes":      {"os.getenvb(b'ONE')", []string{"ONE"}},
		"copy":       {"os.environ.copy()", []string{"*"}},
		"dict":       {"dict(os.environ)", []string{"*"}},
		"items":      {"[v for k, v in os.environ.items()]", []string{"*"}},
		"values":     {"list(os.environ.values())", []string{"*"}},
		"one by one": {"[os.environ[k] for k in os.environ]", []string{"*"}},
		"unpacked":   {"{**os.environ}", []string{"*"}},
		"printed":    {"str(os.environ)", []string{"*"}},
		"merged":     {"os.environ | {}", []string{"*"}},
		"changed":    {"os.environ['NEW'] = 'x'; os.environ |= {'A': 'b'}; del os.environ['NEW']", nil},
		"defaults":   {"os.environ.setdefault('SET', 'x'); os.environ.pop('GONE', None)", []string{"SET", "GONE"}},
		"odd names":  {"for n in ('a\\nb', 'a/../b', '', '\\u00e9'): os.environ.get(n)", []string{"a\nb", "a/../b", "", "é"}},
		"impossible": {"for n in ('a\\0b', '\\udcff'): os.environ.get(n)", []string{"a?b", "\xed\xb3\xbf"}},
		"enormous":   {"os.environ.get('L' * 1000000)", []string{strings.Repeat("L", maxName)}},
		"wrong type": {"try: os.environ[1]\nexcept TypeError: pass", nil},
		"threads":    {"import threading\nx = threading.Thread(target=lambda: os.getenv('INSIDE')); x.start(); x.join()", []string{"INSIDE"}},
		"forked":     {"if os.fork() == 0: os.getenv('CHILD'); os._exit(0)\nos.wait()", []string{"CHILD"}},
		"proxies":    {"import urllib.request; urllib.request.getproxies()", []string{"REQUEST_METHOD"}},
		"child":      {"import subprocess, sys\nsubprocess.run([sys.executable, '-S', '-c', 'import os; os.getenv(\"OF_CHILD\")'])", []string{"OF_CHILD"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := inSandbox(t, mcpsf.RuntimePython, map[string]string{"a.py": begin + c.code}, true, "python3", "a.py")
			if r.exit.Code != 0 || r.complaints != "" {
				t.Errorf("it ended with %d: %s", r.exit.Code, r.complaints)
			}
			if diff := cmp.Diff(c.want, own(r.reads())); diff != "" {
				t.Errorf("reads (-want +got):\n%s", diff)
			}
		})
	}
}

// Python reports its reads however it is started.
func TestPythonTellsHoweverItIsStarted(t *testing.T) {
	const code = "import os; os.getenv('BEGIN'); os.getenv('SEEN'); import sys; sys.stdout.write('done')"
	for name, command := range map[string][]string{
		"-I": {"python3", "-I", "-c", code}, "-E": {"python3", "-E", "-c", code}, "-s": {"python3", "-s", "-c", code},
		"-S": {"python3", "-S", "-c", code}, "-O": {"python3", "-OO", "-c", code}, "-B": {"python3", "-B", "-c", code},
		"no UTF-8":    {"python3", "-X", "utf8=0", "-c", code},
		"by a shell":  {"sh", "-c", "exec python3 -c \"$0\"", code},
		"by env":      {"env", "-i", "python3", "-c", code},
		"venv":        {"sh", "-c", "python3 -m venv --without-pip v && v/bin/python -c \"$0\"", code},
		"other cache": {"sh", "-c", "PYTHONPYCACHEPREFIX=/tmp/c python3 -c \"$0\"", code},
		"module":      {"python3", "-m", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := inSandbox(t, mcpsf.RuntimePython, map[string]string{"a.py": code}, true, command...)
			if r.out != "done" || r.complaints != "" {
				t.Fatalf("it said %q, %s", r.out, r.complaints)
			}
			want := []string{"SEEN"}
			if name == "other cache" {
				want = nil // not reported, and nothing breaks
			}
			if diff := cmp.Diff(want, own(r.reads())); diff != "" {
				t.Errorf("reads (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNodeTellsWhatItReads(t *testing.T) {
	const begin = "process.env.BEGIN;\n"
	every := "HOME USER LOGNAME SHELL PATH LANG PWD XDG_RUNTIME_DIR ONE TWO GITHUB_TOKEN LAST"
	for name, c := range map[string]struct{ file, code, want string }{
		"nothing":    {"a.cjs", "", ""},
		"ways":       {"a.cjs", "process.env.ONE; process.env['TWO']; 'THREE' in process.env; const {FOUR} = process.env", "ONE TWO THREE FOUR"},
		"module":     {"a.mjs", "import {env} from 'node:process'; env.ONE", "ONE"},
		"spread":     {"a.cjs", "({...process.env})", every},
		"keys":       {"a.cjs", "Object.keys(process.env)", every},
		"entries":    {"a.cjs", "Object.entries(process.env)", every},
		"changed":    {"a.cjs", "process.env.NEW = 1; delete process.env.NEW", ""},
		"odd names":  {"a.cjs", "process.env['a\\nb']; process.env['a/../b']; process.env['\u00e9']", "a\nb a/../b é"},
		"enormous":   {"a.cjs", "process.env['L'.repeat(1000000)]", strings.Repeat("L", maxName)},
		"shared":     {"a.cjs", "new (require('worker_threads').Worker)('process.env.INSIDE', {eval: true, env: require('worker_threads').SHARE_ENV})", "INSIDE"},
		"child":      {"a.cjs", "require('child_process').execFileSync(process.execPath, ['-e', 'process.env.OF_CHILD'], {env: {}})", "OF_CHILD"},
		"overridden": {"a.cjs", "process.env.ONE; process.env = {TWO: 'x'}; process.env.TWO", "ONE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := inSandbox(t, mcpsf.RuntimeNode, map[string]string{c.file: begin + c.code}, true, "node", c.file)
			if r.exit.Code != 0 || r.complaints != "" {
				t.Errorf("it ended with %d: %s", r.exit.Code, r.complaints)
			}
			var want []string
			if c.want != "" {
				want = slices.DeleteFunc(own(strings.Split(c.want, " ")), ofNode)
			}
			got := slices.DeleteFunc(own(r.reads()), ofNode)
			if c.want == every { // gVisor passes them in any order
				slices.Sort(want)
				slices.Sort(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("reads (-want +got):\n%s", diff)
			}
		})
	}
}

// ofNode are names that Node reads when it starts, also as a child of the
// program.
func ofNode(name string) bool {
	for _, prefix := range []string{"OPENSSL_", "ICU_", "UV_", "LC_", "SIMDUTF_", "WATCH_", "TZ", "LANG"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

const maxName = 1024

// own drops the names that the runtime reads for itself.
func own(names []string) []string {
	var out []string
	for _, n := range names {
		if n != "HOME" && n != "PATH" && !strings.HasPrefix(n, "PYTHON") && !strings.HasPrefix(n, "NODE_") {
			out = append(out, n)
		}
	}
	return out
}
