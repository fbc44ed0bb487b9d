package fakeprograms

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// machine has the fake programs of one home in a folder.
type machine struct {
	t    *testing.T
	home *decoys.Home
	// bin has the scripts, dir is where they are run, shell is what runs them.
	bin, dir string
	shell    []string
	files    []decoys.File
}

func testTime() time.Time { return time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC) }

func newMachine(t *testing.T, seed uint64) *machine {
	t.Helper()
	home, err := decoys.Mint(seed, testTime())
	if err != nil {
		t.Fatal(err)
	}
	files, err := Files(seed, testTime(), &home)
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, home: &home, bin: t.TempDir(), dir: t.TempDir(), shell: []string{"/bin/sh"}, files: files}
	for _, f := range files {
		if filepath.Dir(f.Path) != mcpsf.FakeProgramDir || f.Mode != 0o755 {
			t.Errorf("%s has mode %o", f.Path, f.Mode)
		}
		if err := os.WriteFile(m.at(filepath.Base(f.Path)), f.Content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) at(name string) string { return filepath.Join(m.bin, name) }

// put writes a file into the folder where the scripts are run.
func (m *machine) put(name, content string) string {
	m.t.Helper()
	at := filepath.Join(m.dir, name)
	if err := os.WriteFile(at, []byte(content), 0o700); err != nil {
		m.t.Fatal(err)
	}
	return at
}

// shells returns the shells of this machine that have to understand the scripts.
func shells() [][]string {
	list := [][]string{{"/bin/sh"}}
	for _, s := range [][]string{{"dash"}, {"busybox", "sh"}, {"bash", "--posix"}} {
		if p, err := exec.LookPath(s[0]); err == nil {
			list = append(list, append([]string{p}, s[1:]...))
		}
	}
	return list
}

type result struct {
	out, err string
	code     int
}

// run runs a fake program in an environment in which no other program is found.
func (m *machine) run(command ...string) result { return m.runIn("/nonexistent", command...) }

func (m *machine) runIn(search string, command ...string) result {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), 20*time.Second)
	defer cancel()
	args := append(append([]string{}, m.shell[1:]...), m.at(command[0]))
	c := exec.CommandContext(ctx, m.shell[0], append(args, command[1:]...)...)
	c.Dir, c.Env = m.dir, []string{"PATH=" + search, "HOME=" + m.dir}
	var out, failure bytes.Buffer
	c.Stdout, c.Stderr = &out, &failure
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		m.t.Fatalf("%.40q: %v", command, err)
	}
	return result{out.String(), failure.String(), c.ProcessState.ExitCode()}
}

// line runs a command line without any quoting.
func (m *machine) line(line string) result { return m.run(strings.Fields(line)...) }
