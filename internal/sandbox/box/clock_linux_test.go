package box

import (
	"bufio"
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// A sleeping task is woken at once, however it sleeps, and sees that the time
// has passed on every clock. Timers expire in order.
func TestAdvance(t *testing.T) {
	const hour = "3600"
	for name, script := range map[string]string{
		"nanosleep": `time.sleep(` + hour + `)`,
		"until a date": `
class ts(ctypes.Structure): _fields_ = [("s", ctypes.c_long), ("n", ctypes.c_long)]
libc.clock_nanosleep(0, 1, ctypes.byref(ts(int(time.time()) + ` + hour + ` + 1, 0)), None)`,
		"poll":  `select.poll().poll(` + hour + `000)`,
		"epoll": `select.epoll().poll(` + hour + `)`,
		"futex": `threading.Event().wait(` + hour + `)`,
		"socket": `
a, b = socket.socketpair()
a.settimeout(` + hour + `)
try: a.recv(1)
except TimeoutError: pass`,
		"alarm": `
signal.signal(signal.SIGALRM, lambda *a: None)
signal.alarm(` + hour + `)
signal.pause()`,
		"timer that signals": `
signal.signal(signal.SIGALRM, lambda *a: None)
id = ctypes.c_void_p()
assert libc.timer_create(1, None, ctypes.byref(id)) == 0
assert libc.timer_settime(id, 0, (ctypes.c_long * 4)(0, 0, ` + hour + `, 0), None) == 0
signal.pause()`,
		"timer to be read": `
fd = libc.timerfd_create(1, 0)
assert libc.timerfd_settime(fd, 0, (ctypes.c_long * 4)(0, 0, ` + hour + `, 0), None) == 0
os.read(fd, 8)`,
		"in a child": `subprocess.run(["sleep", "` + hour + `"])`,
		"heartbeats": `
for i in range(12): time.sleep(300)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkAdvance(t, script)
		})
	}
}

func checkAdvance(t *testing.T, script string) {
	t.Helper()
	box := startScript(t, `
import ctypes, os, select, signal, socket, subprocess, threading, time
libc = ctypes.CDLL(None)
order = []
def early():
    time.sleep(60)
    order.append(time.monotonic())
threading.Thread(target=early, daemon=True).start()
began = time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME)
`+script+`
print(time.time() - began[0], time.monotonic() - began[1], time.clock_gettime(time.CLOCK_BOOTTIME) - began[2], order[0] - began[1], flush=True)
`)
	var last int64
	read := make(chan error, 1)
	go func() {
		read <- box.Each(context.WithoutCancel(t.Context()), func(r *wire.Record) error {
			if r.Nanos < last {
				t.Errorf("a record is %v before the one that it follows", time.Duration(last-r.Nanos))
			}
			last = r.Nanos
			return nil
		})
	}()
	began := box.Clock().Now()
	box.Clock().AdvanceTo(began + int64(2*time.Hour))
	consenting(t, box)
	lines := bufio.NewScanner(box.Stdout())
	if !lines.Scan() {
		t.Fatal("it said nothing")
	}
	want := []float64{3600, 3600, 3600, 60}
	for i, word := range strings.Fields(lines.Text()) {
		if got, _ := strconv.ParseFloat(word, 64); got < want[i]-1 || got > want[i]+120 {
			t.Errorf("clock %d went on by %f seconds, want %f", i, got, want[i])
		}
	}
	if ahead := time.Duration(box.Clock().Advanced()); ahead < 59*time.Minute || ahead > 2*time.Hour {
		t.Errorf("the clock was advanced by %v", ahead)
	}
	if now := time.Duration(box.Clock().Now() - began); now < 59*time.Minute {
		t.Errorf("for the sandbox only %v went by", now)
	}
	<-box.Done()
	_ = box.Stop()
	if err := <-read; err != nil {
		t.Error(err)
	}
}

// The clock is not advanced while a task works, nor beyond the allowed time.
func TestAdvanceWaits(t *testing.T) {
	box := startScript(t, `
import time
began, worked = time.monotonic(), time.process_time()
while time.process_time() - worked < 0.5: pass
print(time.monotonic() - began, flush=True)
time.sleep(3600)
print("awake", flush=True)
`)
	go func() {
		_ = box.Each(context.WithoutCancel(t.Context()), func(*wire.Record) error { return nil })
	}()
	box.Clock().AdvanceTo(box.Clock().Now() + int64(30*time.Minute))
	consenting(t, box)
	lines := bufio.NewScanner(box.Stdout())
	if !lines.Scan() {
		t.Fatal("it said nothing")
	}
	if took, _ := strconv.ParseFloat(lines.Text(), 64); took > 1000 {
		t.Errorf("half a second of work took %f seconds", took)
	}
	for box.Clock().Advanced() < int64(29*time.Minute) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	if ahead := time.Duration(box.Clock().Advanced()); ahead > 31*time.Minute {
		t.Errorf("the clock was advanced by %v", ahead)
	}
	_ = box.Stop()
}

// consenting consents to everything at once.
func consenting(t *testing.T, box *Box) {
	t.Helper()
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				activity, _, _ := box.Clock().Activity()
				box.Clock().HandledUpTo(activity)
			}
		}
	}()
}

// Without consent time passes as usual, unless the clock jumps.
func TestJump(t *testing.T) {
	box := startScript(t, `
import time
print("begun", flush=True)
time.sleep(3600)
print("awake", flush=True)
`)
	go func() {
		_ = box.Each(context.WithoutCancel(t.Context()), func(*wire.Record) error { return nil })
	}()
	box.Clock().AdvanceTo(box.Clock().Now() + int64(2*time.Hour))
	lines := bufio.NewScanner(box.Stdout())
	if !lines.Scan() {
		t.Fatal("it said nothing")
	}
	time.Sleep(300 * time.Millisecond)
	if ahead := time.Duration(box.Clock().Advanced()); ahead != 0 {
		t.Errorf("the clock was advanced by %v", ahead)
	}
	box.Clock().JumpTo(box.Clock().Now() + int64(3601*time.Second))
	if !lines.Scan() || lines.Text() != "awake" {
		t.Errorf("it said %q", lines.Text())
	}
}
