//go:build linux

package containment

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// containEngine exhausts memory in gVisor's kernel itself rather than in the
// target. That must end too: a limit refuses it, or the sandbox is killed. The
// run must not count as clean, and gVisor's kernel must not crash.
func containEngine(t *testing.T, h *assesstest.HostCheck) {
	for name, body := range fillingBombs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// It ends when the memory is full, however long the other bombs make that take.
			r := h.Python(t, body, assesstest.Holding(box.Limits{Memory: 512 << 20}), assesstest.Within(5*time.Minute))
			if hit := wantLimit(t, r, mcpsf.LimitMemory, "killed"); hit.Value <= hit.Limit || hit.Value > 2*hit.Limit {
				t.Errorf("ended at %d of %d bytes", hit.Value, hit.Limit)
			}
			// One record may be lost: the one being written when the kernel was killed.
			if e := r.Report.Coverage.Events; e.Lost > 1 {
				t.Errorf("events: %+v", e)
			}
		})
	}
	cases, wall := map[string]string{"all at once": allAtOnce(engineBombs())}, 6*time.Second
	if assesstest.Nightly() {
		cases, wall = engineBombs(), 10*time.Second
	}
	for name, body := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := h.Python(t, body, assesstest.Holding(box.Limits{PIDs: 1500}), assesstest.Within(wall))
			t.Logf("%d events, limits %+v", len(r.Events), assesstest.LimitsHit(r))
			if e := r.Report.Coverage.Events; e.Lost > 0 {
				t.Errorf("events: %+v", e)
			}
			for _, e := range assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindSandboxError }) {
				if strings.Contains(e.Sandbox.Text, "kernel") {
					t.Errorf("the sandbox failed: %s", e.Sandbox.Text)
				}
			}
		})
	}
}

// allAtOnce is a server whose one tool sets off all bombs, each in its own
// process.
func allAtOnce(bombs map[string]string) string {
	var b strings.Builder
	b.WriteString("BOMBS = []\n")
	for _, name := range slices.Sorted(maps.Keys(bombs)) {
		b.WriteString(bombs[name] + "\nBOMBS.append(TOOLS.pop(\"bomb\"))\n")
	}
	b.WriteString(`
@tool
def all_bombs():
    for bomb in BOMBS:
        if os.fork() == 0:
            try: bomb()
            finally: os._exit(0)
    while True: time.sleep(0.001)
`)
	return b.String()
}

// fillingBombs grow until the memory is used up.
func fillingBombs() map[string]string {
	return map[string]string{
		"full pipes": `
@tool
def bomb():
    for i in range(8):
        if os.fork() == 0:
            while True:
                r, w = os.pipe()
                os.set_blocking(w, False)
                try:
                    while True: os.write(w, b"x" * 65536)
                except BlockingIOError: pass
    time.sleep(1000)
`,
		"full sockets": `
import socket
@tool
def bomb():
    for i in range(8):
        if os.fork() == 0:
            while True:
                a, b = [s.detach() for s in socket.socketpair()]
                os.set_blocking(a, False)
                try:
                    while True: os.write(a, b"x" * 65536)
                except BlockingIOError: pass
    time.sleep(1000)
`,
		"extended attributes": `
@tool
def bomb():
    for i in range(100000):
        f = "/tmp/%d" % i
        os.close(os.open(f, os.O_CREAT | os.O_WRONLY))
        for j in range(100):
            try: os.setxattr(f, "user.%d" % j, b"x" * 60000)
            except OSError as e: return "refused"
`,
	}
}

// engineBombs grow until the kernel refuses.
func engineBombs() map[string]string {
	return map[string]string{
		"listening sockets": `
import socket
@tool
def bomb():
    for i in range(100):
        if os.fork() == 0:
            held = []
            while True:
                s = socket.socket()
                s.bind(("127.0.0.1", 0))
                s.listen(10)
                held.append(s)
    time.sleep(1000)
`,
		"epoll": `
import select
@tool
def bomb():
    for i in range(100):
        if os.fork() == 0:
            r, w = os.pipe()
            held = []
            while True:
                e = select.epoll()
                e.register(r)
                held.append(e)
    time.sleep(1000)
`,
		"deep directories": `
@tool
def bomb():
    os.chdir("/tmp")
    while True:
        os.mkdir("d")
        os.chdir("d")
`,
		"small files": `
@tool
def bomb():
    for p in range(4):
        if os.fork() == 0:
            i = 0
            while True:
                i += 1
                os.close(os.open("/tmp/%d-%d" % (p, i), os.O_CREAT | os.O_WRONLY))
    time.sleep(1000)
`,
		"symbolic links": `
@tool
def bomb():
    for p in range(4):
        if os.fork() == 0:
            i = 0
            while True:
                i += 1
                os.symlink("x" * 4000, "/tmp/%d-%d" % (p, i))
    time.sleep(1000)
`,
		"zombies": `
@tool
def bomb():
    while True:
        if os.fork() == 0: os._exit(0)
`,
		"mappings": `
import mmap
@tool
def bomb():
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    n = 0
    while True:
        p = libc.mmap(None, 8192, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        if p in (None, ctypes.c_void_p(-1).value): return "refused after %d" % n
        ctypes.memset(p, 1, 1)
        libc.mprotect(ctypes.c_void_p(p), 4096, 1)
        n += 1
`,
		"record locks": `
import fcntl
@tool
def bomb():
    fd = os.open("/tmp/locked", os.O_CREAT | os.O_RDWR)
    i = 0
    while True:
        i += 2
        fcntl.lockf(fd, fcntl.LOCK_EX, 1, i)
`,
		"timers and signals": `
@tool
def bomb():
    libc = ctypes.CDLL(None)
    while True:
        t = ctypes.c_void_p()
        if libc.timer_create(0, None, ctypes.byref(t)) != 0: return "refused"
`,
		"files of the host": `
@tool
def bomb():
    names = []
    for dir, _, files in os.walk("/usr"):
        names += [os.path.join(dir, f) for f in files]
        if len(names) > 3000: break
    for i in range(100):
        if os.fork() == 0:
            held = []
            for n in names:
                try: held.append(os.open(n, os.O_RDONLY))
                except OSError: pass
            time.sleep(1000)
    time.sleep(1000)
`,
		"message queues": `
@tool
def bomb():
    libc = ctypes.CDLL(None, use_errno=True)
    text = ctypes.create_string_buffer(b"\1\0\0\0\0\0\0\0" + b"x" * 8000)
    for i in range(1000000):
        q = libc.msgget(0, 0o1600)
        if q < 0: return "refused"
        while libc.msgsnd(q, text, 8000, 0o4000) == 0: pass
`,
	}
}
