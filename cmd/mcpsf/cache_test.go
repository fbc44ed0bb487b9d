package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
)

// cacheCommand runs the program with a cache of the test's own.
func cacheCommand(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), append([]string{"cache"}, args...), nil, &out, &err, func(name string) string {
		return map[string]string{"MCPSF_CACHE": dir}[name]
	})
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if ansi.StringWidth(line) > 80 && len(args) == 0 {
			t.Errorf("wider than the screen: %q", line)
		}
		for _, r := range line {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u202e' {
				t.Errorf("the character %U reached the terminal: %q", r, line)
			}
		}
	}
	return out.String(), err.String(), code
}

// keep puts an empty tree into the cache for every key, and returns the last.
func keep(t *testing.T, c *cache.Cache, keys ...string) (dir string, release func()) {
	t.Helper()
	for _, key := range keys {
		var err error
		dir, _, release, err = c.Tree(t.Context(), key, func(_ context.Context, dir string) ([]byte, error) {
			return nil, os.WriteFile(filepath.Join(dir, "file"), make([]byte, 5000), 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
		if key != keys[len(keys)-1] {
			release()
		}
	}
	return dir, release
}

func newTestCache(t *testing.T) *cache.Cache {
	t.Helper()
	c, err := cache.Open(filepath.Join(t.TempDir(), "cache"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestCacheIsShown(t *testing.T) {
	c := newTestCache(t)
	long := "npm/" + strings.Repeat("x", 200)
	_, release := keep(t, c, "npm/registry.example/left-pad/1.0.0", long, "\x1b]0;owned\x07\u202e\xff\n", "日本語")
	release()
	out, errs, code := cacheCommand(t, c.Dir())
	if code != program.ExitOK || errs != "" || !strings.Contains(out, "4 entries, 32 KiB of 20 GiB") || !strings.Contains(out, "left-pad/1.0.0  ") {
		t.Errorf("exit code %d, stderr %q, stdout:\n%s", code, errs, out)
	}
	out, _, code = cacheCommand(t, c.Dir(), "--format", "json")
	var doc struct {
		Bytes   int64
		Entries []struct {
			Key, Kind string
			Files     int
			Used      time.Time
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != program.ExitOK {
		t.Fatalf("exit code %d, %v:\n%s", code, err, out)
	}
	if len(doc.Entries) != 4 || doc.Bytes != 32<<10 || doc.Entries[3].Key != "日本語" || doc.Entries[3].Files != 1 ||
		doc.Entries[3].Kind != "tree" || doc.Entries[3].Used.IsZero() {
		t.Errorf("got %+v", doc)
	}
}

func TestCacheClear(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		left string
		says string
	}{
		{"all", nil, "", "removed 3 entries, freed 24 KiB"},
		{"part", []string{"left"}, "npm/r.example/right/1 pypi/r.example/x/1", "removed 1 entry"},
		{"pattern", []string{"npm/*"}, "pypi/r.example/x/1", "removed 2 entries"},
		{"pattern is whole", []string{"*left"}, "npm/r.example/left/1 npm/r.example/right/1 pypi/r.example/x/1", "nothing to remove"},
		{"not an expression", []string{"np[m]/.*"}, "npm/r.example/left/1 npm/r.example/right/1 pypi/r.example/x/1", "nothing to remove"},
		{"not old enough", []string{"--older-than", "30d"}, "npm/r.example/left/1 npm/r.example/right/1 pypi/r.example/x/1", "nothing to remove"},
		{"old enough", []string{"--older-than", "0s"}, "", "removed 3 entries"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newTestCache(t)
			_, release := keep(t, c, "npm/r.example/left/1", "npm/r.example/right/1", "pypi/r.example/x/1")
			release()
			out, _, code := cacheCommand(t, c.Dir(), append([]string{"clear"}, tt.args...)...)
			if code != program.ExitOK || !strings.Contains(out, tt.says) {
				t.Errorf("exit code %d, said %q, want %q", code, out, tt.says)
			}
			entries, err := c.Entries()
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, e := range entries {
				left = append(left, e.Key)
			}
			if got := strings.Join(left, " "); got != tt.left {
				t.Errorf("left %q, want %q", got, tt.left)
			}
		})
	}
}

func TestCacheClearLeavesWhatIsInUse(t *testing.T) {
	c := newTestCache(t)
	dir, release := keep(t, c, "free", "busy\x1b[31m")
	defer release()
	out, _, code := cacheCommand(t, c.Dir(), "clear")
	if code != program.ExitOK || !strings.Contains(out, "in use, left: busy") || !strings.Contains(out, "removed 1 entry, freed 8 KiB") {
		t.Errorf("exit code %d, said %q", code, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "file")); err != nil {
		t.Error(err)
	}
}

func TestCacheVerify(t *testing.T) {
	c := newTestCache(t)
	dir, release := keep(t, c, "sound", "changed")
	release()
	if out, _, code := cacheCommand(t, c.Dir(), "verify"); code != program.ExitOK || !strings.Contains(out, "checked 2 entries, 16 KiB") {
		t.Errorf("exit code %d, said %q", code, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, code := cacheCommand(t, c.Dir(), "verify")
	if code != program.ExitFindings || !strings.Contains(out, `damaged: changed: "file" has another`) || !strings.Contains(out, "1 damaged") {
		t.Errorf("exit code %d, said %q", code, out)
	}
}
