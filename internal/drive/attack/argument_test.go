package attack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// The real programs do what each option form claims.
func TestOptionsAreObeyed(t *testing.T) {
	m := newMachine(t)
	root := m.w.Roots[0]
	if err := os.WriteFile(filepath.Join(root, "notes.txt"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.run("git", "init", "-q", ".")
	m.run("git", "add", ".")
	m.run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first")
	m.run("tar", "cf", "x.tar", "notes.txt")
	payloads := argumentPayloads(m.w, Place{Kind: "argument", Type: "string", Value: json.RawMessage(`"main"`)})
	for why, command := range map[string][]string{
		"file that git log, diff and show write":   {"git", "log", "X"},
		"program that git fetch and clone run":     {"git", "fetch", "X", "."},
		"program that git grep runs":               {"git", "grep", "X", "hello"},
		"program that tar runs":                    {"tar", "xf", "x.tar", "X"},
		"file that curl, sort and compilers write": {"sort", "X", "notes.txt"},
	} {
		obeyed, spared := false, true
		for _, y := range payloads {
			if y.Why != why {
				continue
			}
			obeyed = m.obeys(command, y) || obeyed
			safe := slices.DeleteFunc(slices.Clone(command), func(a string) bool { return a == "X" })
			safe = append(safe, "--", y.Value.(string))
			spared = spared && !m.obeys(safe, y)
		}
		if !obeyed {
			t.Errorf("%s: not so", why)
		}
		if !spared {
			t.Errorf("%s: even behind --", why)
		}
	}
}

// obeys runs a command with the payload in place of X.
func (m *machine) obeys(command []string, y Payload) bool {
	m.t.Helper()
	var args []string
	for _, a := range command[1:] {
		if a == "X" {
			a = y.Value.(string)
		}
		args = append(args, a)
	}
	m.run(command[0], args...)
	if y.Sign == mcpsf.SignOpen {
		return os.Remove(y.Marker) == nil
	}
	return m.showed(y, "")
}
