package attack

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// machine is a directory in which payloads really run. Its programs only create
// a file of their own name.
type machine struct {
	t        *testing.T
	w        *World
	dir, ran string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, dir: dir, ran: filepath.Join(dir, "ran"), w: New(7, filepath.Join(dir, "root"))}
	m.w.Outside = filepath.Join(dir, "outside")
	bin := filepath.Join(dir, "bin")
	for _, d := range []string{m.ran, bin, m.w.Outside, m.w.Roots[0]} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range m.w.Programs() {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n: > '"+m.ran+"/"+name+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// plant creates the world's files.
func (m *machine) plant() {
	m.t.Helper()
	for _, f := range m.w.Files() {
		var err error
		switch {
		case f.Dir:
			err = os.MkdirAll(f.Path, 0o700)
		case f.Link != "":
			err = os.Symlink(f.Link, f.Path)
		default:
			err = os.WriteFile(f.Path, f.Content, 0o600)
		}
		if err != nil {
			m.t.Fatal(err)
		}
	}
}

// run runs a program with the planted programs first on PATH.
func (m *machine) run(name string, args ...string) string {
	m.t.Helper()
	return m.feed("", name, args...)
}

func (m *machine) feed(input, name string, args ...string) string {
	m.t.Helper()
	at, err := exec.LookPath(name)
	if err != nil {
		m.t.Skip(name, "is not here")
	}
	ctx, cancel := context.WithTimeout(m.t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, at, args...)
	cmd.Dir = m.w.Roots[0]
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = []string{"PATH=" + filepath.Join(m.dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + m.dir, "LC_ALL=C.UTF-8"}
	out, _ := cmd.CombinedOutput() // a payload may make it fail
	return string(out)
}

// answers runs a vulnerable test server: a script that reads a list of cases
// and writes a list of answers.
func (m *machine) answers(cases any, name string, args ...string) []string {
	m.t.Helper()
	input, err := json.Marshal(cases)
	if err != nil {
		m.t.Fatal(err)
	}
	out := m.feed(string(input), name, args...)
	var all []string
	// Output of the payloads comes before the last line.
	last := strings.TrimSpace(out)
	if err := json.Unmarshal([]byte(last[strings.LastIndexByte(last, '\n')+1:]), &all); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	return all
}

// showed reports whether the sign appeared, and clears it.
func (m *machine) showed(y Payload, answer string) bool {
	m.t.Helper()
	switch y.Sign {
	case mcpsf.SignExec:
		return os.Remove(filepath.Join(m.ran, y.Marker)) == nil
	case mcpsf.SignAnswer:
		return strings.Contains(answer, y.Marker)
	}
	m.t.Fatalf("the sign %s is not seen here", y.Sign)
	return false
}
