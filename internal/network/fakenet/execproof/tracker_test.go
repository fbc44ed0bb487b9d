package execproof

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// maker is a server that records the requested paths.
func maker(t *testing.T) (origin Origin, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		paths = append(paths, r.URL.Path)
		fmt.Fprint(w, `{"version":"1"}`)
	}))
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	return Origin{URL: "http://a.example/x", Scheme: "http", Host: host}, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return paths
	}
}

// run runs an installed program, which must print nothing and exit with 0.
func run(t *testing.T, stdin []byte, env []string, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here", name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stdin = t.TempDir(), bytes.NewReader(stdin)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "PYENV_ROOT=" + os.Getenv("HOME") + "/.pyenv", "no_proxy=*"}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %q", err, out)
	}
}

// TestScriptsReport runs each script in all the ways scripts are run. SCRIPT is
// the file.
func TestScriptsReport(t *testing.T) {
	for _, tt := range []struct {
		name, kind, program string
		args                []string
		piped               bool
		env                 []string
	}{
		{"piped into sh", Shell, "sh", nil, true, nil},
		{"sh with errors fatal", Shell, "sh", []string{"-eu", "SCRIPT"}, false, nil},
		{"sourced", Shell, "sh", []string{"-c", ". SCRIPT && echo >&3 && exit 0"}, false, nil},
		{"evaluated", Shell, "bash", []string{"-c", `eval "$(cat SCRIPT)"`}, false, nil},
		{"python", Python, "python3", []string{"SCRIPT"}, false, nil},
		{"piped into python", Python, "python3", []string{"-"}, true, nil},
		{"executed", Python, "python3", []string{"-c", "exec(open('SCRIPT').read())"}, false, nil},
		{"executed in a function", Python, "python3", []string{"-c", "def f(t):\n  exec(t, {}, {})\nf(open('SCRIPT').read())"}, false, nil},
		{"unpickled", Pickle, "python3", []string{"-c", "import pickle; pickle.load(open('SCRIPT', 'rb'))"}, false, nil},
		{"compiled", Python, "python3", []string{"-c", "exec(compile(open('SCRIPT').read(), 'x', 'exec'), {})"}, false, nil},
		{"imported", Python, "python3", []string{"-c", "import importlib.util as u; s = u.spec_from_file_location('m', 'SCRIPT'); m = u.module_from_spec(s); s.loader.exec_module(m)"}, false, nil},
		{"node", JavaScript, "node", []string{"SCRIPT"}, false, nil},
		{"piped into node", JavaScript, "node", []string{"-"}, true, nil},
		{"eval", JavaScript, "node", []string{"-e", "eval(require('fs').readFileSync('SCRIPT', 'utf8'))"}, false, nil},
		{"strict eval", JavaScript, "node", []string{"-e", "'use strict'; (0, eval)(require('fs').readFileSync('SCRIPT', 'utf8'))"}, false, nil},
		{"function", JavaScript, "node", []string{"-e", "new Function(require('fs').readFileSync('SCRIPT', 'utf8'))()"}, false, nil},
		{"required", JavaScript, "node", []string{"-e", "require('SCRIPT')"}, false, nil},
		{"module", JavaScript, "node", []string{"--input-type=module", "-e", "import fs from 'fs'; await import('data:text/javascript,' + encodeURIComponent(fs.readFileSync('SCRIPT', 'utf8')))"}, false, nil},
		{"this context", JavaScript, "node", []string{"-e", "require('vm').runInThisContext(require('fs').readFileSync('SCRIPT', 'utf8'))"}, false, nil},
		{"new context", JavaScript, "node", []string{"-e", "require('vm').runInNewContext(require('fs').readFileSync('SCRIPT', 'utf8'), {})"}, false, nil},
		{"node without fetch", JavaScript, "node", []string{"-e", "delete globalThis.fetch; require('SCRIPT')"}, false, nil},
		{"powershell", PowerShell, "pwsh", []string{"-File", "SCRIPT"}, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			origin, asked := maker(t)
			tracker := New(3)
			body := tracker.Script(tt.kind, origin)
			file := filepath.Join(t.TempDir(), "s."+tt.kind)
			if err := os.WriteFile(file, body, 0o600); err != nil {
				t.Fatal(err)
			}
			for i := range tt.args {
				tt.args[i] = strings.NewReplacer("SCRIPT", file, "echo >&3", "true").Replace(tt.args[i])
			}
			if !tt.piped {
				body = nil
			}
			run(t, body, tt.env, tt.program, tt.args...)
			if len(asked()) != 1 {
				t.Fatalf("asked for %q", asked())
			}
			want := &mcpsf.ExecProofDetail{What: "script", Source: origin.URL, Detail: tt.kind}
			if diff := cmp.Diff(want, tracker.Requested(asked()[0])); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestShellWithoutClients has only some of the programs that a script reports
// with.
func TestShellWithoutClients(t *testing.T) {
	for _, has := range []string{"wget", "getent", "python3", "node"} {
		t.Run(has, func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, "log")
			fake := "#!/bin/sh\nfor a; do l=$a; done\necho \"$l\" > " + log + "\n"
			if err := os.WriteFile(filepath.Join(dir, has), []byte(fake), 0o700); err != nil {
				t.Fatal(err)
			}
			tracker := New(3)
			body := tracker.Script(Shell, Origin{URL: "https://get.example/x", Scheme: "https", Host: "get.example"})
			cmd := exec.CommandContext(t.Context(), "/bin/sh")
			cmd.Stdin, cmd.Env = bytes.NewReader(body), []string{"PATH=" + dir}
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v: %s", err, out)
			}
			got, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			said := strings.TrimSpace(string(got))
			path, isURL := strings.CutPrefix(said, "https://get.example")
			if isURL && tracker.Requested(path) == nil || !isURL && tracker.Resolved(said) == nil {
				t.Errorf("reported %q", said)
			}
			if !isURL && !strings.HasSuffix(said, ".get.example") {
				t.Errorf("looked up %q", said)
			}
		})
	}
}

// TestFallback has no server that answers requests.
func TestFallback(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	tracker := New(3)
	body := tracker.Script(Python, Origin{URL: "http://a.example/x.py", Scheme: "http", Host: "127.0.0.1:1"})
	code := "import socket\nreal = socket.getaddrinfo\ndef look(n, *a, **k):\n  if n.startswith('v'): open(" + fmt.Sprintf("%q", log) + ", 'w').write(n)\n  return real(n, *a, **k) if n[0].isdigit() else []\nsocket.getaddrinfo = look\n"
	run(t, append([]byte(code), body...), nil, "python3", "-")
	got, err := os.ReadFile(log)
	if err != nil || tracker.Resolved(string(got)) == nil || !strings.HasSuffix(string(got), ".lan") {
		t.Errorf("looked up %q, %v", got, err)
	}
}

func TestProgramReports(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("the program is for Linux on x86-64")
	}
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tracker := New(3)
	if tracker.Script(Program, Origin{URL: "https://dl.example/agent.bin", Scheme: "https", Host: "dl.example"}) == nil {
		t.Fatal("no program")
	}
	plan := tracker.plan(Program, Origin{URL: "https://dl.example/agent.bin", Scheme: "https", Host: "dl.example"})
	name := "v" + plan.product + ".dl.example"
	body := asking(question(name), netip.MustParseAddrPort(c.LocalAddr().String()))
	if bytes.Contains(body, []byte(plan.product)) {
		t.Error("the name can be read in the program")
	}
	if f, err := elf.NewFile(bytes.NewReader(body)); err != nil || len(f.Progs) != 1 {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(file, body, 0o700); err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 1)
	go func() {
		p := make([]byte, 512)
		n, from, err := c.ReadFromUDPAddrPort(p)
		if err != nil {
			done <- err.Error()
			return
		}
		_, _ = c.WriteToUDPAddrPort([]byte("answered"), from)
		var m dnsmessage.Message
		if err := m.Unpack(p[:n]); err != nil || len(m.Questions) != 1 {
			done <- fmt.Sprint("no question: ", err)
			return
		}
		done <- strings.TrimSuffix(m.Questions[0].Name.String(), ".")
	}()
	run(t, nil, nil, file)
	if got := <-done; tracker.Resolved(got) == nil || tracker.Resolved(got).Detail != Program {
		t.Errorf("asked for %q, not %q", got, name)
	}
}

// TestHostileOrigins checks that a hostile URL does not become code.
func TestHostileOrigins(t *testing.T) {
	for _, host := range []string{
		`$(touch pwned)`, "`id`", `a';id;'`, `a"+exit()+"`, "a\nid", "a b", `a\u0027`, "", strings.Repeat("a", 300), "é.example",
		strings.Repeat("a", 64) + ".example", "a..example", ".", "localhost", "x.localhost", "[2001:db8::1]:80", "192.0.2.7:8080", "a@B.example", "@ZONE",
	} {
		tracker := New(1)
		for _, kind := range []string{Shell, Python, JavaScript, PowerShell, Pickle, Program} {
			body := tracker.Script(kind, Origin{URL: "u", Scheme: "http", Host: host})
			if len(body) == 0 || len(host) > 1 && harmless(host) != host && bytes.Contains(body, []byte(host)) {
				t.Errorf("%q in %s: %q", host, kind, body)
			}
		}
		if z := tracker.plan(Shell, Origin{Host: host}).zone; z == "" || strings.Contains(z, "localhost") || question("v1."+z) == nil {
			t.Errorf("%q has the zone %q", host, z)
		}
	}
	if New(1).Script("cobol", Origin{}) != nil {
		t.Error("writes what it does not know")
	}
}

// TestOnlyRunningReports requests every URL and name that a script contains;
// none counts as a report.
func TestOnlyRunningReports(t *testing.T) {
	tracker := New(1)
	for _, kind := range []string{Shell, Python, JavaScript, PowerShell, Pickle, Program} {
		body := tracker.Script(kind, Origin{URL: kind, Scheme: "https", Host: "a.example"})
		if again := tracker.Script(kind, Origin{URL: kind, Scheme: "https", Host: "a.example"}); !bytes.Equal(body, again) {
			t.Errorf("%s is not the same twice", kind)
		}
		for product := range tracker.served {
			if bytes.Contains(body, []byte(product)) {
				t.Errorf("%s tells its id", kind)
			}
		}
	}
	for _, no := range []string{"", "v", "v1", "v1.a.example", reportPath, reportPath + "1", "/v1/version", "/"} {
		if tracker.Requested(no) != nil || tracker.Resolved(no) != nil {
			t.Errorf("%q is a report", no)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	tracker := New(1)
	for i := range maxServed {
		if tracker.Script(Shell, Origin{URL: fmt.Sprint(i)}) == nil {
			t.Fatal("nothing is served", i)
		}
	}
	if tracker.Script(Shell, Origin{URL: "one more"}) != nil || tracker.Script(Shell, Origin{URL: "0"}) == nil {
		t.Error("the memory has no end, or forgot")
	}
}
