//go:build linux

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

var welcomed = regexp.MustCompile(`open this to sign in: (http://[0-9.:]+)/sign-in#(mcpsf_[a-z0-9_]+)\n`)

// serving is a service in a process of its own, with its API key.
type serving struct {
	*process
	url, key string
}

func (p place) serve(t *testing.T, args ...string) *serving {
	t.Helper()
	r := p.run(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(p.home, "data"), "--workers", "1"}, args...)...)
	var m []string
	r.until(t, "the welcome", func() bool {
		m = welcomed.FindStringSubmatch(r.stdout.String())
		return m != nil
	})
	return &serving{r, m[1], m[2]}
}

// env is the environment of a client of the service.
func (s *serving) env() []string { return []string{"MCPSF_API_URL=" + s.url, "MCPSF_API_KEY=" + s.key} }

// wait returns the exit code of a program.
func (r *process) wait() int {
	<-r.ended
	return r.cmd.ProcessState.ExitCode()
}

// TestCloud lets a service assess a local directory, and expects the same files
// as after a local run.
func TestCloud(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 0.01, 0)
	s := p.serve(t)
	if err := os.WriteFile(filepath.Join(p.target, ".env"), []byte("API_TOKEN=dontleaveme1234567890\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(p.home, "out")
	c := p.run(t, s.env(), "assess", p.target, "--profile", "safe", "--seed", "5", "--output", out, "--env", "GREETING=hello", "--", "python3", "server.py")
	if code := c.wait(); code != program.ExitOK {
		t.Fatalf("exit %d: %s%s\n%s", code, c.stdout.String(), c.stderr.String(), s.stderr.String())
	}
	r, err := report.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if r.Run.Seed != 5 || len(r.Session.Tools) != 1 || r.Coverage.Calls.Reached != 1 || r.Verdict.Band != mcpsf.BandPass {
		t.Errorf("the report is of another run: seed %d, %d tools, %s", r.Run.Seed, len(r.Session.Tools), r.Verdict.Band)
	}
	for _, name := range []string{"events.jsonl", "evidence.tar.zst", "traffic.pcapng"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(c.stdout.String(), "PASS") || !strings.Contains(c.stderr.String(), "drive") {
		t.Errorf("it looks unlike a run here:\n%s%s", c.stderr.String(), c.stdout.String())
	}
	if verified := p.run(t, nil, "verify", out); verified.wait() != program.ExitOK {
		t.Errorf("its evidence does not hold: %s%s", verified.stdout.String(), verified.stderr.String())
	}
	for _, dir := range []string{filepath.Join(p.home, "data"), out} {
		if found := grep(t, dir, "dontleaveme1234567890"); found != "" {
			t.Errorf("a secret of the directory is in %s", found)
		}
	}

	again := p.run(t, s.env(), "assess", p.target, "--profile", "safe", "--seed", "5", "--output", out+"2", "--env", "GREETING=hello", "--", "python3", "server.py")
	if again.wait() != program.ExitOK || strings.Count(s.stderr.String(), `"msg":"job started"`) != 1 {
		t.Errorf("the same was assessed twice: %s", s.stderr.String())
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.wait(); code != program.ExitOK {
		t.Errorf("the service ended with %d: %s", code, s.stderr.String())
	}
	if left, err := os.ReadDir(p.temp); err != nil || slices.ContainsFunc(left, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), "mcpsf-") }) {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestCloudInterrupted interrupts the client: the job ends, too.
func TestCloudInterrupted(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 60, 0)
	s := p.serve(t)
	c := p.run(t, s.env(), "assess", p.target, "--profile", "safe", "--", "python3", "server.py")
	c.until(t, "a call", func() bool { return c.driving(t) })
	id := regexp.MustCompile(`job ([0-9a-f-]{36})`).FindStringSubmatch(c.stderr.String())
	if id == nil {
		t.Fatalf("there is no job in %q", c.stderr.String())
	}
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := c.wait(); code != program.ExitFailure {
		t.Errorf("exit %d: %s", code, c.stderr.String())
	}
	client, err := executor.NewCloud(s.url, s.key)
	if err != nil {
		t.Fatal(err)
	}
	s.until(t, "the end of the job", func() bool {
		j, err := client.Job(t.Context(), id[1])
		return err == nil && j.State == job.Cancelled
	})
}

// TestCloudRefuses has invalid requests.
func TestCloudRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 0.01, 0)
	s := p.serve(t)
	for name, tt := range map[string]struct {
		env  []string
		args []string
		want string
	}{
		"a flag of this machine": {s.env(), []string{"assess", p.target, "--boxes", "2"}, "--boxes works only on this machine"},
		"a wrong key":            {[]string{"MCPSF_API_URL=" + s.url, "MCPSF_API_KEY=mcpsf_aaaaaaaaaaaa_" + strings.Repeat("a", 52)}, []string{"assess", p.target}, "does not accept the key in MCPSF_API_KEY"},
		"no key":                 {[]string{"MCPSF_API_URL=" + s.url}, []string{"assess", p.target}, "needs a key; set MCPSF_API_KEY"},
		"no address":             {nil, []string{"assess", p.target, "--executor", "cloud"}, "MCPSF_API_URL must be the URL of a service"},
		"no such executor":       {nil, []string{"assess", p.target, "--executor", "moon"}, "--executor must be auto, local, docker or cloud"},
		"a private address":      {s.env(), []string{"assess", "http://127.0.0.1:9/mcp"}, "the service at "},
	} {
		c := p.run(t, tt.env, tt.args...)
		if code := c.wait(); code != program.ExitUsage || !strings.Contains(c.stderr.String(), tt.want) {
			t.Errorf("%s: exit %d: %s", name, code, c.stderr.String())
		}
	}
	engineless := p.run(t, []string{"DOCKER_HOST=unix://" + p.home + "/docker.sock"}, "assess", p.target, "--executor", "docker")
	if code := engineless.wait(); code != program.ExitFailure || !strings.Contains(engineless.stderr.String(), "no Docker engine answers at unix://") {
		t.Errorf("no engine: exit %d: %s", code, engineless.stderr.String())
	}
	other := p.run(t, nil, "serve", "--listen", strings.TrimPrefix(s.url, "http://"), "--data", filepath.Join(p.home, "other"))
	if code := other.wait(); code != program.ExitUsage || !strings.Contains(other.stderr.String(), "choose another address with --listen") {
		t.Errorf("a taken address: exit %d: %s", code, other.stderr.String())
	}
}

// TestServeKeys makes, lists and revokes a key while the service runs.
func TestServeKeys(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 0.01, 0)
	s := p.serve(t, "--no-workers")
	data := filepath.Join(p.home, "data")
	added := p.run(t, nil, "serve", "keys", "add", "--data", data, "--project", "payments", "--name", "ci")
	if code := added.wait(); code != program.ExitOK {
		t.Fatalf("exit %d: %s", code, added.stderr.String())
	}
	text := strings.TrimSpace(added.stdout.String())
	client, err := executor.NewCloud(s.url, text)
	if err != nil {
		t.Fatal(err)
	}
	submitted, err := client.Submit(t.Context(), &job.Request{Source: "npm:notes@1.0.0"}, false, nil)
	if err != nil || submitted.State != job.Queued {
		t.Fatalf("%+v, %v", submitted, err)
	}
	list := p.run(t, nil, "serve", "keys", "list", "--data", data)
	list.wait()
	id := strings.Split(text, "_")[1]
	if !strings.Contains(list.stdout.String(), id) || strings.Contains(list.stdout.String(), strings.Split(text, "_")[2]) {
		t.Errorf("the list is %s", list.stdout.String())
	}
	if code := p.run(t, nil, "serve", "keys", "revoke", "--data", data, id).wait(); code != program.ExitOK {
		t.Errorf("revoking: exit %d", code)
	}
	if _, err := client.Job(t.Context(), submitted.ID); err == nil {
		t.Error("a revoked key opens")
	}
	if code := p.run(t, nil, "serve", "keys", "revoke", "--data", data, "nosuchkey").wait(); code != program.ExitUsage {
		t.Errorf("revoking what is not there: exit %d", code)
	}
}

// grep returns the first file below a directory that contains a text.
func grep(t *testing.T, dir, text string) string {
	t.Helper()
	found := ""
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || found != "" {
			return err
		}
		b, err := os.ReadFile(name)
		if err == nil && bytes.Contains(b, []byte(text)) {
			found = name
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}
