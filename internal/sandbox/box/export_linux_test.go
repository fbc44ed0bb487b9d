package box

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// python runs code in a sandbox to its end and returns its output.
func python(t *testing.T, code string, settle func(*Options)) (string, *Box) {
	t.Helper()
	box, err := Start(t.Context(), pythonOptions(t, code, settle))
	if err != nil {
		t.Fatal(err)
	}
	return output(t, box), box
}

func pythonOptions(t *testing.T, code string, settle func(*Options)) *Options {
	t.Helper()
	require(t)
	run, err := NewRunDir(filepath.Join(t.TempDir(), "runs"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Remove() })
	opts := &Options{
		Artifact: &mcpsf.Artifact{Dir: run.Stage(), Runtime: mcpsf.RuntimePython, Command: []string{"python3", "-c", code}},
		Run:      run, Machine: Machine{Now: time.Now()},
		Content: Content{Files: []File{{Path: mcpsf.Home + "/.netrc", Mode: 0o600, Content: []byte("planted")}}},
	}
	showPython(t, opts)
	settle(opts)
	return opts
}

// output waits for the end of a box and returns what it printed.
func output(t *testing.T, box *Box) string {
	t.Helper()
	t.Cleanup(func() { _ = box.Stop() })
	read := make(chan error, 1)
	go func() { read <- box.Each(t.Context(), func(*wire.Record) error { return nil }) }()
	var complaints bytes.Buffer
	go func() { _, _ = io.Copy(&complaints, box.Stderr()) }()
	out, err := io.ReadAll(box.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	<-box.Done()
	if err := <-read; err != nil { // before Stop: the reader may not even have begun
		t.Error(err)
	}
	if err := box.Stop(); err != nil {
		t.Error(err)
	}
	if complaints.Len() > 0 {
		t.Log(complaints.String())
	}
	return string(out)
}

func TestWhatOneSandboxLeavesAnotherFinds(t *testing.T) {
	archive, err := os.Create(filepath.Join(t.TempDir(), "installed.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	_, box := python(t, `
import os
os.makedirs("node_modules/x/"+"d/"*60)
open("node_modules/x/big", "wb").write(bytes(range(256))*20000)
open("node_modules/x/run.sh", "w").write("#!/bin/sh\n"); os.chmod("node_modules/x/run.sh", 0o755)
os.utime("node_modules/x/run.sh", (1500000000, 1500000000))
os.symlink("/etc/passwd", "node_modules/link"); os.symlink("../../../..", "node_modules/up")
open("node_modules/n\nl\x1b[31m\u00e9", "w").write("odd")
os.mkfifo("pipe")
open(os.path.expanduser("~/.cache-of-it"), "w").write("kept")
open(os.path.expanduser("~/.netrc"), "a").write(" and changed")
os.chmod("node_modules/x", 0o555)
`, func(o *Options) {
		o.Export = &Export{Dirs: []string{mcpsf.Home}, Max: 64 << 20, To: archive}
	})
	if err := box.Exported(); err != nil {
		t.Fatal(err)
	}
	out, _ := python(t, `
import os, stat
s = os.stat("node_modules/x/run.sh")
print(stat.filemode(s.st_mode), s.st_uid, int(s.st_mtime))
print(open("node_modules/x/big","rb").read() == bytes(range(256))*20000)
print(os.readlink("node_modules/link"), os.readlink("node_modules/up"), os.path.exists("pipe"))
print(open("node_modules/n\nl\x1b[31m\u00e9").read(), oct(os.stat("node_modules/x").st_mode))
print(open(os.path.expanduser("~/.cache-of-it")).read(), open(os.path.expanduser("~/.netrc")).read())
open("new", "w").write("x"); print(sorted(os.listdir(".")), os.path.isdir("node_modules/x/"+"d/"*60))
`, func(o *Options) {
		o.Content.Installed = archive.Name()
	})
	want := `-rwxr-xr-x 1000 1500000000
True
/etc/passwd ../../../.. False
odd 0o40555
kept planted
['new', 'node_modules'] True
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// archived returns the names in an archive.
func archived(t *testing.T, file string) (names []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
}

// A server finds what its earlier start left, in temporary folders as well.
func TestStateIsKept(t *testing.T) {
	archive, err := os.Create(filepath.Join(t.TempDir(), "kept.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	places := `[os.path.expanduser("~/.state"), "/tmp/a/state", "/var/tmp/state"]`
	_, box := python(t, `
import os
os.mkdir("/tmp/a")
for f in `+places+`: open(f, "w").write("kept")
os.utime("/tmp/a/state", (1500000000, 1500000000))
open(os.path.expanduser("~/.link")).read()
`, func(o *Options) {
		o.Content.Files = append(o.Content.Files, File{Path: mcpsf.Home + "/.link", Link: ".netrc"})
		o.Export = &Export{Dirs: StateDirs(), Changed: true, Max: 1 << 20, To: archive}
	})
	if err := box.Exported(); err != nil {
		t.Fatal(err)
	}
	if names := archived(t, archive.Name()); slices.Contains(names, mcpsf.Home+"/.link") || slices.Contains(names, mcpsf.Home+"/.netrc") {
		t.Errorf("what was there before is archived: %q", names)
	}
	// The next start deletes one file and makes another. The one after it finds what
	// both left.
	next, err := os.Create(filepath.Join(t.TempDir(), "next.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	look := `
import os
print([os.path.exists(f) and open(f).read() for f in ` + places + `], os.path.exists("/tmp/a/more"))
`
	out, box := python(t, look+`
os.remove("/var/tmp/state")
open("/tmp/a/more", "w").write("more")
`, func(o *Options) {
		o.Content.Kept = archive.Name()
		o.Export = &Export{Dirs: StateDirs(), Changed: true, Max: 1 << 20, To: next}
	})
	if want := "['kept', 'kept', 'kept'] False\n"; out != want || box.Exported() != nil {
		t.Errorf("got %q, want %q", out, want)
	}
	out, _ = python(t, look, func(o *Options) { o.Content.Kept = next.Name() })
	if want := "['kept', 'kept', False] True\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

func TestExportIsBounded(t *testing.T) {
	var archive bytes.Buffer
	_, box := python(t, `open("big", "wb").write(bytes(8<<20))`, func(o *Options) {
		o.Export = &Export{Dirs: []string{mcpsf.Home}, Max: 1 << 20, To: &archive}
	})
	if err := box.Exported(); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("an export beyond its bound gave %v", err)
	}
	if archive.Len() > 1<<20 {
		t.Errorf("%d bytes arrived", archive.Len())
	}
}

// A kernel that fails while it prepares the sandbox is not reported as a server
// that ended by itself.
func TestKernelThatEndsBeforeTheServerIsTold(t *testing.T) {
	archive, err := os.Create(filepath.Join(t.TempDir(), "installed.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	w := tar.NewWriter(archive)
	for _, name := range []string{"/file", "/file/below"} {
		if err := w.WriteHeader(&tar.Header{Name: mcpsf.Home + name, Typeflag: tar.TypeReg, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	box, err := Start(t.Context(), pythonOptions(t, "", func(o *Options) { o.Content.Installed = archive.Name() }))
	if err != nil { // it was faster than its start
		if !strings.Contains(err.Error(), "populating the sandbox") {
			t.Error(err)
		}
		return
	}
	output(t, box)
	if exit := box.Exit(); !strings.Contains(exit.Error, "before anything ran") {
		t.Errorf("exit %+v", exit)
	}
}

// Processes that the first process leaves running get the linger time, and no
// more.
func TestLinger(t *testing.T) {
	const letGo = `
import os, subprocess, sys
print("done", flush=True)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(%s); print('later', flush=True); time.sleep(%s)"], start_new_session=True)
os._exit(7)
`
	for _, tt := range []struct {
		name, code, want string
		linger           time.Duration
	}{
		{"ends by itself", fmt.Sprintf(letGo, "0.5", "0"), "done\nlater\n", time.Minute},
		{"goes on", fmt.Sprintf(letGo, "0.5", "3600"), "done\nlater\n", 5 * time.Second},
		{"nobody waits", fmt.Sprintf(letGo, "3600", "0"), "done\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, box := python(t, tt.code, func(o *Options) { o.Linger = tt.linger })
			if exit := box.Exit(); out != tt.want || exit.Code != 7 {
				t.Errorf("printed %q and exited with %d, want %q and 7", out, exit.Code, tt.want)
			}
		})
	}
}
