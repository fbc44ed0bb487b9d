//go:build linux

package source

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// asOrdinaryUser runs f with the file access rights of a user who is not root
// and owns nothing here. The thread that f ran on is discarded.
func asOrdinaryUser(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with us
		if err := syscall.Setfsuid(65534); err != nil {
			done <- err
			return
		}
		f()
	}()
	for err := range done {
		t.Fatal(err)
	}
}

func TestUnreadable(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		lock  string
		mode  os.FileMode
		at    string
		text  string
	}{
		{"file", map[string]string{"server.js": "", "d/key.pem": "x"}, "d/key.pem", 0, "", `"d/key.pem"`},
		{"directory", map[string]string{"server.js": "", "d/x": ""}, "d", 0, "", `"d"`},
		{"directory that cannot be searched", map[string]string{"server.js": "", "d/x": ""}, "d", 0o644, "", `"d`},
		{"target", map[string]string{"server.js": ""}, "server.js", 0, "server.js", `"server.js"`},
		{"target directory", map[string]string{"d/server.js": ""}, "d", 0, "d", "cannot be read"},
		{"above the target", map[string]string{"d/e/server.js": ""}, "d", 0, "d/e", "cannot be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := sourcetest.Plant(t, test.files)
			sourcetest.Must(t, os.Chmod(filepath.Join(dir, test.lock), test.mode))
			t.Cleanup(func() { sourcetest.Must(t, os.Chmod(filepath.Join(dir, test.lock), 0o700)) })
			stage := t.TempDir()
			sourcetest.Must(t, os.Chmod(stage, 0o777))
			for _, above := range []string{dir, stage} {
				sourcetest.Must(t, os.Chmod(filepath.Dir(above), 0o755))
			}
			ctx, options := t.Context(), &kind.Options{}
			var err error
			asOrdinaryUser(t, func() {
				_, err = Resolve(ctx, mcpsf.Target{Source: filepath.Join(dir, test.at)}, stage, options)
			})
			sourcetest.WantUsage(t, err, "permission denied", test.text)
		})
	}
}
