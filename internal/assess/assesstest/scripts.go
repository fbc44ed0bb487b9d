//go:build linux

package assesstest

import (
	"embed"
	"os"
	"path/filepath"
	"testing"
)

// scripts are servers, the tools of servers, and mcp.py, the prelude of all that
// are written in Python.
//
//go:embed testdata
var scripts embed.FS

// Script returns the text of a test server, or of its tools.
func Script(t *testing.T, name string) string {
	t.Helper()
	body, err := scripts.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Example returns the directory of a server in examples/, wherever in the
// repository the test is.
func Example(t *testing.T, name string) string {
	t.Helper()
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return filepath.Join(at, "examples", name)
		}
		if filepath.Dir(at) == at {
			t.Fatal("the test does not run in the repository")
		}
		at = filepath.Dir(at)
	}
}
