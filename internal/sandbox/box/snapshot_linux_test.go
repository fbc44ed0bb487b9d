package box

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// counting answers each line with how many it has read, and opens a file for each.
const counting = `
import os, sys, threading, time
n = 0
woken = threading.Event()
def sleeper():
    while True:
        woken.wait(); woken.clear()
        open("/tmp/thread-%d" % n, "w").close()
threading.Thread(target=sleeper, daemon=True).start()
for line in sys.stdin:
    n += 1
    open("/tmp/" + line.strip(), "w").close()
    woken.set()
    print(n, line.strip(), os.getpid(), flush=True)
`

// talk is a conversation that the test leads with a box.
type talk struct {
	t     *testing.T
	box   *Box
	lines *bufio.Scanner

	mu      sync.Mutex
	records []wire.Record
	read    chan error
}

func newTalk(t *testing.T, box *Box) *talk {
	k := &talk{t: t, box: box, lines: bufio.NewScanner(box.Stdout()), read: make(chan error, 1)}
	go func() {
		k.read <- box.Each(context.WithoutCancel(t.Context()), func(r *wire.Record) error {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.records = append(k.records, *r)
			return nil
		})
	}()
	return k
}

// says sends a line and returns the answer.
func (k *talk) says(line string) string {
	k.t.Helper()
	if _, err := io.WriteString(k.box.Stdin(), line+"\n"); err != nil {
		k.t.Fatal(err)
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = k.box.Stop() })
	defer stuck.Stop()
	if !k.lines.Scan() {
		k.t.Fatalf("no answer to %q: %v; %+v", line, k.lines.Err(), k.box.Exit())
	}
	return k.lines.Text()
}

// end stops the box and returns what was recorded.
func (k *talk) end() []wire.Record {
	k.t.Helper()
	_ = k.box.Stdin().Close()
	<-k.box.Done()
	if err := k.box.Stop(); err != nil {
		k.t.Error(err)
	}
	if err := <-k.read; err != nil {
		k.t.Error(err)
	}
	if exit := k.box.Exit(); exit.Error != "" {
		k.t.Error(exit.Error)
	}
	return k.records
}

// Copies of a frozen sandbox go on where it was, each by itself, and are observed from
// their first system call on.
func TestCopies(t *testing.T) {
	var opts Options
	first := newTalk(t, startScript(t, counting, func(o *Options) { o.Engine.Freezable = true; opts = *o }))
	if got := first.says("one"); !strings.HasPrefix(got, "1 one") {
		t.Fatal(got)
	}
	snapshot, err := Freeze(t.Context(), first.box)
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	t.Logf("the snapshot takes %d KB", snapshot.Size()>>10)
	if got := first.says("two"); !strings.HasPrefix(got, "2 two") {
		t.Errorf("the original says %q after it was frozen", got)
	}
	first.end()
	for i := range 2 {
		k := newTalk(t, startCopy(t, opts, snapshot, i))
		for n, word := range []string{"again", "more"} {
			name := fmt.Sprintf("%s-%d", word, i)
			if got := k.says(name); !strings.HasPrefix(got, fmt.Sprintf("%d %s", n+2, name)) {
				t.Errorf("copy %d says %q to %q", i, got, name)
			}
		}
		checkCopy(t, i, k.end())
	}
}

func startCopy(t *testing.T, opts Options, from *Snapshot, number int) *Box {
	t.Helper()
	run, err := NewRunDir(filepath.Join(t.TempDir(), "copies"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Remove() })
	opts.Run, opts.Engine = run, Engine{Snapshot: from}
	began := time.Now()
	box, err := Start(t.Context(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("copy %d started in %v", number, time.Since(began))
	t.Cleanup(func() { _ = box.Stop() })
	return box
}

// checkCopy checks the records of a copy: its tasks, its files, and the conversation.
func checkCopy(t *testing.T, number int, records []wire.Record) {
	t.Helper()
	var read uint64
	threads, starts := 0, 0
	opened := map[string]uint64{}
	for _, r := range records {
		switch {
		case r.Op == wire.OpStart:
			starts++
		case r.Op == wire.OpFork && r.Flags&wire.FlagThread != 0:
			threads++
		case r.Op == wire.OpStdio && r.Stream == 0:
			read = r.Total
		case r.Op == wire.OpOpen && strings.HasPrefix(r.Path, "/tmp/"):
			opened[r.Path] = r.Epoch
		}
	}
	if starts != 1 || threads == 0 {
		t.Errorf("copy %d has %d starts and %d threads", number, starts, threads)
	}
	length := uint64(len("again-0\n"))
	for name, epoch := range map[string]uint64{"again": length, "more": length + uint64(len("more-0\n"))} {
		if path := fmt.Sprintf("/tmp/%s-%d", name, number); opened[path] != epoch {
			t.Errorf("copy %d opened %s for epoch %d, want %d; opened: %v", number, path, opened[path], epoch, opened)
		}
	}
	if read != length+uint64(len("more-0\n")) {
		t.Errorf("copy %d has read %d bytes", number, read)
	}
}

// What a server may have at the moment that it is frozen: a listener, children, pairs of
// sockets, pipes, timers, files. Each line asks for one of them, again in a copy.
const owning = `
import os, random, select, signal, socket, subprocess, sys, time
listener = socket.socket(); listener.bind(("127.0.0.1", 8080)); listener.listen(4)
here, there = socket.socketpair()
child = subprocess.Popen([sys.executable, "-c", "import sys\nfor l in sys.stdin: print(l.strip().upper(), flush=True)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
child.stdin.write("ready\n"); child.stdin.flush(); child.stdout.readline()
kept = open("/tmp/kept", "w+")
kept.write("before"); kept.flush()
ticks = []
signal.signal(signal.SIGALRM, lambda *a: ticks.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
began = time.monotonic()
def accept():
    c = socket.create_connection(("127.0.0.1", 8080)); s, _ = listener.accept(); c.sendall(b"net"); return s.recv(9).decode()
def pair(): here.sendall(b"pair"); return there.recv(9).decode()
def asked(): child.stdin.write("child\n"); child.stdin.flush(); return child.stdout.readline().strip()
def file(): kept.write("+"); kept.seek(0); return kept.read()
def timer():
    n = len(ticks)
    while len(ticks) == n: time.sleep(0.01)
    return "ticked"
def variable(): return os.environ.get("ASKED_FOR", "none")
def clock(): return "onward" if time.monotonic() >= began and abs(time.time() - os.stat("/tmp/kept").st_mtime) < 3600 else "wrong"
for line in sys.stdin:
    print(globals()[line.strip()](), flush=True)
`

// Whatever a server has at that moment, a copy has, too.
func TestCopyHasEverything(t *testing.T) {
	want := [][2]string{
		{"accept", "net"}, {"pair", "pair"}, {"asked", "CHILD"}, {"file", "before+"}, {"timer", "ticked"},
		{"variable", "given"}, {"clock", "onward"},
	}
	var opts Options
	first := newTalk(t, startScript(t, owning, func(o *Options) {
		o.Engine.Freezable, o.Observation.EnvHooks = true, true
		o.Artifact.Env = []string{"ASKED_FOR=given"}
		opts = *o
	}))
	if got := first.says("pair"); got != "pair" {
		t.Fatal(got)
	}
	snapshot, err := Freeze(t.Context(), first.box)
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	first.end()
	k := newTalk(t, startCopy(t, opts, snapshot, 0))
	for _, w := range want {
		if got := k.says(w[0]); got != w[1] {
			t.Errorf("%s says %q, want %q", w[0], got, w[1])
		}
	}
	var children, variables int
	for _, r := range k.end() {
		switch {
		case r.Op == wire.OpFork && r.Flags&wire.FlagThread == 0:
			children++
		case r.Op == wire.OpEnv && r.Text == "ASKED_FOR":
			variables++
		}
	}
	if children != 1 || variables != 1 {
		t.Errorf("the records have %d children and %d reads of the variable", children, variables)
	}
}
