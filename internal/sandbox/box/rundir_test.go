//go:build unix

package box

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func newRun(t *testing.T, base string) *RunDir {
	t.Helper()
	r, err := NewRunDir(base, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Remove() })
	return r
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// abandon leaves a run's directory as kill -9 does: existing, but unlocked.
func abandon(t *testing.T, base string) string {
	t.Helper()
	r := newRun(t, base)
	if err := r.lock.Close(); err != nil {
		t.Fatal(err)
	}
	r.lock = nil
	return r.Path
}

func TestSweepTakesTheDeadOnly(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	living := newRun(t, base)
	dead := abandon(t, base)
	// A directory that only looks like a run's is not removed.
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	link, file, other := filepath.Join(base, "run-link"), filepath.Join(base, "run-file"), filepath.Join(base, "other")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	next := newRun(t, base)
	if exists(dead) {
		t.Error("the directory of a dead run was not swept")
	}
	for _, path := range []string{living.Path, living.Stage(), next.Path, elsewhere, link, file, other} {
		if !exists(path) {
			t.Errorf("%s was swept", path)
		}
	}
}

func TestRunDirLeavesNothing(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	r := newRun(t, base)
	for range 2 {
		if err := r.Remove(); err != nil {
			t.Fatal(err)
		}
	}
	if exists(base) {
		t.Error("the last run left the base behind")
	}
}

// Runs begin and end concurrently. Each sweeps, and the last one removes the
// shared parent directory.
func TestRunDirsBesideEachOther(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				r, err := NewRunDir(base, time.Now())
				if err != nil {
					t.Errorf("making: %v", err)
					return
				}
				if !exists(r.Stage()) || !exists(filepath.Join(r.Path, "lock")) {
					t.Errorf("%s was swept while it was alive", r.ID)
				}
				if err := r.Remove(); err != nil {
					t.Errorf("removing: %v", err)
				}
			}
		})
	}
	all.Wait()
	if exists(base) {
		t.Error("the last run left the base behind")
	}
}

func TestRunDirRefusesAPreparedBase(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for _, base := range []string{open, link} {
		if r, err := NewRunDir(base, time.Now()); err == nil {
			_ = r.Remove()
			t.Errorf("%s was accepted", base)
		}
	}
}
