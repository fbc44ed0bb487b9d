package blob

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// No operation follows a link out of the directory.
func TestDirLinks(t *testing.T) {
	outside, place := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, place)
	put(t, d, "file", "ours")
	for name, to := range map[string]string{"dir": outside, "up": "..", "link": filepath.Join(outside, "secret"), "here": "file", "jobs": "../" + filepath.Base(outside)} {
		if err := os.Symlink(to, filepath.Join(place, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(place, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dir/secret", "link", "here", "jobs/secret", "up/" + filepath.Base(outside) + "/secret", "pipe"} {
		if f, err := d.Open(t.Context(), name); err == nil {
			t.Errorf("opened %s: %v", name, f)
		}
	}
	for _, name := range []string{"dir/new", "jobs/new", "up/new", "dir/secret"} {
		if _, err := d.Put(t.Context(), name, strings.NewReader("x")); err == nil {
			t.Errorf("put %s", name)
		}
		_ = d.Remove(t.Context(), name)
	}
	if got := list(t, d, "."); !cmp.Equal(got, []string{"file"}) {
		t.Errorf("listed %v", got)
	}
	for _, dir := range []string{"dir", "jobs"} {
		if found, err := d.List(t.Context(), dir); len(found) > 0 {
			t.Errorf("listed %v, %v", found, err)
		}
		if err := d.Remove(t.Context(), dir); err != nil {
			t.Errorf("removing %s: %v", dir, err)
		}
	}
	// A file that is put under the name of a link replaces it.
	put(t, d, "link", "ours, too")
	if got, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(got) != "secret" {
		t.Errorf("outside is %q, %v", got, err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside there is %v, %v", names(entries), err)
	}
}

func TestDirModes(t *testing.T) {
	place := filepath.Join(t.TempDir(), "new")
	d := open(t, place)
	put(t, d, "jobs/1/report.json", "x")
	for name, want := range map[string]fs.FileMode{"": 0o700, "jobs": 0o700, "jobs/1": 0o700, "jobs/1/report.json": 0o600} {
		if info, err := os.Stat(filepath.Join(place, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s is %v, %v", name, info.Mode(), err)
		}
	}
	// A file and a directory cannot have one name.
	if _, err := d.Put(t.Context(), "jobs/1", strings.NewReader("x")); err == nil {
		t.Error("put a file where a directory is")
	}
	if _, err := d.Put(t.Context(), "jobs/1/report.json/x", strings.NewReader("x")); err == nil {
		t.Error("put a file below a file")
	}
	if err := d.Remove(t.Context(), "jobs/1/report.json"); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(place); err != nil || !cmp.Equal(names(entries), []string{incoming}) {
		t.Errorf("empty directories are left: %v, %v", names(entries), err)
	}
	// An operator removes the seemingly empty directory.
	if err := os.Remove(filepath.Join(place, incoming)); err != nil {
		t.Fatal(err)
	}
	put(t, d, "x", "x")
}

// An incomplete file of a crash is not visible, and is removed after an hour.
func TestDirCrash(t *testing.T) {
	if place := os.Getenv("BLOB_CRASH"); place != "" {
		_, _ = open(t, place).Put(t.Context(), "jobs/1/x", io.MultiReader(strings.NewReader("half"), os.Stdin))
		return
	}
	place := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestDirCrash$")
	cmd.Env = append(os.Environ(), "BLOB_CRASH="+place)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A pipe accepts this much only if it is read.
	if _, err := in.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	left := func() []string {
		entries, err := os.ReadDir(filepath.Join(place, incoming))
		if err != nil {
			t.Fatal(err)
		}
		return names(entries)
	}
	d := open(t, place)
	if got := list(t, d, "."); got != nil {
		t.Errorf("there is %v", got)
	}
	files := left()
	if len(files) != 1 {
		t.Fatalf("it left %v, but may still be written", files)
	}
	long := time.Now().Add(-stale - time.Minute)
	if err := os.Chtimes(filepath.Join(place, incoming, files[0]), long, long); err != nil {
		t.Fatal(err)
	}
	put(t, d, "x", "x") // it has swept already
	if got := left(); len(got) != 1 {
		t.Errorf("left %v", got)
	}
	d.(*Dir).sweep(time.Now().Add(stale))
	if got := left(); got != nil {
		t.Errorf("after an hour there is still %v", got)
	}
	if err := os.WriteFile(filepath.Join(place, incoming, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(place, incoming, "old"), long, long); err != nil {
		t.Fatal(err)
	}
	open(t, place)
	if got := left(); got != nil {
		t.Errorf("who comes next finds %v", got)
	}
}

// Two ways to run out of space: a limit on file size, and a small disk.
func TestDirFull(t *testing.T) {
	if how := os.Getenv("BLOB_FULL"); how != "" {
		runOut(t, how)
		return
	}
	for how, attr := range map[string]*syscall.SysProcAttr{
		"limit": {},
		"disk": {
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		},
	} {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestDirFull$", "-test.v")
			cmd.Env, cmd.SysProcAttr = append(os.Environ(), "BLOB_FULL="+how), attr
			out, err := cmd.CombinedOutput()
			if how == "disk" && (errors.Is(err, fs.ErrPermission) || bytes.Contains(out, []byte("no disk of our own"))) {
				t.Skip("user namespaces are forbidden here: ", err)
			}
			if err != nil || !bytes.Contains(out, []byte("ran out as expected")) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func runOut(t *testing.T, how string) {
	place := t.TempDir()
	if how == "disk" {
		err := syscall.Mount("tmpfs", place, "tmpfs", 0, "size=1m")
		if errors.Is(err, fs.ErrPermission) {
			t.Fatal("no disk of our own: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Unmount(place, syscall.MNT_DETACH)
	} else {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, place)
	put(t, d, "old", "old")
	for _, name := range []string{"old", "jobs/1/new"} {
		_, err := d.Put(t.Context(), name, bytes.NewReader(make([]byte, 2<<20)))
		if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "no disk space") || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if got := list(t, d, "."); !cmp.Equal(got, []string{"old"}) || get(t, d, "old") != "old" {
		t.Fatalf("there is %v", got)
	}
	if entries, err := os.ReadDir(filepath.Join(place, incoming)); err != nil || len(entries) > 0 {
		t.Fatalf("left over: %v, %v", names(entries), err)
	}
	put(t, d, "small", "there is room for this")
	_ = d.Close()
	t.Log("ran out as expected")
}

func TestDirCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{file, filepath.Join(file, "below")} {
		if _, err := OpenDir(place); mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
			t.Errorf("%s: %v", place, err)
		}
	}
}
