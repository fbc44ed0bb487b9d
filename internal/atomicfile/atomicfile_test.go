package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	for _, text := range []string{"one", "other"} {
		if err := Write(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// What cannot be written leaves nothing behind, and takes nothing away.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := os.MkdirAll(filepath.Join(name, "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("x"), 0o600); err == nil {
		t.Error("wrote over a directory")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := Write(filepath.Join(dir, "none", "x"), nil, 0o600); err == nil {
		t.Error("wrote into a directory that is not there")
	}
}

// A writer that fails half-way leaves the old file, and no temporary one.
func TestWriteFromFails(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := Write(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := WriteFrom(name, 0o600, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half of the n")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	entries, _ := os.ReadDir(dir)
	if got, err := os.ReadFile(name); err != nil || string(got) != "old" || len(entries) != 1 {
		t.Errorf("%q, %v, %v", got, entries, err)
	}
}
