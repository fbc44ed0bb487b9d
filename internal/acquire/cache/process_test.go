package cache

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// play is what this test binary does when a test starts it as a process of its
// own.
func play(role string) int {
	c, err := Open(os.Getenv("CACHE_TEST_DIR"), nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	build := sample
	switch role {
	case "build":
		build = logged
	case "stuck":
		build = func(ctx context.Context, dir string) ([]byte, error) {
			_, _ = sample(ctx, dir)
			fmt.Fprintln(os.Stdout, "ready")
			time.Sleep(time.Hour)
			return nil, nil
		}
	}
	dir, _, release, err := c.Tree(context.Background(), "key", build)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer release()
	if role == "hold" {
		fmt.Fprintln(os.Stdout, "ready")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	if _, err := os.Stat(filepath.Join(dir, "lib", "empty")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// logged is sample, and logs a line for every call.
func logged(ctx context.Context, dir string) ([]byte, error) {
	f, err := os.OpenFile(os.Getenv("CACHE_TEST_DIR")+".log", os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintln(f, "built")
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	time.Sleep(50 * time.Millisecond) // long enough for other processes to arrive
	return sample(ctx, dir)
}

func process(t *testing.T, role, dir string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "CACHE_TEST_ROLE="+role, "CACHE_TEST_DIR="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	return cmd, &stderr
}

// ready starts a process and waits until it reports that it is ready.
func ready(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the process said %q, %v; stderr %q", line, err, cmd.Stderr)
	}
}

func TestTreeIsBuiltOnceByProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	const count = 10
	var cmds [count]*exec.Cmd
	var stderr [count]*bytes.Buffer
	for i := range cmds {
		cmds[i], stderr[i] = process(t, "build", dir) // they also create the cache itself
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, stderr[i])
		}
	}
	log, err := os.ReadFile(dir + ".log")
	if err != nil || strings.Count(string(log), "\n") != 1 {
		t.Errorf("built %d times, %v; want once", strings.Count(string(log), "\n"), err)
	}
	c := openCache(t, dir)
	got, _ := mustTree(t, c, "key", noBuild)
	if diff := cmp.Diff(sampleListing(), listing(t, got)); diff != "" {
		t.Errorf("built (-want +got):\n%s", diff)
	}
	tidy(t, c)
}

func TestKilledBuilder(t *testing.T) {
	c := newCache(t)
	cmd, _ := process(t, "stuck", c.Dir())
	ready(t, cmd)
	if c.Has("key") {
		t.Error("a tree that is being built is already there")
	}
	if entries, err := c.Entries(); err != nil || len(entries) != 0 {
		t.Errorf("a tree that is being built is listed: %v, %v", entries, err)
	}
	built := make(chan error, 1)
	go func() {
		_, _, release, err := c.Tree(t.Context(), "key", sample)
		if err == nil {
			release()
		}
		built <- err
	}()
	other := openCache(t, c.Dir()) // sweeps, but not what is in use
	if _, _, err := other.Clear(t.Context(), func(Entry) bool { return true }); err != nil {
		t.Error(err)
	}
	if left := readDir(filepath.Join(c.Dir(), buildingDir)); len(left) == 0 {
		t.Error("the tree was swept away while it was being built")
	}
	select {
	case err := <-built:
		t.Fatalf("the waiting one did not wait: %v", err)
	default:
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-built; err != nil {
		t.Error(err)
	}
	dir, _ := mustTree(t, c, "key", noBuild)
	if diff := cmp.Diff(sampleListing(), listing(t, dir)); diff != "" {
		t.Errorf("built (-want +got):\n%s", diff)
	}
	tidy(t, openCache(t, c.Dir()))
}

func TestClearWhileAnotherProcessHolds(t *testing.T) {
	c := newCache(t)
	_, release := mustTree(t, c, "other", sample)
	release()
	cmd, stderr := process(t, "hold", c.Dir())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	ready(t, cmd)
	removed, bytes, err := c.Clear(t.Context(), func(Entry) bool { return true })
	inUse, ok := errors.AsType[*InUseError](err)
	if !ok || len(inUse.Entries) != 1 || inUse.Entries[0].Key != "key" || removed != 1 || bytes == 0 {
		t.Errorf("removed %d with %d bytes and %v; want the other one only", removed, bytes, err)
	}
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the one who held it found it gone: %v: %s", err, stderr)
	}
	if removed, _, err := c.Clear(t.Context(), func(Entry) bool { return true }); removed != 1 || err != nil {
		t.Errorf("removed %d, %v when nobody held it any more", removed, err)
	}
	tidy(t, c)
}

// TestAsOrdinaryUser runs the tests that do not work as root as another user.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the tests themselves do, without root")
	}
	const nobody = 65534
	tmp := t.TempDir()
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip("no /proc:", err)
	}
	program, work := filepath.Join(tmp, "program"), filepath.Join(tmp, "work")
	err = errors.Join(os.WriteFile(program, self, 0o755), os.Mkdir(work, 0o755), os.Chown(work, nobody, nobody),
		os.Chmod(filepath.Dir(tmp), 0o755), os.Chmod(tmp, 0o755))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^(TestDamaged|TestHostileTree|TestReadOnly|TestRefused|TestFiles|TestTree$)", "-test.v")
	cmd.Dir = work
	cmd.Env = []string{"TMPDIR=" + work}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) {
		t.Skip("cannot become somebody else:", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestHostileTree") {
		t.Errorf("%v\n%s", err, out)
	}
}
