package code_test

import (
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf/internal/static/code"
)

// TestMain is also the child process: the tests start their own binary again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "read-source":
			if err := code.Child(os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case "read-badly":
			badChild()
			return
		}
	}
	goleak.VerifyTestMain(m)
}

func self(t testing.TB, command string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{exe, command}
}

func read(t testing.TB, fsys fs.FS) *code.Result {
	t.Helper()
	r, err := code.Read(t.Context(), fsys, &code.Options{Self: self(t, "read-source"), FileTime: time.Minute, DependencyTime: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
