//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// The memory and disk that the assessment of an archive may use: far more than
// any of them needs, and far less than they try to use.
const (
	mostDisk   = 200 << 20
	mostInodes = 150_000
	mostMemory = 750 << 20
)

// archives try to fill disks and memory, to write elsewhere, or to never end.
// outside is a path that none of them may reach.
func archives(t *testing.T, outside string, entries int) []hostile {
	t.Helper()
	good := sourcetest.TarFile("server.py", "print(1)\n")
	lone := sourcetest.ZipItem{Name: "server.py", Text: "print(1)\n"}
	const bomb, many = "made to fill the disk", "more than 100000 entries"
	return []hostile{
		{name: "ratio.zip", data: bombZip(t, 200, ".py"), failed: bomb},
		{name: "ratio.tgz", data: bombGzip(t, 200), failed: "add up to more than 1.0 GiB"},
		{name: "ratio-below.tgz", data: bombGzip(t, 40), failed: bomb},
		{name: "overlap.zip", data: overlapping(t, 1000), failed: "overlap"},
		{name: "many.tgz", data: manyGzip(t, entries), failed: many},
		{name: "many.zip", data: manyZip(t, entries), failed: many},
		{name: "nested.zip", data: zipOf(t, bombZip(t, 200, ".zip"), "inner.zip", "inner.whl", "inner.mcpb")},
		{name: "nested-jars.zip", data: zipOf(t, bombZip(t, 20, ".jar"), "lib/inner.jar", "lib/other.war")},
		{name: "large-jars.zip", data: jarBomb(t, 90<<20, 3)},
		{name: "endless.zip", data: within(t, zipOf(t, nil, "x.zip"), 10, ".zip")},
		{name: "endless-jars.zip", data: within(t, zipOf(t, nil, "x.jar"), 10, ".jar")},
		{name: "climbing.tar", data: climbingTar(t, outside), told: "upwards"},
		{name: "climbing.zip", data: climbingZip(t, outside), told: "upwards"},
		{name: "sparse.tar", data: sparseTar(t), told: "sparse"},
		{name: "claims.tar", data: append(sourcetest.Tar(t, good)[:1024], sourcetest.RawTar(t, "x", '0', "77777777777\x00", nil)...), failed: "alone is 8.0 GiB"},
		{name: "claims.zip", data: sourcetest.Zip(t, lone, sourcetest.ZipItem{
			Name: "a", Size: 0xffffffff, Extra: "\x01\x00\x08\x00\x00\x00\x00\x00\x00\x10\x00\x00",
		}), failed: "alone is 16.0 TiB"},
		{name: "lies.zip", data: sourcetest.Zip(t, lone, sourcetest.ZipItem{Name: "z", Text: strings.Repeat("\x00", zeroes), Method: 8, Size: 10}), failed: "larger than it says"},
		{name: "deep.tar", data: sourcetest.Tar(t, good, sourcetest.TarFile(strings.Repeat("d/", 400)+"x", "")), failed: "nested deeper"},
		{name: "header.tgz", data: endlessHeader(t, 20<<20), failed: "damaged"},
		{name: "members.tgz", data: members(t, 200_000)},
		{name: "depth.tgz", data: packed(t, map[string]string{
			"server.py": strings.Repeat("(", 200_000), "package.json": strings.Repeat(`{"a":`, 200_000), "index.js": strings.Repeat("[", 200_000),
			"pyproject.toml": "a=" + strings.Repeat("[", 200_000), "Cargo.lock": strings.Repeat("[", 200_000), "pnpm-lock.yaml": strings.Repeat("- ", 100_000),
		})},
	}
}

// TestHostileUploads uploads harmful archives. Each job ends with the reason;
// its resources are bounded; nothing is written elsewhere, and nothing is left.
// make faults uses a million entries.
func TestHostileUploads(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	openKernel(t).up("lo")
	entries := 120_000
	if os.Getenv("MCPSF_FAULT_JOBS") != "" {
		entries = 1_000_000
	}
	p := newPlace(t, 0, 0)
	data := filepath.Join(p.home, "data")
	newDisk(t, data, 2048)
	newDisk(t, p.temp, 2048)
	s := p.serve(t, "--retry", "100ms")
	a := s.api(t)
	outside := filepath.Join(p.home, "outside")
	a.whole(a.accepted(scanned(), "usual.tgz", packed(t, map[string]string{"server.py": "print(1)\n"})), data)
	for _, h := range archives(t, outside, entries) {
		t.Run(h.name, func(t *testing.T) {
			a := s.api(t)
			m := s.measure(t, data, p.temp)
			j := a.ended(a.accepted(scanned(), h.name, h.data))
			m.stop(len(h.data))
			a.wait("nothing left in "+p.temp, func() bool { return len(p.left(t)) == 0 }, func() any { return p.left(t) })
			a.judge(&h, j, data)
		})
	}
	if left, err := os.ReadDir(p.home); err != nil || len(left) != 1 { // the data
		t.Errorf("in the home directory are %v, %v", left, err)
	}
}

// judge checks that a job ended as expected for its archive.
func (a *api) judge(h *hostile, j *job.Job, data string) {
	a.Helper()
	if h.failed != "" {
		if j.State != job.Failed || j.Attempt != 1 || !strings.Contains(j.Problem.Message, h.failed) {
			a.Errorf("it ended %s after %d tries: %+v, want %q", j.State, j.Attempt, j.Problem, h.failed)
		}
		a.hidden(j.ID)
		return
	}
	if j.State != job.Done {
		a.Errorf("it ended %s: %+v", j.State, j.Problem)
		return
	}
	r, err := report.Load(filepath.Join(data, "files", "jobs", j.ID, strconv.Itoa(j.Attempt)))
	if err != nil {
		a.Fatal(err)
	}
	if !strings.Contains(strings.Join(r.Artifact.Notes, "\n"), h.told) {
		a.Errorf("its notes are %q, want %q", r.Artifact.Notes, h.told)
	}
}

// measurement is a service's use of disk and memory.
type measurement struct {
	t                    *testing.T
	pid                  int
	disks                []string
	before               [2]int64
	disk, inodes, memory atomic.Int64
	ended, done          chan struct{}
}

// measure watches until stop is called.
func (s *serving) measure(t *testing.T, disks ...string) *measurement {
	t.Helper()
	m := &measurement{t: t, pid: s.cmd.Process.Pid, disks: disks, ended: make(chan struct{}), done: make(chan struct{})}
	m.before[0], m.before[1] = m.used()
	go func() {
		defer close(m.done)
		for {
			select {
			case <-m.ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			bytes, files := m.used()
			raise(&m.disk, bytes-m.before[0])
			raise(&m.inodes, files-m.before[1])
			raise(&m.memory, m.resident())
		}
	}()
	return m
}

func raise(to *atomic.Int64, n int64) {
	if n > to.Load() {
		to.Store(n)
	}
}

// used is the number of bytes and files on the disks.
func (m *measurement) used() (bytes, files int64) {
	for _, dir := range m.disks {
		var s unix.Statfs_t
		if err := unix.Statfs(dir, &s); err == nil {
			bytes += int64(s.Blocks-s.Bfree) * s.Bsize
			files += int64(s.Files - s.Ffree)
		}
	}
	return bytes, files
}

// resident is the private memory of the service and all its processes.
func (m *measurement) resident() int64 {
	total := int64(0)
	for _, pid := range append([]int{m.pid}, children(m.pid)...) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue // it has ended
		}
		if _, after, found := strings.Cut(string(status), "RssAnon:"); found {
			if kilobytes, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64); err == nil {
				total += kilobytes << 10
			}
		}
	}
	return total
}

// children are the descendants of a process.
func children(pid int) []int {
	var all []int
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	for _, thread := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(append(all, child), children(child)...)
			}
		}
	}
	return all
}

// stop returns the maximum, and checks that it is within the limits.
func (m *measurement) stop(uploaded int) {
	m.t.Helper()
	close(m.ended)
	<-m.done
	m.t.Logf("%.1f MB uploaded: at most %.1f MB and %d files on disk, %.1f MB in memory", megabytes(int64(uploaded)),
		megabytes(m.disk.Load()), m.inodes.Load(), megabytes(m.memory.Load()))
	if m.disk.Load() > mostDisk || m.inodes.Load() > mostInodes || m.memory.Load() > mostMemory {
		m.t.Error("that is too much")
	}
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }
