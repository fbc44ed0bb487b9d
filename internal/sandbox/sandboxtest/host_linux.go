package sandboxtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Host is the visible state of sandboxes on this machine at one moment:
// processes, mounts, namespaces, files, cgroups and the descriptors of the
// test's own process.
type Host struct {
	dirs []string
	seen map[string]string // name -> details, if any
}

// Snapshot records the state of the host before a run, including a listing of
// each of dirs.
//
// From now on orphans become children of this process, so that every process a
// run started is found below it, even if others run sandboxes on this machine.
func Snapshot(t testing.TB, dirs ...string) *Host {
	t.Helper()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatalf("becoming the parent of orphans: %v", err)
	}
	h := &Host{dirs: dirs}
	h.seen = h.look(t)
	return h
}

// Unchanged fails the test unless the host returns to the recorded state.
// Killed processes may take a moment to disappear; nothing else may.
func (h *Host) Unchanged(t testing.TB, runIDs ...string) {
	t.Helper()
	const patience, interval = 15 * time.Second, 20 * time.Millisecond
	left := h.changes(t, runIDs)
	for end := time.Now().Add(patience); len(left) > 0 && time.Now().Before(end); left = h.changes(t, runIDs) {
		time.Sleep(interval)
	}
	for _, l := range left {
		t.Error("the host has changed: " + l)
	}
}

// Descendants returns the living processes below pid, by number, with their
// names.
func Descendants(t testing.TB, pid int) map[int]string {
	t.Helper()
	names, parents := map[int]string{}, map[int]int{}
	for _, stat := range glob(t, "/proc/[0-9]*/stat") {
		raw, err := os.ReadFile(stat)
		if err != nil {
			continue // it ended meanwhile
		}
		open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
		rest := strings.Fields(string(raw[end+1:]))
		id, _ := strconv.Atoi(strings.TrimSpace(string(raw[:open])))
		parents[id], _ = strconv.Atoi(rest[1])
		if state := rest[0]; state != "Z" && state != "X" {
			names[id] = role(id, string(raw[open+1:end]))
		}
	}
	found := map[int]string{}
	for id, name := range names {
		for up := parents[id]; up > 1; up = parents[up] {
			if up == pid {
				found[id] = name
				break
			}
		}
	}
	return found
}

// role returns the name a process was started under, which identifies the
// sandbox's own processes.
func role(pid int, fallback string) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	first, _, _ := bytes.Cut(raw, []byte{0})
	if err != nil || len(first) == 0 {
		return fallback
	}
	return filepath.Base(string(first))
}

// changes lists what appeared or disappeared.
func (h *Host) changes(t testing.TB, runIDs []string) []string {
	t.Helper()
	now := h.look(t)
	for _, id := range runIDs {
		for _, group := range append(glob(t, "/sys/fs/cgroup/*"+id+"*"), glob(t, "/sys/fs/cgroup/*/*"+id+"*")...) {
			now["cgroup "+group] = "left behind"
		}
	}
	var out []string
	for _, what := range slices.Sorted(maps.Keys(now)) {
		if old, ok := h.seen[what]; !ok || old != now[what] {
			out = append(out, fmt.Sprintf("%s: %q, before %q", what, now[what], old))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(h.seen)) {
		// Other tests may release their descriptors meanwhile.
		if _, ok := now[what]; !ok && !strings.HasPrefix(what, descriptors) {
			out = append(out, what+" is gone")
		}
	}
	return out
}

func (h *Host) look(t testing.TB) map[string]string {
	t.Helper()
	seen := map[string]string{}
	self := os.Getpid()
	own := namespaces(t, self)
	for pid, name := range Descendants(t, self) {
		seen["process "+strconv.Itoa(pid)] = name
		for kind, ns := range namespaces(t, pid) {
			if ns != own[kind] {
				seen["namespace "+ns] = "of a process"
			}
		}
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		seen["mount "+strings.TrimSpace(line)] = ""
	}
	for _, dir := range h.dirs {
		list(t, dir, seen)
	}
	for _, pattern := range []string{"runsc*", "gvisor*", "*mcpsf-*"} {
		for _, dir := range []string{"/run", "/var/run", "/dev/shm", "/mnt"} {
			for _, name := range glob(t, filepath.Join(dir, pattern)) {
				seen["file "+name] = ""
			}
		}
	}
	held(t, seen)
	return seen
}

// descriptors is the prefix of the descriptor counts.
const descriptors = "descriptors of kind "

// held counts what this process keeps of a run: the ends of its pipes, its
// sockets, its rings, and namespaces that a descriptor would keep alive.
func held(t testing.TB, seen map[string]string) {
	t.Helper()
	counts := map[string]int{}
	for _, fd := range glob(t, "/proc/self/fd/*") {
		target, err := os.Readlink(fd)
		if err != nil {
			continue
		}
		kind, _, special := strings.Cut(target, ":[")
		switch {
		case special && (kind != "anon_inode" || strings.Contains(target, "pidfd")):
			counts[descriptors+kind]++
		case strings.HasPrefix(target, "/memfd:ring"):
			counts["rings open"]++
		}
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	counts["rings mapped"] = strings.Count(string(maps), "/memfd:ring")
	for what, n := range counts {
		if n > 0 {
			seen[what] = strconv.Itoa(n)
		}
	}
}

func namespaces(t testing.TB, pid int) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, link := range glob(t, fmt.Sprintf("/proc/%d/ns/*", pid)) {
		if ns, err := os.Readlink(link); err == nil {
			found[filepath.Base(link)] = ns
		}
	}
	return found
}

func list(t testing.TB, dir string, seen map[string]string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			seen["file "+name] = d.Type().String()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
